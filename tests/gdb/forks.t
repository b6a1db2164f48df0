#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fork and vfork, with all that GDB can do about them: who is followed is sampled."""

import re

from session import MORE, Gdb, again, ok, plan, rows

VIEW = "prof-functions --format=csv --limit=0"


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def record(way, engine, names, follow, detach, *commands):
    """Run family WAY with these settings, and COMMANDS, until the functions NAMES have samples; return
    functions, status and outputs."""
    out = again(lambda: Gdb("family", [way]).run(
        "set prof max-stopped 100", "set follow-fork-mode " + follow, "set detach-on-fork " + detach,
        "prof-start --rate=1000 --engine=" + engine, *commands, "prof-status", "prof-stop", VIEW),
                lambda out: was(samples(out[-1]), *names) or others(samples(out[-1]), *names))
    return samples(out[-1]), out[-3], out[4:-3]


FUNCTIONS = "first", "parent", "child"


def others(found, *names):
    """Was one of the three functions sampled that is none of NAMES?"""
    return any(found.get(name, 0) > 5 for name in FUNCTIONS if name not in names)


def was(found, *names):
    """Were the functions NAMES sampled, and of the three no other?"""
    return all(found.get(name, 0) > 5 for name in names) and not others(found, *names)


WAYS = [("fork", "stop"), ("fork", "catch"), ("vfork", "stop")] + [("vfork", "catch")] * MORE
plan(9 * len(WAYS))
for way, engine in WAYS:
    what = "%s, %s: " % (engine, way)

    found, status, out = record(way, engine, ("first", "parent"), "parent", "on", "run")
    ok("exited with code 04" in out[0] and "child 3" in out[0],
       what + "a child that is let go is not disturbed", out[0])
    ok(was(found, "first", "parent"), what + "nor sampled", found)

    # The parent goes on by itself, and would print in the middle of what GDB does.
    found, status, out = record(way, engine, ("first", "child"), "child", "on", "run > /dev/null",
                                "print $_exitcode")
    ok("exited with code 03" in out[0] and "= 3" in out[1], what + "a child that is followed",
       out[0])
    ok(was(found, "first", "child"), what + "is sampled, its parent no more", found)
    ok(re.search(r"2 processes were sampled: \d+, \d+\.", status) is not None,
       what + "and so it is said", status)

    found, status, out = record(way, engine, FUNCTIONS, "child", "off", "run", "prof-status", "inferior 1",
                                "continue")
    ok("exited with code 03" in out[0] and "exited with code 04" in out[3] and
       "child 3" in out[3], what + "both are kept, one runs after the other", "\n".join(out))
    ok("the program stands still" in out[1] and was(found, "first", "parent", "child"),
       what + "each is sampled as it runs", "%s\n%s" % (out[1], found))

    # The end of one stops the other, whichever comes first.
    found, status, out = record(way, engine, FUNCTIONS, "parent", "off", "set schedule-multiple on", "run",
                                "inferior 1", "continue", "inferior 2", "continue")
    text = "".join(out)
    # The child prints while GDB does, even in the middle of a line of GDB's.
    ok("child 3\n" in text and all(line in text.replace("child 3\n", "") for line in (
        "exited with code 03", "exited with code 04")), what + "both run at once", text)
    ok(was(found, "first", "parent", "child"), what + "and both are sampled", found)
