#!/usr/bin/python3
"""C++: names are demangled, with their template arguments; exceptions and inlining do no harm."""

from session import Gdb, near, ok, plan, rows

plan(8)
out = Gdb("templates", ["6000"]).run(
    "set prof max-stopped 100", "prof-start --rate=1000", "run", "prof-stop",
    "prof-functions --format=csv", "prof-callers unit --format=csv",
    "prof-tree --format=csv --sort=inclusive")
functions = {row["name"]: row for row in rows(out[4])}
shares = {name: float(row["inclusive_percent"]) for name, row in functions.items()}
total = float(functions["<Total>"]["inclusive"]) if functions else 0


def named(*words):
    """The share of the function whose name has all WORDS, blanks aside."""
    found = [name for name in shares if all(word in name.replace(" ", "") for word in words)]
    return shares[found[0]] if len(found) == 1 else -1


ok("caught 6000" in out[2] and "exited normally" in out[2], "the program is right", out[2])
ok(total > 1500, "there are enough samples", out[3])
ok(near(named("shapes::Grid<double,4>::total"), 50, total), "a member of one instance", out[4])
ok(near(named("shapes::Grid<unsignedlong,16>::total"), 30, total), "and of another", out[4])
ok(all(near(named("throw_from<%d>" % depth), 20, total) for depth in range(6)) and
   near(shares.get("catch_it", shares.get("catch_it(int)", 0)), 20, total),
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
