#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-start --omp: regions, waits and tasks of OpenMP, against what the program itself measures."""

import os
import re
import shutil
import subprocess
import tempfile

from openmp import build
from session import BUILD, Gdb, again, grown, ok, plan, rows, skip

ROUNDS = 10
TASKS, EMPTY = 8, 50
FUNCTIONS = ("contend", "meet", "share_out", "finish_unevenly", "execute", "nest", "open_empty")
TESTS = 16
NEVER = "no runtime of OpenMP has asked the agent"
OTHER = "a library of the program has an OpenMP tool, or OMP_TOOL_LIBRARIES names one"
TREE = "prof-tree --format=csv --metric=omp-tasks,omp-task,omp-regions"


def measured(out):
    """What the program has printed."""
    return {name: float(value) for name, value in re.findall(r"^([a-z]+) ([0-9.]+)$", out[1], re.M)}


def regions(text):
    """The rows of prof-regions by the function that opens the region; of nest() the outer one."""
    found = {}
    for row in rows(text):
        found.setdefault(row["region"].partition(" (parallel at ")[0], row)
    return found


def loops(text):
    """The other rows by function and kind."""
    return {(row["region"].partition(" (")[0], row["kind"]): row for row in rows(text) if row["kind"] != "parallel"}


def record(made, file):
    """What GDB prints of MADE."""
    if os.path.exists(file):
        os.unlink(file)
    return Gdb(made, [str(ROUNDS)]).run(
        "prof-start --omp --rate=200", "run", "prof-stop", "prof-regions --format=csv", TREE, "prof-metrics --format=csv",
        "prof-regions", "prof-save " + file)


def contained(found, own):
    """Is FOUND in what the program has measured around it, and most of that?  Between the two the thread may wait for a
    CPU."""
    return 0.6 * own - 0.02 <= found <= 1.01 * own + 0.001


def imbalance(own, names=("first", "second")):
    """In percent, of what two threads have measured under NAMES."""
    return 100 * (2 * max(own[name] for name in names) / sum(own[name] for name in names) - 1)


def is_loop_as_measured(out):
    """Are the work, the wait and the imbalance of a loop as the program has measured them?"""
    own, row = measured(out), loops(out[3]).get(("finish_unevenly", "loop"))
    return (row and contained(float(row["omp_work"]), own["one"] + own["other"]) and
            contained(float(row["omp_wait"]), own["loopwait"]) and
            abs(float(row["imbalance_percent"]) - imbalance(own, ("one", "other"))) < 15)


def is_as_measured(out):
    """Do the waits agree with what the program has measured?"""
    own, table = measured(out), regions(out[3])
    return (len(own) == 8 and set(FUNCTIONS) <= set(table) and is_loop_as_measured(out) and
            contained(float(table["contend"]["critical_wait"]), own["critical"]) and
            contained(float(table["meet"]["explicit_barrier"]), own["barrier"]) and
            abs(float(table["share_out"]["imbalance_percent"]) - imbalance(own)) < 15)


def test_regions(out):
    """Each region is there, however short, with the exact number of its instances."""
    table = regions(out[3])
    ok(set(FUNCTIONS) <= set(table), "all regions", out[3])
    ok([table[name]["instances"] for name in FUNCTIONS] == [str(ROUNDS)] * 6 + [str(ROUNDS * EMPTY)],
       "instances are exact", out[3])
    nested = [row for row in rows(out[3]) if row["instances"] == str(2 * ROUNDS)]
    ok(len(nested) == 1 and int(nested[0]["threads"]) >= 2 and int(table["contend"]["threads"]) == 2,
       "nested regions are apart, with their threads", out[3])
    ok(float(table["contend"]["explicit_barrier"]) == 0 and float(table["meet"]["critical_wait"]) == 0 and
       float(table["execute"]["lock_wait"]) == 0, "what a region does not wait for is 0", out[3])
    total = {row["name"]: float(row["total"]) for row in rows(out[5])}
    ok(total["omp-regions"] == ROUNDS * (8 + EMPTY) and total["omp-tasks"] == ROUNDS * TASKS,
       "so are the metrics", out[5])


def test_waits(out):
    """Waits by cause."""
    own, table = measured(out), regions(out[3])
    told = out[1] + out[3]
    ok(contained(float(table["contend"]["critical_wait"]), own["critical"]), "the wait for a critical section", told)
    ok(contained(float(table["meet"]["explicit_barrier"]), own["barrier"]), "the wait at a barrier of the program", told)
    ok(abs(float(table["share_out"]["imbalance_percent"]) - imbalance(own)) < 15, "the imbalance of a loop", told)


