#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""C++: names are demangled, with their template arguments, and may be typed as for GDB's break;
exceptions and inlining do no harm."""

import re

from session import Gdb, grown, near, ok, plan, rows, total

ENOUGH = 1500  # samples

plan(18)
caught, out = grown(lambda rounds: ("caught %d," % rounds, Gdb("templates", [str(rounds)]).run(
    "set prof max-stopped 100", "prof-start --rate=1000", "run", "prof-stop",
    "prof-functions --format=csv", "prof-callers unit --format=csv",
    "prof-tree --format=csv --sort=inclusive",
    # Names without what C++ adds to them: overloads, instances, trailing parts.
    "prof-callers catch_it --format=csv", "prof-callers Grid::total --format=csv",
    "prof-callers 'catch_it(long)' --format=csv", "prof-callers main catch_it catch_it --format=csv",
    "prof-functions --format=csv --function=throw_from",
    "prof-functions --format=csv --leaf=work --not-function=shapes::Grid::total",
    *("output $_prof_inclusive(\"%s\")" % name for name in (
        "throw_from", "throw_from<5>", "catch_it", "catch_it(long)", "total", "total(int)", "otal")),
    "output $_prof_exclusive(\"throw_from\")",
    "prof-source Grid<double,4>::total --format=csv", "prof-disas catch_it --format=csv",
    "prof-callers otal")), lambda got: total(got[1][4]) > ENOUGH, 800)
functions = {row["name"]: row for row in rows(out[4])}
shares = {name: float(row["inclusive_percent"]) for name, row in functions.items()}
whole = total(out[4])


def named(*words):
    """The share of the function whose name has all WORDS, blanks aside."""
    found = [name for name in shares if all(word in name.replace(" ", "") for word in words)]
    return shares[found[0]] if len(found) == 1 else -1


ok(caught in out[2] and "exited normally" in out[2], "the program is right", out[2])
ok(whole > ENOUGH, "there are enough samples", out[3])
ok(near(named("shapes::Grid<double,4>::total"), 50, whole), "a member of one instance", out[4])
ok(near(named("shapes::Grid<unsignedlong,16>::total"), 30, whole), "and of another", out[4])
ok(all(near(named("throw_from<%d>" % depth), 20, whole) for depth in range(6)) and
   near(shares.get("catch_it", shares.get("catch_it(int)", 0)), 20, whole),
   "recursion by template arguments, which are told apart", out[4])
unit = next((name for name in shares if name.split("(")[0] == "unit"), None)
ok(unit and shares[unit] > 85, "what was inlined is shown", out[4])
callers = {row["name"].replace(" ", ""): row for row in rows(out[5]) if row["role"] == "caller"}
ok(any("Grid<double,4>" in name for name in callers) and
   any("throw_from<0>" in name for name in callers), "and in whom", out[5])
failed = shares.get("<Stack-unwind-failed>", 0)
roots = sum(float(row["percent"]) for row in rows(out[6])
            if row["level"] == "1" and row["name"] == "_start")
ok(failed < 0.5 and roots > 99, "the stacks are whole, those of the unwinder too", out[6])


def focuses(text):
    """The functions that have a panel, each once."""
    return list(dict.fromkeys(row["focus"].replace(" ", "") for row in rows(text)))


def number(text):
    return float(re.sub("[^0-9.]", "", text) or "nan")


ok(sorted(focuses(out[7])) == ["catch_it(int)", "catch_it(long)"],
   "a name without parameters is that of all overloads", out[7])
ok(len(focuses(out[8])) == 2 and all("shapes::Grid<" in name for name in focuses(out[8])),
   "the end of a qualified name will do, and is that of all instances", out[8])
ok(focuses(out[9]) == ["catch_it(long)"], "a whole name is that one", out[9])
ok(("self", "catch_it") in [(row["role"], row["name"]) for row in rows(out[10])] and
   ("caller", "_start") not in [(row["role"], row["name"]) for row in rows(out[10])] and
   any("throw_from<5>" in row["name"] for row in rows(out[10])),
   "parts of a fragment may be any of them", out[10])
filtered = {row["name"]: float(row["inclusive"]) for row in rows(out[11])}
counts = {name: float(row["inclusive"]) for name, row in functions.items()}
deep, long = counts.get("throw_from<5>(int)", 0), counts.get("catch_it(long)", 0)
thrown = filtered.get("<Total>", 0)
ok(deep and abs(thrown - deep) <= whole / 100, "filters take such names", out[11])
names = {row["name"] for row in rows(out[12])}
ok("work()" in names and "catch_it(int)" in names and not any("Grid" in name for name in names),
   "so do those of leaves, and of what is to be left out", out[12])
told = [number(text) for text in out[13:17]]
ok(told[:2] == [thrown, deep] and abs(told[2] - long) <= whole / 100 and told[3] == long,
   "$_prof_inclusive of several functions counts each sample once", (out[13:17], thrown, deep, long))
grids = sum(counts[name] for name in counts if "::total" in name)
own = sum(float(row["exclusive"]) for name, row in functions.items() if "throw_from<" in name)
ok([number(text) for text in out[17:21]] == [grids, grids, 0, own],
   "and is that of the end of a name, but not of half a word", (out[17:21], grids, own))
ok("Grid<double, 4>::total" in out[21] and "unsigned" not in out[21] and
   "<Function: catch_it(int)>" in out[22] and "<Function: catch_it(long)>" in out[22],
   "views of code take them", out[21] + out[22])
ok('No function "otal" is in any stack; similar:' in out[23], "what is none is said to be none",
   out[23])
