#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Children of traced programs: they are not traced unless that is asked for, and left as they were."""

import os
import re

from session import Gdb, ok, plan, rows, skip

START = "prof-start --heap --engine=none"
GOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "got.py")
SHOW = "prof-functions --metric=allocs --format=csv"


def allocations(text, function="grow"):
    """How many allocations FUNCTION has made, of the table TEXT."""
    return sum(int(row["inclusive"]) for row in rows(text) if row["name"] == function)


def slots(*commands):
    """What COMMANDS leave in the slots of the child, which stands in last(), without us and with."""
    stand = ["set follow-fork-mode child", "break last", "run"]
    plain = Gdb("child").run(*stand, "source " + GOT, "got-keep", "python print(Got.kept)")
    traced = Gdb("child").run(*commands, START, *stand, "prof-stop", "source " + GOT, "got-keep",
                              "python print(Got.kept)")
    return plain[-1], traced[-1], "\n".join(plain + traced)


plan(9)

out = Gdb("child").run("set follow-fork-mode child", START, "break infant", "run", "continue", "prof-stop", SHOW)
ok("infant" in out[3] and "exited normally" in out[4], "a child that GDB follows runs to its end", "\n".join(out))
ok(allocations(out[6]) == 10, "what it allocates is not traced", out[6])

out = Gdb("child").run("set prof trace-children on", "set follow-fork-mode child", START, "break infant",
                       "run", "continue", "prof-stop", SHOW)
ok(allocations(out[7]) == 87 and allocations(out[7], "last") == 7, "unless that is asked for", out[7])

BOTH = ["set detach-on-fork off", "set schedule-multiple on", START, "break infant", "run", "continue",
        "inferior 1", "continue", "prof-stop", SHOW]
out = Gdb("child").run("set prof trace-children on", *BOTH)
ok(allocations(out[-1]) == 92, "both at once, where GDB keeps both", "\n".join(out))

out = Gdb("child").run(*BOTH)
ok(allocations(out[-1]) == 15, "or the parent alone", "\n".join(out))

# Where the program is loaded is the same each time.
for ask in ("off", "on"):
    plain, traced, details = slots("set prof trace-children " + ask)
    name = "the slots of a child are as they were, asked for or not (%s)" % ask
    if "libdl" in traced and "libdl" not in plain:
        skip(1, name, "the agent needs libraries of this glibc that the program has not, so that all are elsewhere")
    else:
        ok(plain and re.sub(r"libc\.so", "", plain) and plain == traced, name, details)

out = Gdb("child").run(START, "run", "prof-stop", SHOW)
ok(allocations(out[3]) == 15, "a child that GDB lets go does not disturb", out[3])
out = Gdb("child").run("show prof trace-children", "set prof trace-children maybe")
ok("off" in out[0] and "maybe" in out[1], "the setting has a default, and two values", "\n".join(out))
