#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-status: the range of rates at first, then what is being recorded, and its price."""

from headings import heading
from session import Gdb, ok, plan

def test_rates():
    """What rates there are, before any is asked for."""
    out = Gdb().run("info prof", "prof-status")
    ok(all("0.1 to 20000 Hz" in text and "every 10 s to 50 us" in text and "resolution is" in text for text in out),
       "the range of rates and the resolution of the clock are told", out)


def test_recording():
    out = Gdb("phases", ["1000"]).run(
        "set prof max-stopped 100", "break three", "prof-start --rate=200 --engine=stop", "run", "prof-status",
        "continue", "prof-stop")
    asked, reached, kept = heading(out[4])
    ok(asked == 200 and 0 < reached <= 210, "prof-status tells the rate asked for and reached", out[4])
    ok("ticks" in out[4] and 0 < kept < 100, "the ticks lost, and the share stopped", out[4])
    ok("the program stands still" in out[4], "and what goes on", out[4])


plan(1 + 3)
test_rates()
test_recording()
