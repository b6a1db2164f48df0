#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stacks of 2000 frames are whole by default, and say so when they are cut."""

from session import Gdb, grown, ok, plan, rows, total

ENOUGH = 200  # samples

plan(6)


def record(*options):
    """The functions and the tree of a recording with OPTIONS."""
    out = grown(lambda units: Gdb("deep", ["2000", str(units)]).run(
        "set prof max-stopped 100", " ".join(("prof-start --rate=1000",) + options), "run",
        "prof-stop", "prof-functions --format=csv", "prof-tree --format=csv --sort=inclusive"),
                lambda out: total(out[4]) > ENOUGH, 20000)
    return {row["name"]: float(row["inclusive"]) for row in rows(out[4])}, rows(out[5]), out


functions, tree, output = record()
whole = functions.get("<Total>", 0)
ok(whole > ENOUGH and functions.get("bottom", 0) > 0.9 * whole, "it is at the bottom nearly always",
   output[4])
ok("<Truncated-stack>" not in functions and "<Stack-unwind-failed>" not in functions,
   "the stacks are whole", output[4])
levels = [int(row["level"]) for row in tree if row["name"] == "deeper"]
first = next((int(row["level"]) for row in tree if row["name"] == "main"), 0)
ok(levels and max(levels) - first == 2000, "all 2000 frames are there", max(levels or [0]) - first)

functions, tree, output = record("--max-depth=100")
whole = functions.get("<Total>", 0)
ok(whole > ENOUGH and functions.get("<Truncated-stack>", 0) > 0.9 * whole,
   "cut at 100 frames, they begin at <Truncated-stack>", output[4])
ok("_start" not in functions or functions["_start"] < 0.1 * whole, "and have lost their roots",
   output[4])
deepest = max((int(row["level"]) for row in tree), default=0)
ok(deepest == 101 and functions.get("bottom", 0) > 0.9 * whole, "the innermost 100 are kept",
   deepest)
