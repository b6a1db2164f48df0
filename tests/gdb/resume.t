#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-resume: a recording that was paused, or began paused, goes on, and has a mark of it."""

from answers import says
from marks import LIST, QUIET, functions, labels
from session import Gdb, again, ok, plan

plan(4)
out = Gdb("marks").run("prof-resume", "prof-start", "prof-resume", "prof-stop")
ok(says(out[0], "prof-start"), "nothing is resumed without a recording", out[0])
ok(says(out[2], "not paused"), "nor what is not paused", out[2])
out = again(lambda: Gdb("marks").run(
    *QUIET, "break two", "prof-start --paused --rate=500", "run", "prof-resume", "continue", "prof-stop", LIST,
    "prof-functions --format=csv")[3:], lambda out: "two" in functions(out[6]))
ok("goes on" in out[2] and labels(out[5])[:4] == ["start", "pause", "resume", "phase-2"],
   "a recording that began paused goes on, which leaves a mark", out[2] + out[5])
ok("two" in functions(out[6]) and "one" not in functions(out[6]), "and is sampled from then on", out[6])
