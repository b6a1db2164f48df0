#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A recursive program's known proportions are found, in every view."""

from session import Gdb, grown, near, ok, plan, rows, total

DEGREES = ("none", "direct", "conservative", "full")

ENOUGH = 2000  # samples

plan(16)
out = grown(lambda rounds: Gdb("shares", [str(rounds)]).run(
    "set prof max-stopped 100", "prof-start --rate=1000", "run", "prof-stop",
    "prof-functions --format=csv", "prof-gprof --graph --format=csv",
    "prof-callers unit --format=csv", "prof-callers recurse --format=csv",
    *("prof-tree --format=csv --collapse=" + degree for degree in DEGREES)),
            lambda out: total(out[4]) > ENOUGH, 1000)

functions = {row["name"]: row for row in rows(out[4])}
every = total(out[4])


def share(row, column):
    """What ROW has in COLUMN, in percent of all."""
    return 100 * float(row[column] or 0) / max(every, 1)


def all_near(found, expected, name, details):
    """Is each of the shares FOUND, a dictionary, as EXPECTED?"""
    wrong = {key: found.get(key) for key, value in expected.items()
             if key not in found or not near(found[key], value, every)}
    ok(not wrong, name, "%s\n%s" % (wrong, details))


ok(every > ENOUGH and "exited normally" in out[2], "there are enough samples", out[2] + out[3])
all_near({name: share(row, "inclusive") for name, row in functions.items()},
         {"main": 100, "recurse": 50, "even": 30, "odd": 25, "plain": 20, "unit": 100},
         "inclusive shares of functions", out[4])
all_near({name: share(row, "exclusive") for name, row in functions.items()},
         {"main": 0, "recurse": 0, "even": 0, "plain": 0, "unit": 100},
         "exclusive shares of functions", out[4])

# All is in unit: what it got from whom is what they did themselves.
callers = {row["name"]: share(row, "attributed") for row in rows(out[6]) if row["role"] == "caller"}
all_near(callers, {"recurse": 50, "even": 15, "odd": 15, "plain": 20}, "shares of callers", out[6])
ok(abs(sum(callers.values()) - share(functions.get("unit", {"inclusive": 0}), "inclusive")) < 1e-6,
   "the callers add up to the inclusive share", out[6])
panel = {(row["role"], row["name"]): float(row["attributed"]) for row in rows(out[7])}
ok(panel.get(("callee", "unit"), 0) + panel.get(("self", "recurse"), 0) ==
   float(functions["recurse"]["inclusive"]) and
   panel.get(("caller", "main"), 0) < 0.01 * every,
   "the recursion is its own caller, and its callees add up", out[7])

graph = rows(out[5])
whole = [row for row in graph if row["role"] == "primary" and row["name"].startswith("<cycle")]
ok(len(whole) == 1 and near(float(whole[0]["percent"]), 30, every), "one cycle, with its share",
   out[5])
members = {row["name"] for row in graph if row["role"] == "member"}
ok(members == {"even", "odd"}, "even and odd are its members", out[5])
primary = {row["name"]: row for row in graph if row["role"] == "primary"}
all_near({name: share(row, "self") for name, row in primary.items() if row["self"]},
         {"main": 0, "recurse": 0, "unit": 100}, "self in gprof's graph", out[5])


def paths(text):
    """The shares of a tree's rows, by their names from main on, joined."""
    found = {}
    stack = []
    for row in rows(text):
        del stack[int(row["level"]) - 1:]
        stack.append(row["name"] + ("..." if row["stub"] == "1" else ""))
        path = "/".join(stack)
        if "/main/" in path:
            found[path.split("/main/", 1)[1]] = 100 * (
                float(row["direct"] or 0) + float(row["indirect"] or 0)) / max(every, 1)
    return found


trees = {degree: paths(out[8 + i]) for i, degree in enumerate(DEGREES)}
plain = {"recurse": 50, "even": 30, "even/odd": 25, "plain": 20, "plain/unit": 20, "even/unit": 5}
all_near(trees["none"], dict(plain, **{
    "recurse/recurse/recurse/unit": 50, "even/odd/even/odd/even/odd/unit": 5}),
         "tree, not collapsed", out[8])
all_near(trees["direct"], dict(plain, **{
    "recurse/unit": 50, "recurse/recurse...": 0, "even/odd/even/odd/even/odd/unit": 5}),
         "tree, direct recursion collapsed", out[9])
all_near(trees["conservative"], {
    "recurse": 50, "plain/unit": 20, "recurse/unit": 50, "even": 30, "even/odd": 25,
    "even/odd/even": 20, "even/odd/unit": 15, "even/odd/even/unit": 10, "even/odd/even/odd...": 0,
    "even/unit": 5}, "tree, collapsed conservatively", out[10])
all_near(trees["full"], {
    "recurse": 50, "plain/unit": 20, "recurse/unit": 50, "even": 30, "even/unit": 15,
    "even/odd": 25, "even/odd/unit": 15, "even/odd/even...": 0},
         "tree, fully collapsed", out[11])
ok("recurse..." not in "".join(trees["none"]) and
   all(any("recurse..." in path for path in trees[degree]) for degree in DEGREES[1:]),
   "a stub where recursion was collapsed, and only there")
ok(all(abs(sum(float(row["in_only"]) for row in rows(out[8 + i]) if row["in_only"]) - every) < 0.5
       for i in range(4)), "in every tree the rows' own samples add up to all", out[8])
ok("<Stack-unwind-failed>" not in out[4] and all(
    float(row["direct"]) / max(every, 1) < 0.01
    for row in rows(out[8]) if row["level"] == "1" and not row["name"].startswith("_start")),
   "all stacks are whole", out[8])
