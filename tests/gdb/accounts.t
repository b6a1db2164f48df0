#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""User and system time are what the kernel accounts them to be, whatever has caused them, and the program has
no time while GDB works."""

import re

from session import Gdb, engines, ok, plan, rows


def total(text):
    """The metric of all in TEXT, a table of functions."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}.get("<Total>", 0)


def check(engine, kind):
    out = Gdb("faults", ["1", kind]).run(
        "prof-start --rate=200 --engine=" + engine, "run", "prof-stop",
        "prof-functions --format=csv --metric=user", "prof-functions --format=csv --metric=system")
    said = re.search(r"user ([0-9.]+) system ([0-9.]+)", out[1])
    said = [float(number) for number in said.groups()] if said else [0, 0]
    found = [total(out[3]), total(out[4])]
    whole = sum(said)
    ok(whole > 0.75 and all(abs(a - b) < 0.05 * whole for a, b in zip(said, found)),
       "%s, %s: user and system time" % (engine, kind), "%s of %s\n%s" % (found, said, out[2]))


def check_held(engine):
    """GDB takes long to decide that the program need not stop, and seems to wait for events meanwhile."""
    out = Gdb("phases", ["100"]).run(
        "python import select; held = []",
        "python slow = {'stop': lambda self: held.append(0.8) or bool(select.select([], [], [], 0.8)[0])}",
        "python type('Slow', (gdb.Breakpoint,), slow)('main')", "prof-start --engine=" + engine, "run",
        "prof-overview --format=csv", "python print(sum(held))")
    whole = rows(out[5])[0]
    stood = float(whole["duration"]) - float(whole["running"])
    ok(float(out[6]) == 0.8 and stood > 0.6, "%s: GDB's work is not the program's time" % engine,
       "%s\n%s" % (whole, out[6]))


ENGINES = engines()
plan(4 * len(ENGINES))
for engine in ENGINES:
    check_held(engine)
    for kind in ("faults", "calls", "mixed"):
        check(engine, kind)
