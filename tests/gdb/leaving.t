#!/usr/bin/python3
"""The engine catch when a program ends, or executes another, with all of its threads on a CPU.

leaving.t [ROUNDS] does all of it ROUNDS times, 2 if it is not said.
"""

import re
import sys

from session import Gdb, ok, plan, rows

WAYS = [("exit", 6), ("exec", 4), ("spawn", 6)]
BURNERS = "8"
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 2
# What GDB says when it has lost its way.
LOST = re.compile(r"Couldn't|Cannot|internal-error|No such process|[Ee]rror|timeout")


def leave(way, code):
    """What is wrong with a session in which the program leaves by WAY; "" if nothing is."""
    out = Gdb("leaving", [way, BURNERS]).run(
        "set prof max-stopped 100", "prof-start --rate=200 --engine=catch", "run",
        "print $_exitcode", "prof-stop", "prof-functions --format=csv", "maint info breakpoints")
    names = [row["name"] for row in rows(out[5])]
    right = (not LOST.search(out[2]) and re.search(r"= %d\n" % code, out[3]) and
             "burner" in names and ("after" in names or way != "exec") and
             not re.search("_exit|execve", out[6]))
    return "" if right else "\n".join(out)


plan(len(WAYS))
for name, status in WAYS:
    wrong = [text for text in (leave(name, status) for _ in range(ROUNDS)) if text]
    ok(not wrong, "%s: %d of %d rounds as without sampling" % (name, ROUNDS - len(wrong), ROUNDS),
       "\n----\n".join(wrong))
