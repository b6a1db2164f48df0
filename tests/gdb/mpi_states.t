#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mpi-work and mpi-wait: by samples alone, who computes, and who waits for messages."""

import os
import tempfile

from mpi import build, job, libraries
from session import ok, plan, rows

START = ("prof-start --rate=500", "run", "prof-stop", "prof-functions --format=csv --metric=i.cpu,i.mpi-work,i.mpi-wait")
BOTH = ("prof-start --mpi --rate=500", "run", "prof-stop",
        "prof-functions --format=csv --metric=i.cpu,i.mpi-work,i.mpi-wait,i.mpi-time")
# Calls are traced by the first names, and libraries may have their code under the others.
EXCEPTED = ("MPI_Init", "MPI_Finalize", "PMPI_Init", "PMPI_Finalize")
TESTS = 8

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-states-"))


def times(text, name, metrics=("cpu", "mpi-work", "mpi-wait")):
    """Seconds of METRICS of the function NAME."""
    for row in rows(text):
        if row["name"] == name:
            return [float(row[metric + "_inclusive"]) for metric in metrics]
    return [0] * len(metrics)


def test_both(library, path):
    """MPI Time is by the clock on the wall, and work and wait are CPU time, so that they differ: both are shown."""
    metrics = ("mpi-time", "mpi-work", "mpi-wait", "cpu")
    for amount in (1500, 6000):
        found = job(library, path, *BOTH, args=[str(amount)])
        texts = [out[3] for out in found]
        received, computed = times(texts[1], "wait_for_it", metrics), times(texts[0], "burn", metrics)
        if computed[3] > 0.5 and received[2] > 0.1:
            break
    for rank, text in enumerate(texts):
        whole = times(text, "<Total>", metrics)
        excepted = [sum(part) for part in zip(*(times(text, name, metrics) for name in EXCEPTED))]
        left = [all - part for all, part in zip(whole, excepted)]
        print("# %s, rank %d, without %s: MPI Time %.3f s, MPI Work %.3f s, MPI Wait %.3f s" %
              ((library, rank, " and ".join(EXCEPTED[:2])) + tuple(left[:3])))
        # Samples and calls are measured by different clocks: 2 ms is the distance of samples.
        ok(whole[0] > 0 and left[0] >= -1e-6 and left[1] + left[2] <= 1.1 * left[0] + 0.05,
           "%s: rank %d: work and wait are no more than the time of calls" % (library, rank), text)
    ok(received[2] > 0.1 and received[0] >= 0.9 * (received[1] + received[2]) and
       received[0] >= 0.5 * computed[3], library + ": the call lasts for as long as the other rank computes",
       texts[0] + texts[1])
    ok(computed[3] > 0.5 and computed[:3] == [0, 0, 0], library + ": and code outside of MPI has none of either",
       texts[0])


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
    test_both(library, path)
