#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments added up and compared; fragments of stacks in what a program has really done."""

import collections
import json
import os
import re
import tempfile

from session import Gdb, missed, ok, plan, rows


def inclusive(text):
    """{name: inclusive CPU time in seconds}; functions of one name are added up."""
    times = collections.defaultdict(float)
    for row in rows(text):
        times[row["name"]] += float(row["inclusive"])
    return times


def panel(text):
    """[(role, name, attributed)]"""
    return [(row["role"], row["name"], row["attributed"]) for row in rows(text)]


def used(text):
    """{name: CPU time in seconds}, as the program says in TEXT."""
    return {name: float(time) for name, time in re.findall(r"(first|second|third) ([0-9.]+)", text)}


def close(found, expected):
    """Is FOUND the CPU time EXPECTED, but for what two neighbours may have of each other's?"""
    return abs(found - expected) <= 0.05 + 0.1 * abs(expected) + lost


def changes(text, what):
    """{name: (A, B, difference, ratio)} of WHAT; functions of one name are the last of them."""
    return {row["name"]: tuple(float(row["%s_%s" % (what, part)] or "nan")
                               for part in ("a", "b", "difference", "ratio")) for row in rows(text)}


def record(before, after, wall):
    """Two runs of known work, and one by the wall clock, saved: what was printed, and the seconds
    that have no samples.  Once more where there are many, or where a run had more than it was to have:
    a virtual machine stood still, or GDB had no CPU."""
    for _ in range(8):
        for path in before, after, wall:
            if os.path.exists(path):
                os.remove(path)
        out = Gdb("change").run(
            "set prof max-stopped 100",
            "prof-start --rate=1000", "run 1800 600 0", "prof-stop", "prof-save " + before, LIST,
            "prof-start --rate=1000", "run 600 600 600", "prof-stop", "prof-save " + after, LIST,
            "prof-start --rate=1000 --clock=wall", "run 1 1 1", "prof-stop", "prof-save " + wall)
        seconds = missed(out[3]) + missed(out[8])
        if seconds < 0.3 and sum(used(out[2] + out[7]).values()) < 4.3:
            break
    return out, seconds


