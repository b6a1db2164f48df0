#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gdb.breakpoints() in a recording: scripts see the user's breakpoints, in the same places as without."""

from session import Gdb, ok, plan

LIST = "python print([b.number for b in gdb.breakpoints()])"
WAYS = ("--engine=stop", "--engine=stop --count=unit", "--engine=none --heap --sync", "--engine=stop --mark-period=10ms",
        "--engine=catch", "--engine=catch --mark-signal=USR2")


def listed(way):
    """What is listed before, at the start of, in, and after a recording."""
    gdb = Gdb("shares", args=["20"])
    out = gdb.run("python kept = gdb.breakpoints", LIST, "break plain", "prof-start " + way, LIST, "run", LIST,
                  "python print(gdb.breakpoints()[0].location)", "python [b.delete() for b in gdb.breakpoints()]",
                  "info breakpoints", "continue", "prof-stop", "python print(gdb.breakpoints is kept)")
    ok([out[i].strip() for i in (1, 4, 6, 7)] == ["[]", "[1]", "[1]", "plain"] and "in plain" not in out[9],
       way + ": the user's breakpoints alone are listed", gdb.text)
    ok("exited normally" in out[10] and "marks" in out[11] and "No breakpoint" not in out[11],
       way + ": and the recording keeps its own when a script deletes all", gdb.text)
    ok(out[12].strip() == "True", way + ": afterwards GDB's own function is back", out[12])


def replaced():
    """A script puts a function of its own in the place of GDB's, in a recording, and calls what was there."""
    out = Gdb("shares", args=["20"]).run(
        "break plain", "prof-start", "python before = gdb.breakpoints",
        "python gdb.breakpoints = lambda: before()[:1]", LIST, "prof-stop", LIST, "prof-start", LIST, "prof-stop",
        "python print(gdb.breakpoints is not before)")
    ok([out[i].strip() for i in (4, 6, 8)] == ["[1]"] * 3 and out[10].strip() == "True",
       "a script's own function stays, and goes on", "\n".join(out))


plan(3 * len(WAYS) + 1)
for each in WAYS:
    listed(each)
replaced()
