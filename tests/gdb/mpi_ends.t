#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranks that crash, abort, or leave without MPI_Finalize(), and threads that communicate at the same time."""

import os
import tempfile

from mpi import FIGURES, build, figures, job, launch, libraries
from session import BUILD, Gdb, ok, plan

START = ("prof-start --mpi --engine=none", "run", "prof-stop", FIGURES)
TESTS = 6

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-ends-"))

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
    found = job(library, ends, *START, "kill", args=["crash"], timeout=60)
    crashed = found[1]
    ok("SIGSEGV" in crashed[1] and "*(volatile int *)0" in crashed[1], library + ": GDB stands where a rank has crashed",
       "\n".join(crashed))
    ok(figures(crashed[3]) == (1, 4, 1, 4, 2), library + ": and what it did until then is there", "\n".join(crashed))

    # GDB lets a rank go that is traced: it ends as it would without.
    found = job(library, build(library, "kinds.c"), "break collective", "run", "prof-start --mpi --engine=none", "detach",
                "shell for i in $(seq 300); do grep -q expected /proc/$$/fd/1 && break; sleep 0.1; done", "prof-status")
    ok(all("detached" in "".join(out) and "expected" in "".join(out) for out in found),
       library + ": a rank that GDB lets go of goes on", "\n".join(found[0] + found[1]))

    command = [os.path.join(BUILD, "gdbprof"), "record", "--mpi", "--engine=none", "--output=job.%r.prof", "--", ends, "abort"]
    texts, said = launch(library, command, command, timeout=60)
    # The launcher kills all of them at once, their GDBs too: the file has what was there a second before.
    found = [Gdb().run("prof-load job.%d.prof" % rank, FIGURES) for rank in range(2)]
    ok([figures(out[1])[:4] for out in found] == [(1, 4, 1, 4)] * 2,
       library + ": of ranks that abort the file has what they did until then", "\n".join(found[0] + found[1] + texts) + said)
    for name in ("job.0.prof", "job.1.prof"):
        if os.path.exists(name):
            os.unlink(name)
