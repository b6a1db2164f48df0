#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-start --mpi: what calls of MPI have sent and received, with Open MPI and with MPICH, in C and Fortran."""

import os
import re
import subprocess
import tempfile

from mpi import FIGURES, SOURCES, build, figures, job, libraries
from session import Gdb, gdb_version, lacking, ok, plan, skip

START = ("prof-start --mpi --engine=none", "run", "prof-stop", FIGURES)
PAIR = [(2, 80, 0, 0, 6), (0, 0, 2, 80, 5)]
FORTRAN = ("pair.f90", "pair08.f90")
TESTS = 9

# As if the MPI library were linked into the program.
STATIC = "int PMPI_Init(void) { return 0; } int MPI_Init(void) __attribute__((weak, alias(\"PMPI_Init\")));" \
         "int main(void) { return MPI_Init(); }"

plan(2 + 2 * (TESTS + len(FORTRAN)))
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-"))

subprocess.run(["cc", "-x", "c", "-o", "static", "-"], input=STATIC.encode(), check=True)
out = Gdb(os.path.abspath("static")).run("prof-start --mpi --engine=none", "prof-status")
ok("the MPI library is linked into it" in out[0] and "Nothing has been recorded" in out[1],
   "a program that the MPI library is linked into is refused", "\n".join(out))
out = Gdb("shares", ["1"]).run("prof-start --mpi", "run", "prof-stop")
ok("loaded no shared library of MPI" in out[2], "without a shared library of MPI prof-stop says that nothing is traced",
   "\n".join(out))

for library in libraries(TESTS + len(FORTRAN)):
    pair = build(library, "pair.c")
    found = job(library, pair, *START, "prof-save s.%r.prof", "prof-functions --metric=i.mpi-time", "prof-load s.%r.prof",
                FIGURES)
    ok([figures(out[3]) for out in found] == PAIR, library + ": sends as they begin, receives when they are complete",
       "\n".join(found[0] + found[1]))
    ok([figures(out[7]) for out in found] == PAIR, library + ": the file has the same",
       "\n".join(found[0] + found[1]))
    ok(figures(found[1][3], "MPI_Recv") == (0, 0, 1, 40, 0) and figures(found[1][3], "MPI_Wait") == (0, 0, 1, 40, 0) and
       figures(found[0][3], "MPI_Wait") == (0, 0, 0, 0, 1) and figures(found[0][3], "exchange") == (2, 80, 0, 0, 3),
       library + ": each function has its own, and its callers", found[0][3] + found[1][3])
    ok(all(re.search(r"Traced: MPI; \d+ events", out[2]) for out in found) and
       all(re.search(r"^ +\d+\.\d{3} +MPI_Finalize$", out[5], re.M) for out in found),
       library + ": all calls have their time", found[0][5])

    # The library comes later, and only for a plug-in, as with mpi4py.
    if gdb_version() < 12:
        skip(1, library + ": the same of a library that the program loads while it runs",
             "GDB before 12 cannot take a breakpoint out of a program that runs")
    else:
        build(library, "pair.c", "-shared", "-fPIC", "-Dmain=begin", "-o", "plugin.so")
        subprocess.run(["cc", "-g", "-o", "plugin", os.path.join(SOURCES, "plugin.c"), "-ldl"], check=True)
        found = job(library, os.path.abspath("plugin"), *START, "prof-messages --format=csv", args=["./plugin.so"])
        ok([figures(out[3]) for out in found] == PAIR and all("loaded no shared" not in out[2] for out in found) and
           "0,1,2,80" in found[0][4], library + ": the same of a library that the program loads while it runs",
           "\n".join(found[0] + found[1]))

    # In the middle: gdbprof comes to a process that has begun to communicate.
    found = job(library, pair, "break exchange", "run", "prof-start --mpi --engine=none", "continue", "prof-stop",
                FIGURES)
    ok([figures(out[5]) for out in found] == [(2, 80, 0, 0, 4), (0, 0, 2, 80, 3)],
       library + ": what was before the begin is not counted", "\n".join(found[0] + found[1]))
    # It stops, and begins again.
    found = job(library, pair, "break exchange", "break MPI_Bcast", "prof-start --mpi --engine=none", "run", "prof-stop",
                FIGURES, "continue", "prof-start --mpi --engine=none", "continue", "prof-stop", FIGURES)
    ok([figures(out[5]) for out in found] == [(0, 0, 0, 0, 2)] * 2 and
       [figures(out[10]) for out in found] == [(0, 0, 0, 0, 2)] * 2,
       library + ": a recording that ends and another one have what came in their time", "\n".join(found[0] + found[1]))

    kinds = build(library, "kinds.c")
    found = job(library, kinds, *START)
    expected = [re.search(r"expected (\d+) (\d+) (\d+) (\d+)", out[1]) for out in found]
    ok(all(expected) and [figures(out[3])[:4] for out in found] ==
       [tuple(int(number) for number in match.groups()) for match in expected],
       library + ": all ways to send and receive", "\n".join(found[0] + found[1]))
    ok(all(figures(out[3], name) == expected for out in found for name, expected in (
        ("cancelled", (0, 0, 0, 0, 3)), ("nobody", (0, 0, 0, 0, 6)), ("collective", (0, 0, 0, 0, 3)))),
       library + ": what is cancelled, goes to nobody, or is collective is no message", found[0][3])

    for source in FORTRAN:
        why = lacking("mpifort." + library, "gfortran")
        if why:
            skip(1, source, why)
            continue
        found = job(library, build(library, source), *START)
        ok([figures(out[3]) for out in found] == PAIR, "%s: %s does the same" % (library, source),
           "\n".join(found[0] + found[1]))
