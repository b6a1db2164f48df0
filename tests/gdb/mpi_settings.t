#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""set prof mpi-...: VampirTrace's settings and variables, and what happens at the limit of flushes."""

import os
import re
import tempfile

from mpi import FIGURES, build, figures, job, libraries
from session import Gdb, ok, plan

NAMES = ("mpi-stacks", "mpi-buffer-size", "mpi-max-flushes", "mpi-verbose")
SHOW = ["show prof " + name for name in NAMES]
TESTS = 5
RECORD = 72  # bytes of a call; an operation, which some calls have, is less

plan(4 + 2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-settings-"))


def values(out):
    return [re.search(r"(?:is|to) (\w+)\.", text).group(1) if re.search(r"(?:is|to) (\w+)\.", text) else text
            for text in out]


found = values(Gdb(env={name: "" for name in ("VT_STACKS", "VT_BUFFER_SIZE", "VT_MAX_FLUSHES", "VT_VERBOSE")}).run(*SHOW))
ok(found == ["1", "64M", "0", "1"], "the defaults are VampirTrace's", str(found))
found = values(Gdb(env={"VT_STACKS": "0", "VT_BUFFER_SIZE": "3K", "VT_MAX_FLUSHES": "7", "VT_VERBOSE": "2"}).run(*SHOW))
ok(found == ["0", "3K", "7", "2"], "its variables are honoured", str(found))
found = values(Gdb(env={"VT_STACKS": "9", "VT_BUFFER_SIZE": "many", "VT_MAX_FLUSHES": "-1", "VT_VERBOSE": "3"}).run(*SHOW))
ok(found == ["1", "64M", "0", "1"], "but for values that make no sense", str(found))
out = Gdb().run("set prof mpi-buffer-size 0", "set prof mpi-buffer-size 9X", "set prof mpi-max-flushes x",
                "set prof mpi-buffer-size 2000G", "set prof mpi-stacks 2")
ok(all("is not a" in text for text in out[:4]) and "Undefined item" in out[4], "others are refused", "\n".join(out))

for library in libraries(TESTS):
    kinds = build(library, "kinds.c")
    start = ("prof-start --mpi --engine=none", "run", "prof-status", "prof-stop", FIGURES)
    every = job(library, kinds, *start)
    limit = job(library, kinds, "set prof mpi-buffer-size %d" % (10 * RECORD), "set prof mpi-max-flushes 1", *start)
    calls = [re.search(r"Traced: MPI; (\d+) events\.", out[3]) for out in every]
    ok(all(calls) and all(int(match.group(1)) > 50 for match in calls), library + ": without a limit all events are kept",
       every[0][3])
    kept = [re.search(r"Traced: MPI; (\d+) events\.", out[5]) for out in limit]
    dropped = [re.search(r"The MPI trace is incomplete: (\d+) events were dropped", out[5]) for out in limit]
    ok(all(kept) and all(dropped) and all(2 <= int(match.group(1)) <= 10 for match in kept),
       library + ": behind it they are dropped, and the trace is said to be incomplete", limit[0][5])
    ok(all(dropped) and all(int(match.group(1)) > 40 for match in dropped), library + ": with their number", limit[0][5])
    twice = job(library, kinds, "set prof mpi-buffer-size %d" % (10 * RECORD), "set prof mpi-max-flushes 2", *start)
    more = [re.search(r"Traced: MPI; (\d+) events\.", out[5]) for out in twice]
    ok(all(more) and all(int(once.group(1)) < int(match.group(1)) <= 20 for once, match in zip(kept, more)),
       library + ": two flushes are more", twice[0][5])
    flat = job(library, kinds, "set prof mpi-stacks 0", *start)
    ok(all(figures(out[5], "main") == () and figures(out[5]) and figures(out[5])[:4] == figures(every[i][4])[:4]
           for i, out in enumerate(flat)), library + ": without stacks functions of MPI have all", flat[0][5])
