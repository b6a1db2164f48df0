#!/usr/bin/python3
"""Experiments added up; fragments of stacks in what a program has really done."""

import collections
import os
import tempfile

from session import Gdb, ok, plan, rows


def inclusive(text):
    """{name: inclusive CPU time in seconds}; functions of one name are added up."""
    times = collections.defaultdict(float)
    for row in rows(text):
        times[row["name"]] += float(row["inclusive"])
    return times


def panel(text):
    """[(role, name, attributed)]"""
    return [(row["role"], row["name"], row["attributed"]) for row in rows(text)]


def close(found, expected):
    """Is FOUND the CPU time EXPECTED, but for what two neighbours may have of each other's?"""
    return abs(found - expected) <= 0.05 + 0.1 * abs(expected)


LIST = "prof-functions --metric=i.cpu --format=csv"
plan(10)
with tempfile.TemporaryDirectory() as directory:
    before, after, total, wall, folded = (os.path.join(directory, name) for name in (
        "before.prof", "after.prof", "total.prof", "wall.prof", "more.folded"))
    with open(folded, "w", encoding="ascii") as file:
        file.write("main;step;first 1000000\n")
    out = Gdb("change").run(
        "set prof max-stopped 100",
        "prof-start --rate=1000", "run 600 200 0", "prof-stop", "prof-save " + before, LIST,
        "prof-start --rate=1000", "run 200 200 300", "prof-stop", "prof-save " + after, LIST,
        "prof-start --rate=1000 --clock=wall", "run 1 1 1", "prof-stop", "prof-save " + wall)
    one, other = inclusive(out[5]), inclusive(out[10])
    said = out[5] + out[10]
    ok(close(one.get("first", 0), 0.6) and close(other.get("first", 0), 0.2) and
       "third" not in one and close(other.get("third", 0), 0.3), "two runs differ as they should",
       said)

    out = Gdb().run(
        "prof-load %s %s" % (before, after), LIST, "prof-status", "prof-intervals --format=csv",
        "prof-callers --metric=cpu --format=csv step first", "prof-save " + total,
        "prof-load " + total, LIST, "prof-load %s %s" % (before, wall), "prof-functions --limit=2",
        "prof-load %s %s" % (before, folded), "prof-functions --limit=2",
        "prof-callers first step", "prof-load %s %s" % (before, directory + "/none"),
        "prof-load")
    both = inclusive(out[1])
    ok(both.keys() == one.keys() | other.keys() and all(
        abs(both[name] - one.get(name, 0) - other.get(name, 0)) < 1e-6 for name in both),
       "every figure of a sum is the sum of the figures", said + out[1])
    ok("The sum of 2 experiments." in out[2] and "2 threads" in out[2], "it says what it is", out[2])
    labels = [(row["start_label"], row["end_label"]) for row in rows(out[3])]
    ok(labels.count(("start", "exit")) == 2 and ("end", "start") in labels,
       "the intervals follow each other", out[3])
    lines = panel(out[4])
    ok([(role, name) for role, name, _ in lines] == [
        ("caller", "main"), ("fragment", "step"), ("self", "first"), ("callee", "burn")] and
       close(float(lines[0][2]), 0.8), "a fragment has its callers and callees", out[4])
    ok(inclusive(out[7]) == both, "a sum can be saved", out[7])
    ok('clocks "cpu" and "wall" can\'t be added up' in out[8] and "The sum of 2" in out[9],
       "what can't be added up is refused, and what was at hand stays", out[8] + out[9])
    ok("The sum of 2 experiments." in out[11] and "Rate: 1000 Hz" in out[11],
       "weights that were imported can be added", out[11])
    ok('No stack has these functions in a row: "first", "step".' in out[12],
       "a fragment that no stack has is said to be none", out[12])
    ok("none" in out[13] and "needs an argument" in out[14] and "The sum" not in out[14],
       "so are missing files", out[13] + out[14])
