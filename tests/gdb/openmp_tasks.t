#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks belong to where they were created, not to where the thread was that has executed them."""

import os
import shutil
import tempfile

from openmp import COMPILERS, build
from session import Gdb, grown, ok, plan, rows, skip

REGION = "main (parallel at creators.c:"
# Clang before 16 does not name the function of a task: what waits for the task is known then.
CREATORS = {"gcc": {"create"}, "clang": {"create", "finish"}}
ENOUGH = 10  # samples of tasks, by each of their creators
TESTS = 4


def tasks(text):
    """By the function above them in a tree TEXT, the samples of tasks."""
    found, above = {}, {}
    for row in rows(text):
        level = int(row["level"])
        above[level] = row["name"]
        if "(task at creators.c:" in row["name"]:
            caller = REGION if above[level - 1].startswith(REGION) else above[level - 1]
            found[caller] = found.get(caller, 0) + float(row["direct"])
    return found


def enough(text):
    """Were they met often enough, in the code that creates them and in the barrier?"""
    found = tasks(text)
    return found.get(REGION, 0) >= ENOUGH and sum(found.values()) - found.get(REGION, 0) >= ENOUGH


def test_compiler(compiler, folder):
    """All of COMPILER."""
    made, why = build("creators", compiler, folder)
    if not made:
        skip(TESTS, compiler, why)
        return
    tree = "prof-tree --format=csv --metric=samples"
    out = grown(lambda rounds: Gdb(made, [str(rounds)]).run(
        "prof-start --rate=1000", "run", "prof-stop", tree, tree + " --stacks=machine",
        "prof-functions --format=csv --metric=wall,omp-work", "prof-functions --format=csv --metric=wall,omp-work --stacks=machine"),
                lambda out: enough(out[3]), 100)
    found = tasks(out[3])
    ok(enough(out[3]), compiler + ": threads execute tasks while they wait for them, and in barriers", "".join(out))
    ok(set(found) - {REGION} <= CREATORS[compiler] and len(found) == 2,
       compiler + ": tasks are below their creator, or else below the region", out[3])
    ok("meet" in out[4] and "finish" in out[4] and "(task" not in out[4],
       compiler + ": machine stacks show who has executed them", out[4])
    times = [{row["name"]: float(row["omp-work_inclusive"]) for row in rows(text)}.get("<Total>", 0) for text in out[5:7]]
    ok(times[0] > 0 and abs(times[0] - times[1]) < 1e-6 * times[0], compiler + ": the work is the same", out[5] + out[6])


plan(len(COMPILERS) * TESTS)
scratch = tempfile.mkdtemp(prefix="gdbprof-tasks-")
for each_compiler in COMPILERS:
    test_compiler(each_compiler, scratch)
shutil.rmtree(scratch)
