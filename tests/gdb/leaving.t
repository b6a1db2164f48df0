#!/usr/bin/python3
"""The engine catch when a program ends, or executes another, with all of its threads on a CPU.

leaving.t [ROUNDS] does all of it ROUNDS times, 2 if it is not said.
"""

import os
import re
import subprocess
import sys
import tempfile

from session import TOP, Gdb, ok, plan, rows

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


def strip(folder):
    """The program without shared libraries and symbols, or None."""
    path = os.path.join(folder, "stripped")
    done = subprocess.run(
        ["cc", "-O1", "-static", "-s", "-pthread", "-o", path,
         os.path.join(TOP, "tests", "programs", "leaving.c")],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path if done.returncode == 0 else None


def test_stripped():
    """Where it can't be known when a program ends, that is said."""
    with tempfile.TemporaryDirectory() as folder:
        path = strip(folder)
        if not path:
            skip = " # SKIP cc can't link statically"
            ok(True, "a program without symbols" + skip)
            ok(True, "and one with them" + skip)
            return
        out = Gdb(path, ["exit", "0"]).run("prof-start --engine=catch", "run", "prof-stop")
    ok("06" in out[1] and "no function _exit" in out[2] and "not defined" not in out[0],
       "a program without symbols", "\n".join(out))
    out = Gdb("leaving", ["exit", "0"]).run("prof-start --engine=catch", "run", "prof-stop")
    ok("06" in out[1] and "no function _exit" not in out[2], "and one with them", "\n".join(out))


plan(len(WAYS) + 2)
test_stripped()
for name, status in WAYS:
    wrong = [text for text in (leave(name, status) for _ in range(ROUNDS)) if text]
    ok(not wrong, "%s: %d of %d rounds as without sampling" % (name, ROUNDS - len(wrong), ROUNDS),
       "\n----\n".join(wrong))
