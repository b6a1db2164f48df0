#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hot path: alone with its lines of source, and marked in the tree, which has chains in one row on the screen."""

import os
import re
import tempfile

from session import BUILD, TOP, Gdb, again, ok, plan, rows

SOURCE = open(os.path.join(TOP, "examples", "recursion.c"), encoding="utf-8").read().splitlines()


def record():
    return Gdb(os.path.join(BUILD, "examples", "recursion")).run(
        "set width 80", "prof-start --rate=1000", "run", "prof-stop", "prof-hot", "prof-hot --format=csv",
        "prof-tree", "prof-tree --columns=raw --sort=first", "prof-tree --format=csv", "prof-hot --output=%s/hot" % place,
        "prof-tree --output=%s/tree" % place, "prof-tree --limit=1", "prof-hot --metric=bogus")[4:]


def samples(text, name):
    """The samples of the function NAME on the path that is TEXT."""
    return next((float(row["in_or_under"]) for row in rows(text) if row["name"] == name), 0)


plan(10)
with tempfile.TemporaryDirectory() as place:
    text, csv, tree, raw, listed, _, _, one, wrong = again(record, lambda out: samples(out[1], "work") > 100)
    path = [row["name"] for row in rows(csv)]
    main, refine = path.index("main"), path.index("refine")
    ok(main < refine < path.index("work") == path.index("work"), "main refines, and that works", csv)
    row = rows(csv)[main]
    ok("refine(" in row["source"] and row["source"].strip() == SOURCE[int(row["line"]) - 1].strip(),
       "a row has the line that calls the next function", row)
    ok(re.search(r"^ +\d+ +\d+\.\d\d +main at recursion\.c:%s\n +%s +refine\(" % (row["line"], row["line"]), text, re.M),
       "text has it below the function", text)
    ok(re.search(r"^ +\d+\.\d\d +\d+ +sum = sum \* 31", text, re.M), "the last function has its own lines", text)
    ok("cannot be read" not in text and not [line for line in text.splitlines() + tree.splitlines() if len(line) > 80],
       "it fits 80 columns", text)
    total = max(int(row["direct"]) for row in rows(listed) if row["name"] == "main")
    chains = re.sub(r" >\n +", " > ", tree)
    ok(re.search(r"^ +%d +[\d.]+ +\* +1 +_start > .* > main$" % total, chains, re.M), "a chain is in one row of the tree", tree)
    ok([line for line in tree.splitlines() if re.search(r" \* +\d+ +refine", line)], "the hot path is marked", tree)
    ok(re.search(r"^ *%d +0 +4 +main$" % total, raw, re.M) and "Hot" not in raw, "--columns=raw has each function in a row", raw)
    with open(place + "/tree", encoding="utf-8") as file:
        ok("Raw Count" in file.read(), "a file has raw counts")
    ok("no metric" in wrong and one.count("*") == 1, "errors, and limits", wrong + one)
