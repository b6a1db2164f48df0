#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording is not seen: the debug session of one rank reads the same with it as in a GDB without gdbprof."""

import difflib
import os
import re
import tempfile

from mpi import build, launch, libraries
from session import Gdb, distrust, engines, ok, plan, skip

# What is typed for rank 1, while rank 0 runs without GDB and waits for it.
SESSION = (
    "break hand_on", "run", "backtrace", "info locals", "print *token", "next", "step", "info args", "finish", "print work != 0",
    "next", "print token->round", "delete 1", "tbreak pass_on", "continue", "up", "print rank", "down", "info symbol pass_on",
    "break take if token->round > 3", "continue", "info breakpoints", "print token->round", "watch token->sum", "continue",
    "delete", "finish", "break MPI_Send", "continue", "delete", "tbreak take", "continue", "advance pass_on",
    "print $_exitcode", "info signals SIGUSR1", "info display", "info program", "continue", "print $_exitcode", "info breakpoints")
# How recording begins, and what prof-stop says that was recorded.
WAYS = {
    "stop": ("prof-start --rate=1000 --engine=stop", r"[1-9]\d* samples"),
    "perf": ("prof-start --rate=1000 --engine=perf", r"[1-9]\d* samples"),
    "traced": ("prof-start --mpi --engine=none", r"[1-9]\d* events"),
    "sampled and traced": ("prof-start --mpi --rate=1000 --engine=stop", r"[1-9]\d* samples.*[1-9]\d* events"),
}
TESTS = len(WAYS)


def normal(text):
    """TEXT without what differs between two sessions in any case."""
    text = re.sub(r"\b(process|LWP|pid) ?\d+", r"\1 N", text)
    text = re.sub(r"\b0x(0000)?[57][0-9a-f]{10,11}\b", "0x7...", text)
    return re.sub(r"<<command \d+>>", "", text)


def session(library, path, start=()):
    """What SESSION prints that begins with the commands START, without what these print, and what prof-stop says."""
    commands = ["set print thread-events off", *start, *SESSION, *["prof-stop"] * bool(start)]
    texts, said, status = launch(library, [path], Gdb(path, load=bool(start)).command(*Gdb.batch(commands)), timeout=60)
    distrust(texts[1])
    found = Gdb.split(texts[1], len(commands))
    first = len(commands) - len(SESSION) - bool(start)
    lines = [line for command, out in zip(SESSION, found[first:])
             for line in ("(gdb) " + command, *normal(out).splitlines())]
    return lines + ["status %d" % status], "\n".join(found[:first] + found[first + len(SESSION):] + [said])


plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-transcript-"))

for library in libraries(TESTS):
    program = build(library, "debugged.c", "-O0")
    wanted = session(library, program)[0]
    for way, (begin, recorded) in WAYS.items():
        name = "%s, %s" % (library, way)
        if way == "perf" and way not in engines():
            skip(1, name, "the kernel permits no perf events")
            continue
        got, told = session(library, program, ("set prof max-stopped 100", begin))
        ok(got == wanted and "status 0" in got and not re.search("<<", "\n".join(got)) and re.search(recorded, told, re.S), name,
           "\n".join(difflib.unified_diff(wanted, got, "unrecorded", "recorded", lineterm="")) + "\n" + told)
