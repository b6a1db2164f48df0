#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-regions: the regions of three programs, by both compilers, with two threads and with four."""

import os
import shutil
import subprocess
import tempfile

from openmp import COMPILERS, build
from session import BUILD, MORE, Gdb, grown, ok, plan, rows, skip

# The functions with regions, and how much is enough of each program.
PROGRAMS = {"ep": ({"main"}, 30), "cg": ({"multiply", "dot", "update"}, 8), "stencil": ({"main"}, 300)}
COUNTED = {"gcc": "GOMP_parallel", "clang": "__kmpc_fork_call"}
THREADS = (2, 4) if MORE else (4,)
ENOUGH = 150  # samples
VIEWS = ["regions --format=csv", "tree --format=csv", "tree --format=csv --stacks=machine",
         "functions --format=csv --metric=wall,omp-work,omp-wait,omp-idle,omp-serial"]
TESTS = len(PROGRAMS) * (2 * len(THREADS) + 1) + 1 + len(VIEWS)


def record(made, rounds, threads):
    """What GDB prints of MADE."""
    return Gdb(made, [str(rounds), str(threads)]).run(
        "prof-start --rate=500", "run", "prof-stop", "prof-regions --format=csv",
        "prof-functions --format=csv --metric=wall,omp-work,omp-wait,omp-idle,omp-serial", "prof-regions",
        "prof-metrics --format=csv")


def regions(out):
    """The rows of regions: loops are a part of these."""
    return [row for row in rows(out[3]) if row["kind"] == "parallel"]


def samples(out):
    """How many there are."""
    found = [row for row in rows(out[6]) if row["name"] == "samples"]
    return float(found[0]["total"]) if found else 0


def found_in(out):
    """The functions whose regions are listed."""
    return {row["region"].partition(" (parallel at ")[0] for row in regions(out)}


def adds_up(out):
    """Are the regions' work and wait those of main(), but for little, and main()'s mostly the program's?  Where
    workers wait long for a CPU, the region of some waits is not known: these are not below main()."""
    spent = {row["name"]: float(row["omp-work_inclusive"]) + float(row["omp-wait_inclusive"])
             for row in rows(out[4])}
    wall = {row["name"]: float(row["wall_inclusive"]) for row in rows(out[4])}.get("<Total>", 0)
    inside = sum(float(row["omp_work"]) + float(row["omp_wait"]) for row in regions(out))
    return abs(inside - spent.get("main", 0)) < 0.02 * wall and spent["<Total>"] - inside < 0.2 * wall


def test_program(compiler, name, made):
    """The program NAME, built by COMPILER."""
    functions, amount = PROGRAMS[name]
    for threads in THREADS:
        out = grown(lambda rounds, threads=threads: record(made, rounds, threads),
                    lambda out: samples(out) > ENOUGH and functions <= found_in(out) and
                    all(int(row["threads"]) == threads for row in regions(out)) and adds_up(out), amount)
        table = regions(out)
        what = "%s, %s, %d threads: " % (compiler, name, threads)
        ok(found_in(out) == functions and all(
            name + ".c:" + row["line"] in row["region"] and row["file"].endswith(name + ".c") and
            int(row["threads"]) == threads for row in table), what + "its regions", "".join(out))
        ok(adds_up(out) and
           all(0 <= float(row["imbalance_percent"]) <= 100 * (threads - 1) for row in table),
           what + "they add up to what the program has", out[3] + out[4])
    ok("Region\n" in out[5] and all(row["region"] in out[5] for row in table), what + "as text", out[5])


def test_instances(compiler, made):
    """How often a region was opened is known where that was counted."""
    out = Gdb(made, ["25", "2"]).run(
        "prof-start --rate=500 --count=" + COUNTED[compiler], "run", "prof-stop", "prof-regions --format=csv")
    table = regions(out)
    ok(len(table) == 1 and table[0]["instances"] == "25", compiler + ": instances that were counted", "".join(out))


def test_without_gdb(compiler, made, folder):
    """`gdbprof report` knows as much of a saved profile as GDB does."""
    file = os.path.join(folder, compiler + ".prof")
    out = Gdb(made, ["25", "2"]).run(
        "prof-start --rate=500", "run", "prof-stop", "prof-save " + file, *["prof-" + view for view in VIEWS])
    for view, inside in zip(VIEWS, out[4:]):
        name, _, options = view.partition(" ")
        told = subprocess.run([os.path.join(BUILD, "gdbprof"), "report", "--view=" + name, *options.split(), file],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300).stdout
        ok(told == inside and len(inside) > 60, "%s: gdbprof report --view=%s" % (compiler, view), inside + told)


def test_compiler(compiler, folder):
    """All of COMPILER."""
    for name in PROGRAMS:
        made, why = build(name, compiler, folder)
        if not made:
            skip(TESTS, compiler, why)
            return
        test_program(compiler, name, made)
        if name == "ep":
            test_instances(compiler, made)
            test_without_gdb(compiler, made, folder)


plan(len(COMPILERS) * TESTS)
scratch = tempfile.mkdtemp(prefix="gdbprof-regions-")
for each_compiler in COMPILERS:
    test_compiler(each_compiler, scratch)
shutil.rmtree(scratch)
