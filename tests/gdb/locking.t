#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that GDB holds back, and steps over breakpoints, while the program is sampled."""

import re

from session import Gdb, again, gdb_version, grown, ok, plan, rows, skip

VIEW = "prof-functions --format=csv --limit=0"


def table(text):
    """The inclusive metric of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text) if row["inclusive"]}


def test_locking(engine):
    """Of five threads that compute one alone goes on."""
    what = engine + ", scheduler-locking: "
    out = again(lambda: Gdb("leaving", ["spin"]).run(
        "set prof max-stopped 100", "break before", "run > /dev/null", "continue",
        "prof-start --rate=1000 --engine=" + engine, "set scheduler-locking on", "continue",
        "continue", VIEW, VIEW + " --metric=wall", "set scheduler-locking off", "continue",
        "continue", VIEW, "set scheduler-locking step", "next", "next", "prof-stop", "info threads"),
                lambda out: table(out[8]).get("before", 0) > 50 and table(out[13]).get("burner", 0) > 50)
    alone, wall, both = table(out[8]), table(out[9]), table(out[13])
    ok("before ()" in out[7] and alone.get("before", 0) > 50, what + "it is sampled", out[8])
    # A tick may have been under way for each, from before.
    ok(alone.get("burner", 0) <= 4, what + "the others are not", out[8])
    ok(wall.get("burner", 0) < 0.2 * wall.get("before", 0), what + "nor does time pass for them",
       out[9])
    ok(both.get("burner", 0) > 50, what + "until they go on", out[13])
    ok("Rate" in out[17] and out[18].count("leaving") >= 5, what + "no thread is lost",
       "\n".join(out[14:]))


def test_stepping(engine, displaced):
    """Each thread steps over a breakpoint that never stops it, in place or displaced."""
    what = "%s, displaced-stepping %s: " % (engine, displaced)
    if displaced != "on" and gdb_version() < 13:
        skip(2, what + "every thread gets on", "GDB before 13 can hang when a thread is in vfork()")
        return

    def sampled(out):
        found = re.search(r"(\d+) samples", out[7])
        return int(found.group(1)) if found else 0

    # A step of one instruction that the catch engine's tick ends is GDB's to make again.
    out = grown(lambda units: Gdb("storm", [str(units)]).run(
        "set prof max-stopped 100", "set displaced-stepping " + displaced, "break brief if 0",
        "break unit if seed == 1000000", "prof-start --rate=1000 --engine=" + engine, "run",
        "info breakpoints", "prof-stop"), lambda out: sampled(out) > 20, 300)
    ok("exited normally" in out[5] and "failed" not in out[5] and "received" not in out[5],
       what + "every thread gets on", "\n".join(out))
    ok(sampled(out) > 20, what + "and is sampled", out[7])


def test_main(engine):
    """The main thread alone goes on, and ends: GDB learns of that by no event of its own."""
    out = Gdb("leaving", ["main", "2"], timeout=60).run(
        "set prof max-stopped 100", "break before", "run", "prof-start --rate=1000 --engine=" + engine,
        "set scheduler-locking on", "continue", "info threads")
    ok("No unwaited-for children left" in out[5] and len(re.findall(r"^\s+\d+\s", out[6], re.M)) == 2,
       engine + ": the end of the main thread, which alone goes on, is seen", "\n".join(out))


plan(2 * 5 + 3 * 2 + 2)
for name in "stop", "catch":
    test_locking(name)
for setting in "on", "off", "auto":
    test_stepping("stop", setting)
for name in "stop", "catch":
    test_main(name)
