#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Barriers that the program has asked for, and those at the end of loops and of other shared code."""

import os
import shutil
import tempfile

from openmp import COMPILERS, build
from session import Gdb, grown, ok, plan, rows, skip

EXPLICIT, IMPLICIT, UNKNOWN = ("<OMP-explicit_barrier>", "<OMP-implicit_barrier>", "<OMP-barrier>")
EXPECTED = {"asked": {EXPLICIT}, "looped": {IMPLICIT}, "single": {IMPLICIT}}
TREE = "prof-tree --format=csv --metric=samples"
ENOUGH = 5  # samples of each wait
TESTS = 4


def waits(text):
    """By function of the program, the barriers right below it in a tree TEXT, and their samples."""
    found, above = {name: {} for name in EXPECTED}, {}
    for row in rows(text):
        level = int(row["level"])
        above[level] = row["name"].partition(".")[0]  # of asked.constprop
        caller = above.get(level - 1)
        if caller in found and "barrier>" in row["name"]:
            found[caller][row["name"]] = found[caller].get(row["name"], 0) + float(row["direct"])
    return found


def enough(text):
    """Were all of them met often enough?"""
    return all(sum(each.values()) >= ENOUGH for each in waits(text).values())


def record(made, file, rounds):
    """What GDB prints of MADE, recorded into FILE."""
    if os.path.exists(file):
        os.unlink(file)
    return Gdb(made, [str(rounds)]).run("prof-start --rate=1000 --output=" + file, "run", "prof-stop", TREE)


def test_compiler(compiler, folder):
    """All of COMPILER."""
    made, why = build("barriers", compiler, folder)
    if not made:
        skip(TESTS, compiler, why)
        return
    file = os.path.join(folder, compiler + ".prof")
    out = grown(lambda rounds: record(made, file, rounds), lambda out: enough(out[3]), 30)
    kinds = {name: set(found) for name, found in waits(out[3]).items()}
    ok(enough(out[3]), compiler + ": threads wait at each barrier", "".join(out))
    ok(kinds == EXPECTED, compiler + ": which one it is", out[3])
    os.rename(made, made + ".gone")
    again = Gdb().run("prof-load " + file, TREE)
    ok(rows(again[1]) == rows(out[3]) and rows(out[3]), compiler + ": the file knows it too", again[1] + out[3])
    os.rename(made + ".gone", made)
    bare, _ = build("barriers", compiler, folder, "-g0")
    out = grown(lambda rounds: record(bare, file, rounds), lambda out: enough(out[3]), 30)
    kinds = {name: set(found) for name, found in waits(out[3]).items()}
    # gcc's calls are all the same: only the source tells them apart.
    expected = {name: {UNKNOWN} for name in EXPECTED} if compiler == "gcc" else EXPECTED
    ok(kinds == expected, compiler + ": without debugging information", "".join(out))


plan(len(COMPILERS) * TESTS)
scratch = tempfile.mkdtemp(prefix="gdbprof-barriers-")
for each_compiler in COMPILERS:
    test_compiler(each_compiler, scratch)
shutil.rmtree(scratch)