def test_loops(out):
    """Loops, and what else is shared out, are below their regions."""
    found = loops(out[3])
    ok(set(found) == {("share_out", "loop"), ("finish_unevenly", "loop"), ("execute", "single")} and
       all(row["instances"] == str(ROUNDS) and row["threads"] == "2" for row in found.values()),
       "all loops, and their exact instances", out[3])
    order = [row["region"].partition(" (")[0] for row in rows(out[3])]
    ok(all(order.index(function) == order.index(function, order.index(function) + 1) - 1 for function, _ in found),
       "each is below its region", out[3])
    ok(is_loop_as_measured(out), "work, wait and imbalance of a loop", out[1] + out[3])
    row = found.get(("share_out", "loop"))
    own = measured(out)
    ok(row and float(row["omp_wait"]) == 0 and contained(float(row["omp_work"]), own["first"] + own["second"]),
       "a loop without a barrier at its end has no wait", out[1] + out[3])


def test_tasks(out):
    """Tasks are where they were created, whoever executes them."""
    table = rows(out[4])
    creator = [row for row in table if row["name"] == "make_tasks"]
    ok(len(creator) == 1 and float(creator[0]["omp-tasks_in_or_under"]) == ROUNDS * TASKS and
       float(creator[0]["omp-task_in_or_under"]) >= ROUNDS * TASKS * 0.002, "tasks are where they were created", out[4])
    ok(float(regions(out[3])["execute"]["task_wait"]) <= 1.01 * measured(out)["taskwait"] + 0.001,
       "executing tasks is no wait for them", out[1] + out[3])


def test_views(out, file):
    """The text, and the file."""
    ok("Critical" in out[6] and "open_empty (parallel at traced.c:" in out[6], "as text", out[6])
    told = subprocess.run([os.path.join(BUILD, "gdbprof"), "report", "--view=regions", "--format=csv", file],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300).stdout
    ok(told == out[3], "the file has all of it", told + out[3])


def test_traced(folder):
    """A program that clang has built."""
    made, why = build("traced", "clang", folder)
    if not made:
        skip(TESTS, "clang", why)
        return
    file = os.path.join(folder, "traced.prof")
    out = again(lambda: record(made, file), is_as_measured)
    test_regions(out)
    test_waits(out)
    test_loops(out)
    test_tasks(out)
    test_views(out, file)


def test_gcc(folder):
    """libgomp has no such interface."""
    made, why = build("traced", "gcc", folder)
    if not made:
        skip(3, "gcc", why)
        return
    out = grown(lambda rounds: Gdb(made, [str(rounds)]).run(
        "prof-start --omp --rate=1000", "run", "prof-stop", "prof-regions --format=csv"),
                lambda out: ("finish_unevenly", "loop") in loops(out[3]), 5)
    ok(NEVER in "".join(out), "libgomp: a note", "".join(out))
    table = regions(out[3])
    ok(table and all(not row["inside"] for row in table.values()), "libgomp: regions by samples", out[3])
    row = loops(out[3]).get(("finish_unevenly", "loop"))
    ok(row and float(row["omp_wait"]) > 0 and not row["omp_work"] and not row["instances"] and
       ("share_out", "loop") not in loops(out[3]), "libgomp: loops by their calls of the runtime", out[3])


def test_tools(folder):
    """A tool that the user has goes first."""
    made, why = build("tool", "clang", folder, "-DPROGRAM")
    if not made:
        skip(4, "clang", why)
        return
    out = Gdb(made, []).run("prof-start --omp --rate=200", "run", "prof-stop")
    ok("the user's own tool\n2 threads" in out[1], "the program's own tool is active", out[1])
    ok(NEVER in "".join(out), "the program's own tool: a note", "".join(out))
    library, why = build("tool", "clang", folder, "-shared", "-fPIC")
    traced, why = build("traced", "clang", folder)
    out = Gdb(traced, ["1"]).run("set environment OMP_TOOL_LIBRARIES " + library, "prof-start --omp --rate=200", "run",
                                 "prof-stop")
    ok("the user's own tool" in out[2], "a tool that OMP_TOOL_LIBRARIES names is active", out[2])
    ok(OTHER in "".join(out), "a tool that OMP_TOOL_LIBRARIES names: a note", "".join(out))


plan(TESTS + 7)
scratch = tempfile.mkdtemp(prefix="gdbprof-openmp-traced-")
test_traced(scratch)
test_gcc(scratch)
test_tools(scratch)
shutil.rmtree(scratch)
