#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job: sample a program, and show its tree, its functions and its call graph."""

from session import Gdb, grown, ok, plan, rows, total

plan(6)
out = grown(lambda amount: Gdb("shares", [str(amount)]).run(
    "prof-start --rate=1000", "run", "prof-stop", "prof-functions --format=csv",
    "prof-tree --collapse=full --format=csv", "prof-gprof --graph --format=csv"),
            lambda out: total(out[3]) > 100, 1000)

ok("Recording at 1000 Hz" in out[0], "says that it records", out[0])
ok("exited normally" in out[1], "the program runs to its end", out[1])
ok("Hz reached" in out[2], "says what was reached", out[2])
functions = {row["name"]: row for row in rows(out[3])}
ok(functions.get("main") and float(functions["main"]["inclusive_percent"]) > 90,
   "main has nearly all", out[3])
tree = rows(out[4])
ok(any(row["stub"] == "1" and row["name"] == "recurse" for row in tree),
   "the recursion is a stub", out[4])
graph = rows(out[5])
ok(any(row["role"] == "primary" and row["cycle"] == "1" for row in graph),
   "there is a cycle", out[5])
