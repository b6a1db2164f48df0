#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program ends, or executes another, with all of its threads on a CPU, sampled by each engine.

leaving.t [ROUNDS] does all of it ROUNDS times, with the engine interrupt too.
"""

import os
import re
import subprocess
import sys
import tempfile

from remote import QUIET, gdbserver
from session import TOP, Gdb, again, engines, lacking, ok, plan, program, rows, skip

WAYS = [("exit", 6), ("exec", 4), ("spawn", 6)]
BURNERS = "8"
# Rounds of each engine; interrupt takes long.
ENGINES = dict.fromkeys(("catch", "stop", "catch, masked", "stop, masked"), 1)
if "perf" in engines():
    ENGINES["perf"] = 1
if len(sys.argv) > 1:
    ENGINES = dict.fromkeys((*ENGINES, "interrupt"), int(sys.argv[1]))
# What GDB says when it has lost its way.
LOST = re.compile(r"Couldn't|Cannot|internal-error|No such process|[Ee]rror|timeout|SIGSTOP")


def session(engine, way):
    """What GDB prints from prof-start on, of a program that leaves by WAY."""
    engine, _, masked = engine.partition(", ")
    commands = ["prof-start --rate=200 --engine=" + engine,
                "continue" if engine == "interrupt" else "run", "print $_exitcode", "prof-stop",
                "prof-functions --format=csv", "maint info breakpoints"]
    begin = ["set prof max-stopped 100"]
    if engine != "interrupt":
        return Gdb("leaving", [way, BURNERS], masked=bool(masked)).run(*begin, *commands)[len(begin):]
    with gdbserver(program("leaving"), way, BURNERS) as server:
        begin += [QUIET, "set sysroot /", "target remote " + server.address]
        return Gdb("leaving").run(*begin, *commands)[len(begin):]


def sampled(out, way):
    """Has the program's work samples, in what a session has printed?"""
    names = [row["name"] for row in rows(out[4])]
    return "burner" in names and ("after" in names or way != "exec")


def leave(engine, way, code):
    """What is wrong with a session in which the program leaves by WAY; "" if nothing is."""
    def decides(out):
        """gdbserver stops each thread by SIGSTOP.  It forgets that of one that executes a program just then, and
        has GDB report it: in 3 of 40 sessions that interrupt it 200 times a second."""
        forgot = engine == "interrupt" and way == "exec" and "received signal SIGSTOP" in out[1]
        return not forgot and (LOST.search(out[1]) or sampled(out, way))

    out = again(lambda: session(engine, way), decides)
    right = (not LOST.search(out[1]) and re.search(r"= %d\n" % code, out[2]) and sampled(out, way) and
             not re.search("_exit|execve", out[5]))
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
    """Where it cannot be known when a program ends, that is said."""
    with tempfile.TemporaryDirectory() as folder:
        path = strip(folder)
        if not path:
            skip = " # SKIP cc cannot link statically"
            ok(True, "a program without symbols" + skip)
            ok(True, "and one with them" + skip)
            return
        out = Gdb(path, ["exit", "0"]).run("prof-start --engine=catch", "run", "prof-stop")
    ok("06" in out[1] and "no function _exit" in out[2] and "not defined" not in out[0],
       "a program without symbols", "\n".join(out))
    out = Gdb("leaving", ["exit", "0"]).run("prof-start --engine=catch", "run", "prof-stop")
    ok("06" in out[1] and "no function _exit" not in out[2], "and one with them", "\n".join(out))


plan(len(ENGINES) * len(WAYS) + 2)
test_stripped()
for name, rounds in ENGINES.items():
    for how, status in WAYS:
        what = "%s, %s: " % (name, how)
        why = lacking("gdbserver") if name == "interrupt" else ""
        if why:
            skip(1, what, why)
            continue
        wrong = [text for text in (leave(name, how, status) for _ in range(rounds)) if text]
        ok(not wrong, what + "%d of %d rounds as without sampling" % (rounds - len(wrong), rounds),
           "\n----\n".join(wrong))
