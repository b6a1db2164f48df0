#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Barriers that the program has asked for, and those at the end of loops and of other shared code."""

import os
import shutil
import tempfile

from openmp import COMPILERS, build
from session import Gdb, grown, ok, plan, rows, skip

EXPLICIT, IMPLICIT, UNKNOWN = ("<OMP-explicit_barrier>", "<OMP-implicit_barrier>", "<OMP-barrier>")
EXPECTED = {"asked": {EXPLICIT}, "looped": {IMPLICIT}, "handed_out": {IMPLICIT}, "divided": {IMPLICIT}, "single": {IMPLICIT}}
TREE = "prof-tree --format=csv --metric=samples"
ENOUGH = 5  # samples of each wait
FUNCTIONS = "prof-functions --format=csv --metric=i.wall,i.cpu,i.omp-work,i.omp-wait,i.omp-idle,i.omp-serial"
ON_CPU, OFF_CPU = " --state=user,system", " --state=runqueue,lock,fault,other"
TESTS = 8


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
    return Gdb(made, [str(rounds)]).run("prof-start --rate=1000 --output=" + file, "run", "prof-stop", TREE,
                                      FUNCTIONS, FUNCTIONS + ON_CPU, FUNCTIONS + OFF_CPU)


def times(text, name):
    """Seconds of the function NAME: wall, cpu, work, wait, and what is neither."""
    for row in rows(text):
        if row["name"] == name:
            found = {key[:-len("_inclusive")]: float(row[key] or 0) for key in row if key.endswith("_inclusive")}
            return (found["wall"], found["cpu"], found["omp-work"], found["omp-wait"],
                    found["omp-idle"] + found["omp-serial"])
    return (0, 0, 0, 0, 0)


def same(a, b):
    """Are A and B the same, but for how sums are rounded?"""
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-3)


def test_times(compiler, out):
    """Work and wait."""
    spun = [times(out[5], name) for name in (EXPLICIT, IMPLICIT)]
    ok(all(cpu > 0 and work == 0 and same(wait, cpu) for _, cpu, work, wait, _ in spun),
       compiler + ": threads that spin at a barrier wait", out[5])
    whole, busy = times(out[6], "<Total>"), times(out[6], "burn")
    ok(whole[2] == 0 and busy[1] == 0 and same(busy[3], busy[0]),
       compiler + ": parallel work that is not on a CPU is wait", out[6])
    parts = [times(text, "<Total>") for text in out[4:7]]
    ok(all(same(wall, sum(rest)) for wall, _, *rest in parts) and same(parts[0][0], parts[1][0] + parts[2][0]),
       compiler + ": work, wait, idle and serial time add up to all time", "".join(out[4:7]))


def test_condition(compiler, made):
    """A breakpoint waits for samples of a barrier, while these are made."""
    asks = '$_prof_inclusive("%s")' % EXPLICIT
    out = grown(lambda rounds: Gdb(made, [str(rounds)]).run(
        "prof-start --rate=1000", "break asked if %s > 20" % asks, "run", "print " + asks, "kill", "prof-stop"),
                lambda out: "hit Breakpoint" in out[2], 100)
    ok("hit Breakpoint" in out[2] and float(out[3].split("=")[-1]) > 20,
       compiler + ": conditions of breakpoints ask for waits", "".join(out))


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
    test_times(compiler, out)
    test_condition(compiler, made)
    os.rename(made, made + ".gone")
    again = Gdb().run("prof-load " + file, TREE)
    ok(rows(again[1]) == rows(out[3]) and rows(out[3]), compiler + ": the file knows it too", again[1] + out[3])
    os.rename(made + ".gone", made)
    bare, _ = build("barriers", compiler, folder, "-g0")
    out = grown(lambda rounds: record(bare, file, rounds), lambda out: enough(out[3]), 30)
    kinds = {name: set(found) for name, found in waits(out[3]).items()}
    # Most of gcc's calls are the same: only the source tells them apart.
    expected = dict(EXPECTED, asked={UNKNOWN}, looped={UNKNOWN}, single={UNKNOWN}) if compiler == "gcc" else EXPECTED
    ok(kinds == expected, compiler + ": without debugging information", "".join(out))


plan(len(COMPILERS) * TESTS)
scratch = tempfile.mkdtemp(prefix="gdbprof-barriers-")
for each_compiler in COMPILERS:
    test_compiler(each_compiler, scratch)
shutil.rmtree(scratch)
