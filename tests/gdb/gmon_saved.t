#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of other tools are saved, loaded and added up: those of callgrind, and a gmon.out with its program's symbols."""

import filecmp
import os
import shutil
import subprocess
import tempfile

from answers import says
from session import TOP, Gdb, ok, plan, program

GNU = "gprof --style=gnu "
# Each program, its arguments, and ways to print it that differ for it.
PROGRAMS = [
    ("calls-pg", ["several", "4"], [
        GNU + "--cut=three_z/three_x", GNU + "--cut=calls.c:three_y/leaf", GNU + "--only=ping",
        GNU + "--only-time=side", GNU + "--without=calls.c:", GNU + "--without-time=three_x",
        GNU + "--line --cut=calls.c:120/", GNU + "--only=nobody", "gprof --cut=ping/pong"]),
    ("templates-pg", ["200"], [GNU + "--without=main", GNU + "--line --only=main"]),
    ("pictures-static-pg", ["3"], [GNU + "--only=read_back", GNU + "--without=stb_image.h"]),
]
# What is printed of each: some needs stacks, and says so.
VIEWS = [GNU, GNU + "--all", GNU + "--flat", GNU + "--graph", GNU + "--limit=3", GNU + "--line",
         GNU + "--line --all", "gprof", "gprof --flat", "gprof --graph", "gprof --format=csv --graph",
         "gprof --format=json --flat", "gprof --all", "gprof --metric=cpu", "gprof --leaf=main",
         "status", "functions", "callers", "tree", "hot", "lines", "objects", "pcs", "source main",
         "disas main", "metrics", "intervals", "overview", "threads", "processes", "phases", "flame",
         "leaks", "allocs", "heap", "locks", "messages", "traces", "data", "export --format=folded file"]


def answers(exe, files, commands):
    """What GDB prints to each of COMMANDS once it has loaded FILES, and what it says to that."""
    out = Gdb(exe).run("prof-load " + files, *("prof-" + command for command in commands))
    return out[0], out[1:]


def record(name, args, into="gmon.out"):
    """Runs the program, which is "exe" for a while."""
    shutil.copy(program(name), "exe")
    subprocess.run(["./exe"] + args, stdout=subprocess.DEVNULL, check=True)
    if into != "gmon.out":
        os.rename("gmon.out", into)


def test_same():
    for name, args, ways in PROGRAMS:
        record(name, args)
        before = answers(None, "gmon.out exe", VIEWS + ways + ["export --format=json before", "save x.prof"])[1]
        os.remove("exe")
        os.remove("gmon.out")
        loaded, after = answers(None, "x.prof", VIEWS + ways + ["export --format=json after"])
        ok(filecmp.cmp("before", "after", shallow=False) and os.path.getsize("after") > 10000,
           name + ": json has the same")
        ok("x.prof is written" in before[-1] and not loaded.strip(), name + " is saved and loaded",
           before[-1] + loaded)
        for what, was, now in zip(VIEWS + ways, before, after):
            ok(len(was) > 20 and was == now and "Undefined" not in was, "%s: prof-%s" % (name, what), was + "---\n" + now)


def test_sums():
    shown = [GNU, GNU + "--line --all", "gprof"]
    record("calls-pg", ["several", "4"], "gmon.1")
    record("calls-pg", ["chain", "6"], "gmon.2")
    answers(None, "gmon.1 exe", ["save 1.prof"])
    answers(None, "gmon.2 exe", ["save 2.prof"])
    expected = answers(None, "gmon.1 gmon.2 exe", shown)[1]
    for files in ("1.prof 2.prof", "1.prof gmon.2", "gmon.1 2.prof", "1.prof gmon.2 exe"):
        ok(answers(None, files, shown)[1] == expected, "the sum of %s" % files)
    out = answers(None, "1.prof 2.prof", ["save sum.prof"])[1]
    ok("sum.prof is written" in out[0] and answers(None, "sum.prof", shown)[1] == expected, "a sum is saved", out[0])
    ok(answers(program("templates-pg"), "1.prof gmon.2", shown)[1] == expected,
       "the saved program is taken, not GDB's")
    record("templates-pg", ["200"], "gmon.3")
    answers(None, "gmon.3 exe", ["save 3.prof"])
    said = answers(None, "1.prof 3.prof", [])[0]
    ok(says(said, '"gmon.3"', "cannot be added", "another program"), "other programs are not added", said)
    said = answers(None, "1.prof gmon.2 exe", [])[0]
    ok(says(said, '"exe"', "is not the one"), "nor is another program taken", said)
    with open("stacks", "w") as file:
        file.write("main;f 1\n")
    said = answers(None, "1.prof stacks", [])[0]
    ok(says(said, "gmon.out", "no stacks"), "stacks are another thing", said)


def test_costs():
    """A callgrind file has costs of lines and of calls, and no stacks."""
    shown = ["gprof", "gprof --line", "callers", "functions", "lines", "tree"]
    shutil.copy(os.path.join(TOP, "tests/fuzz/corpus/callgrind/small"), "costs")
    before = answers(None, "costs", shown + ["save costs.prof"])[1]
    loaded, after = answers(None, "costs.prof", shown)
    ok(before[-1].strip() == "costs.prof is written." and not loaded.strip() and before[:-1] == after,
       "callgrind's costs are saved", loaded + "".join(after))
    ok("main" in after[0] and "puts" in after[0] and says(after[-1], "prof-tree", "stacks"),
       "prof-gprof shows them, and what needs stacks says so", after[0] + after[-1])
    expected = answers(None, "costs costs", shown)[1]
    for files in ("costs.prof costs", "costs costs.prof"):
        ok(answers(None, files, shown)[1] == expected and expected[0] != before[0], "the sum of %s" % files)


plan(sum(2 + len(VIEWS) + len(ways) for _, _, ways in PROGRAMS) + 13)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    test_same()
    test_sums()
    test_costs()
    os.chdir("/")
