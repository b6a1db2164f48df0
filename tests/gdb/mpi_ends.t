#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranks that crash, abort, or leave without MPI_Finalize(), and threads that communicate at the same time."""

import os
import subprocess
import tempfile

from mpi import FIGURES, build, figures, job, launch, libraries
from session import BUILD, ok, plan, total, wait_until

START = ("prof-start --mpi --engine=none", "run", "prof-stop", FIGURES)
COMMAND = os.path.join(BUILD, "gdbprof")
TESTS = 9

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-ends-"))


def report(path, *options):
    """The functions of the profile PATH, as csv."""
    return subprocess.run([COMMAND, "report", "--view=functions", "--format=csv", *options, path], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout


def whole(path):
    """What the profile PATH has: figures, and samples.

    Its GDB may write a moment longer than the launcher waits for it.
    """
    found = (), 0

    def is_whole():
        nonlocal found
        found = figures(report(path, FIGURES.split()[-1])), total(report(path))
        return found[0][:4] == (1, 4, 1, 4) and found[1] > 0

    wait_until(is_whole)
    return found


for library in libraries(TESTS):
    ends = build(library, "ends.c")
    found = job(library, ends, *START, args=["threads"])
    ok(all("threads are done" in out[1] for out in found) and
       [figures(out[3])[:4] for out in found] == [(401, 1604, 401, 1604)] * 2,
       library + ": threads that communicate at the same time are all counted", "\n".join(found[0] + found[1]))

    # A launcher kills the others when the first GDB ends: none may, before all have printed what they know.
    found = job(library, ends, *START, "shell sleep 5", args=["leave"])
    ok([figures(out[3]) for out in found] == [(1, 4, 1, 4, 2)] * 2, library + ": a rank may leave without MPI_Finalize()",
       "\n".join(found[0] + found[1]))

    # The other rank waits for it, until the launcher ends it.
    found = job(library, ends, "prof-start --mpi --rate=1000", "run", "backtrace", "prof-stop", FIGURES, "prof-save stands.%r.prof",
                "prof-load stands.%r.prof", FIGURES, "prof-functions --format=csv", "kill", args=["crash"], timeout=60)
    crashed = found[1]
    ok("SIGSEGV" in crashed[1] and "*(volatile int *)0" in crashed[1] and "#0  main" in crashed[2],
       library + ": GDB stands where a rank has crashed", "\n".join(crashed))
    ok(figures(crashed[4]) == figures(crashed[7]) == (1, 4, 1, 4, 2) and total(crashed[8]) > 0,
       library + ": and what it did until then is there, and can be saved", "\n".join(crashed))

    # GDB lets a rank go that is traced: it ends as it would without.
    found = job(library, build(library, "kinds.c"), "break collective", "run", "prof-start --mpi --engine=none", "detach",
                "shell for i in $(seq 300); do grep -q expected /proc/$$/fd/1 && break; sleep 0.1; done", "prof-status")
    ok(all("detached" in "".join(out) and "expected" in "".join(out) for out in found),
       library + ": a rank that GDB lets go of goes on", "\n".join(found[0] + found[1]))

    # Whoever ends, and whomever the launcher kills for it: nobody is asked anything, and both files are whole.
    for how in ("leave", "crash", "kill", "abort"):
        bare = launch(library, *[[ends, how]] * 2, timeout=60)[2]
        record = [COMMAND, "record", "--mpi", "--rate=1000", "--output=%s.%%r.prof" % how, "--", ends, how]
        texts, said, status = launch(library, record, record, timeout=120)
        found = [whole("%s.%d.prof" % (how, rank)) for rank in range(2)]
        # Where a rank has left, the launcher may kill the one that ends later.
        ok((status == bare or how == "leave") and all(numbers[:4] == (1, 4, 1, 4) and sampled > 0 for numbers, sampled in found),
           "%s: gdbprof record: %s" % (library, how), "%r %r\n%s" % (status, bare, "\n".join([str(found), *texts, said])))
        for rank in range(2):
            os.unlink("%s.%d.prof" % (how, rank))
