#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-stop: it ends the recording, which stays at hand; then there is nothing to stop."""

from answers import says
from session import Gdb, again, ok, plan, total

def test_ended():
    out = again(lambda: Gdb("shares", args=["100"]).run(
        "run", "prof-start --rate=1000", "prof-status", "run", "prof-status", "prof-stop",
        "prof-functions --format=csv", "prof-stop", "prof-functions --format=csv"), lambda out: total(out[6]) > 0)
    ok("Recording at" in out[1] and "waiting for a program to run" in out[2],
       "a program that has ended: the next run is waited for", out[2])
    ok("waiting for a program to run" in out[4] and "Rate" in out[5] and total(out[6]) > 0,
       "a program that ends by itself: what was recorded is there", "\n".join(out[3:7]))
    ok(says(out[7], "prof-start") and out[8] == out[6], "prof-stop twice changes nothing", out[7])


plan(3)
test_ended()
