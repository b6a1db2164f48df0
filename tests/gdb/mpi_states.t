#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mpi-work and mpi-wait: by samples alone, who computes, and who waits for messages."""

import os
import tempfile

from mpi import build, job, libraries
from session import ok, plan, rows

START = ("prof-start --rate=500", "run", "prof-stop", "prof-functions --format=csv --metric=i.cpu,i.mpi-work,i.mpi-wait")
TESTS = 4

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-states-"))


def times(text, name):
    """Seconds of CPU time, MPI work and MPI wait of the function NAME."""
    for row in rows(text):
        if row["name"] == name:
            return [float(row[metric + "_inclusive"]) for metric in ("cpu", "mpi-work", "mpi-wait")]
    return [0, 0, 0]


for library in libraries(TESTS):
    path = build(library, "late.c")
    for amount in (1500, 6000):
        found = job(library, path, *START, args=[str(amount)])
        computing, waiting = times(found[0][3], "burn"), times(found[1][3], "wait_for_it")
        # A busy machine may give the one that waits little time: it yields its CPU.
        if computing[0] > 0.5 and waiting[0] > 0.1:
            break
    ok(computing[0] > 0.5 and computing[1:] == [0, 0], library + ": who computes neither works nor waits in MPI",
       found[0][3])
    ok(waiting[0] > 0.1 and waiting[2] > 0.8 * waiting[0], library + ": who waits for a message waits in MPI",
       found[1][3])
    # Of samples that hit the wrapper's return or the like there may be a few.
    ok(abs(waiting[1] + waiting[2] - waiting[0]) <= 0.02 * waiting[0] + 0.01,
       library + ": all CPU time in a call is work or wait", found[1][3])
    whole = times(found[1][3], "<Total>")
    ok(whole[1] + whole[2] <= whole[0] + 1e-6 and whole[2] >= waiting[2], library + ": and no more than there is",
       found[1][3])
