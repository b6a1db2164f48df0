#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Silent stops do not wake GDB's event loop, and take no event from it."""

import re

from session import Gdb, grown, ok, plan, skip

ROUNDS = 200

plan(5)


def samples(text):
    found = re.search(r"(\d+) samples?", text)
    return int(found.group(1)) if found else 0


# GDB says of each event that its loop handles where it came from.
out = grown(lambda rounds: Gdb("shares", [str(rounds)]).run(
    "set prof max-stopped 100", "prof-start --engine=stop --rate=1000", "set debug event-loop all",
    "run", "set debug event-loop off", "prof-stop"), lambda out: samples(out[5]) > 500, 200)
handled = out[3].count("handle_file_event")
ok("exited normally" in out[3] and samples(out[5]) > 500, "a program is sampled", out[5])
WAKES = "GDB's event loop hardly wakes"
if "Undefined set debug command" in out[2]:
    skip(1, WAKES, "GDB before 11 does not tell of its event loop")
else:
    ok(0 < handled < 100 + samples(out[5]) / 10, WAKES, "%d events of %d samples" % (handled, samples(out[5])))

out = Gdb("events", [str(ROUNDS)]).run(
    "set prof max-stopped 100", "handle SIGUSR1 nostop print pass", "break reached if 0",
    "prof-start --engine=stop --rate=5000", "run", "prof-stop", "info breakpoints")
said = "%d signals, %d threads, %d processes" % (3 * ROUNDS, 3 * ROUNDS // 10, 3 * ROUNDS // 10)
ok("exited normally" in out[4] and samples(out[5]) > 100, "a program full of events is sampled",
   out[4][-500:] + out[5])
ok(said in out[4], "all signals, threads and processes reach it", out[4][-500:])
ok(out[4].count("received signal SIGUSR1") == 3 * ROUNDS, "GDB sees all signals",
   out[4].count("received signal SIGUSR1"))