LIST = "prof-functions --metric=i.cpu --format=csv"
plan(21)
with tempfile.TemporaryDirectory() as directory:
    before, after, total, wall, folded = (os.path.join(directory, name) for name in (
        "before.prof", "after.prof", "total.prof", "wall.prof", "more.folded"))
    with open(folded, "w", encoding="ascii") as file:
        file.write("main;step;first 1000000\n")
    out, lost = record(before, after, wall)
    one, other = inclusive(out[5]), inclusive(out[10])
    had, then = used(out[2]), used(out[7])
    said = out[2] + out[5] + out[7] + out[10]
    ok(had and then and close(one.get("first", 0), had["first"]) and close(other.get("first", 0), then["first"]) and
       "third" not in one and close(other.get("third", 0), then["third"]), "two runs differ as they should",
       said)

    out = Gdb().run(
        "prof-load %s %s" % (before, after), LIST, "prof-status", "prof-intervals --format=csv",
        "prof-callers --metric=cpu --format=csv step first", "prof-save " + total,
        "prof-load " + total, LIST, "prof-load %s %s" % (before, wall), "prof-functions --limit=2",
        "prof-load %s %s" % (before, folded), "prof-functions --limit=2",
        "prof-callers first step", "prof-load %s %s" % (before, directory + "/none"),
        "prof-load", "prof-status")
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
       close(float(lines[0][2]), had["first"] + then["first"]), "a fragment has its callers and callees", out[4])
    ok(inclusive(out[7]) == both, "a sum can be saved", out[7])
    ok('clocks "cpu" and "wall" cannot be added up' in out[8] and "The sum of 2" in out[9],
       "what cannot be added up is refused, and what was at hand stays", out[8] + out[9])
    ok("The sum of 2 experiments." in out[11] and "Rate: 1000 Hz" in out[15],
       "weights that were imported can be added", out[11])
    ok('No stack has these functions in a row: "first", "step".' in out[12],
       "a fragment that no stack has is said to be none", out[12])
    ok("none" in out[13] and "needs an argument" in out[14] and "The sum" not in out[14],
       "so are missing files", out[13] + out[14])

    compare = "prof-compare %s %s --metric=cpu " % (before, after)
    out = Gdb().run(
        compare + "--format=csv --sort=inclusive", compare + "--normalize --format=csv",
        compare + "--view=callers --format=csv step first",
        compare + "--view=tree --format=csv --min-percent=5 --collapse=full", compare + "--limit=4",
        compare + "--format=json --output=%s/out.json" % directory,
        compare + "--function=third --format=csv --limit=1", compare + "step",
        "prof-compare " + before, compare + "--view=lines", "prof-compare %s none" % before,
        "prof-compare %s %s --function=nobody" % (before, after), "prof-functions",
        "prof-compare %s %s --metric=cpu --format=csv" % (after, before),
        "prof-compare %s %s --metric=cpu --format=csv --sort=inclusive" % (before, before))
    inc, said = changes(out[0], "inclusive"), out[0]
    more = {name: then[name] - had[name] for name in had}
    ok(all(close(inc[name][2], more[name]) for name in more),
       "the known change shows as it is", said)
    ok(0.1 < inc["first"][3] < 0.7 and inc["third"][3] != inc["third"][3] and
       inc["third"][0] == 0 and abs(inc["first"][1] / inc["first"][0] - inc["first"][3]) < 1e-9,
       "so does the ratio, which new functions have not", said)
    ok([name for name in inc if name in ("first", "second", "third")] == [
        "first", "third", "second"], "what changed most stands first", said)
    share, own = changes(out[1], "inclusive"), changes(out[1], "exclusive")
    parts = [100 * run["first"] / sum(run.values()) for run in (had, then)]
    ok(own["<Total>"][:3] == (100, 100, 0) and
       all(abs(a - b) < 10 + 50 * lost for a, b in zip(share["first"], parts)), "shares are compared if wanted", out[1])
    callers = {row["role"] + " " + row["name"]: row for row in rows(out[2])}
    ok(list(callers) == ["caller main", "fragment step", "self first", "callee burn"] and
       close(float(callers["caller main"]["attributed_difference"]), more["first"]),
       "callers of a fragment can be compared", out[2])
    tree = [(row["level"], row["name"]) for row in rows(out[3])]
    level = {name: int(number) for number, name in tree}
    children = [name for _, name in tree if name in ("first", "second", "third")]
    ok(level["step"] == level["main"] + 1 and level["first"] == level["step"] + 1 and
       children == ["first", "third", "second"], "and call trees", out[3])
    ok("A: %s; CPU time: " % before in out[4] and out[4].count("Rate: 1000 Hz asked for") == 2 and
       "B / A" in out[4] and out[4].splitlines()[-4].endswith("<Total>"),
       "text says what was compared with what", out[4])
    with open(directory + "/out.json", encoding="ascii") as file:
        data = json.load(file)
    ok(data["view"] == "compare" and data["a"]["file"] == before and
       close(data["b"]["total"], sum(then.values())) and data["rows"][0]["name"] == "<Total>",
       "json has it too", data)
    only = changes(out[6], "inclusive")["<Total>"]
    ok(only[0] == 0 and close(only[1], then["third"]), "a filter is for both, and one may have none", out[6])
    ok('leave out "step"' in out[7] and "needs two files" in out[8] and
       '"lines"' in out[9] and "none" in out[10] and 'no function "nobody"' in out[11] and
       "There is nothing to show" in out[12],
       "what makes no sense is refused, and nothing is at hand after", "".join(out[7:13]))
    back, same = changes(out[13], "inclusive"), changes(out[14], "inclusive")
    ok(back["first"][2] == -inc["first"][2] and
       all(difference == 0 for _, _, difference, _ in same.values()),
       "the other way around the changes are opposite, and with itself there are none",
       out[13] + out[14])
