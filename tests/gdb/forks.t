#!/usr/bin/python3
"""fork and vfork, with all that GDB can do about them: who is followed is sampled."""

import re

from session import Gdb, ok, plan, rows

VIEW = "prof-functions --format=csv --limit=0"


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def record(way, engine, follow, detach, *commands):
    """Run family WAY with these settings, and COMMANDS; return functions, status and outputs."""
    out = Gdb("family", [way]).run(
        "set prof max-stopped 100", "set follow-fork-mode " + follow, "set detach-on-fork " + detach,
        "prof-start --rate=1000 --engine=" + engine, *commands, "prof-status", "prof-stop", VIEW)
    return samples(out[-1]), out[-3], out[4:-3]


def was(found, *names):
    """Were the functions NAMES sampled, and of the three no other?"""
    return all((found.get(name, 0) > 5) == (name in names) for name in ("first", "parent", "child"))


plan(2 * 2 * 9)
for way in "fork", "vfork":
    for engine in "stop", "catch":
        what = "%s, %s: " % (engine, way)

        found, status, out = record(way, engine, "parent", "on", "run")
        ok("exited with code 04" in out[0] and "child 3" in out[0],
           what + "a child that is let go is not disturbed", out[0])
        ok(was(found, "first", "parent"), what + "nor sampled", found)

        found, status, out = record(way, engine, "child", "on", "run", "print $_exitcode")
        ok("exited with code 03" in out[0] and "= 3" in out[1], what + "a child that is followed",
           out[0])
        ok(was(found, "first", "child"), what + "is sampled, its parent no more", found)
        ok(re.search(r"2 processes were sampled: \d+, \d+\.", status) is not None,
           what + "and so it is said", status)

        found, status, out = record(way, engine, "child", "off", "run", "prof-status", "inferior 1",
                                    "continue")
        ok("exited with code 03" in out[0] and "exited with code 04" in out[3] and
           "child 3" in out[3], what + "both are kept, one runs after the other", "\n".join(out))
        ok("the program stands still" in out[1] and was(found, "first", "parent", "child"),
           what + "each is sampled as it runs", "%s\n%s" % (out[1], found))

        # The end of one stops the other.
        found, status, out = record(way, engine, "parent", "off", "set schedule-multiple on", "run",
                                    "inferior 1", "continue")
        ok("exited with code 03" in "".join(out) and "exited with code 04" in "".join(out) and
           "child 3" in "".join(out), what + "both run at once", "\n".join(out))
        ok(was(found, "first", "parent", "child"), what + "and both are sampled", found)
