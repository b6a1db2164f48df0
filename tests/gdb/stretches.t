#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""CPU time that no tick has met goes to no function of another interval, nor to one that was not at work."""

from remote import QUIET, gdbserver
from session import Gdb, engines, lacking, ok, plan, program, rows, skip

SECONDS = 0.2
PHASES = ("one", "two", "three")


def intervals(count):
    return ["prof-functions --metric=cpu --format=csv --limit=0 --interval=%d" % i for i in range(1, count + 1)]


def times(text):
    """The exclusive and inclusive seconds of each function in TEXT; those of one name are added up."""
    found = {}
    for row in rows(text):
        exclusive, inclusive = found.get(row["name"], (0, 0))
        found[row["name"]] = (exclusive + float(row["exclusive"]), inclusive + float(row["inclusive"]))
    return found


def phases(found):
    """Those of the program's stretches that FOUND has time of."""
    return [name for name in PHASES if found.get(name, (0, 0))[1] > 0]


def misplaced(found):
    """The seconds in FOUND that functions have in which the program hardly was."""
    return sum(exclusive for name, (exclusive, _) in found.items()
               if name in PHASES + ("_start", "main", "end_stretch"))


def record(*commands):
    """What was found in each of three intervals, from main on.  A tick that comes before a stretch
    begins has the whole interval: then it is recorded again."""
    for _ in range(3):
        out = Gdb("stretches", [str(SECONDS)]).run(
            "tbreak main", "run", *commands, "prof-stop", *intervals(3))
        found = [times(text) for text in out[-3:]]
        if [phases(one) for one in found] == [[name] for name in PHASES]:
            break
    return found


def test_stops(engine):
    """Few of the stretches, if any, are met by a tick."""
    found = record("prof-start --rate=0.1 --engine=" + engine, "break end_stretch",
                   "continue", "continue", "continue")
    ok(all(SECONDS * 0.8 < one.get("<Total>", (0, 0))[1] < SECONDS * 3 for one in found),
       engine + ": each interval has its time", found)
    ok(all(set(phases(one)) <= {name} and misplaced(one) < 0.05 for name, one in zip(PHASES, found)),
       engine + ": which is of no other's function", found)
    return found


def test_remote(mode):
    """With gdbserver each stretch is as long as the clock says, which nobody can compare."""
    what = "interrupt, set non-stop %s: " % mode
    why = lacking("gdbserver")
    if why:
        skip(2, what, why)
        return
    for _ in range(10):
        with gdbserver(program("stretches"), str(SECONDS)) as server:
            out = Gdb("stretches").run(
                QUIET, "set sysroot /", "set non-stop " + mode, "target remote " + server.address, "break end_stretch", "tbreak main",
                "continue", "prof-start --rate=0.5", "continue", "continue", "continue", "prof-stop", *intervals(3))
        found = [times(text) for text in out[-3:]]
        # As in record(), a tick may come before a stretch begins; and all may be met by ticks.
        own = [phases(one) for one in found] == [[name] for name in PHASES]
        if own and any("<No-stack>" in one for one in found):
            break
    # What follows a tick may be too little to look at the stop: it counts in the next interval.
    ok(all("burn" in one or one.get("<Total>", (0, 0))[1] > SECONDS * 0.8 for one in found),
       what + "each interval has its time", out)
    ok(own and any("<No-stack>" in one for one in found), what + "which is of its own function", found)


def test_callers(engine, found):
    """The stack at the stop tells what was called."""
    ok([phases(one) for one in found] == [[name] for name in PHASES], engine + ": but of its own", found)
    ok(all(abs(one["<No-stack>"][0] + one.get("burn", (0, 0))[0] - one["<Total>"][0]) < 0.05
           for one in found if "<No-stack>" in one) and any("<No-stack>" in one for one in found),
       engine + ": below it nobody knows", found)


def test_marks():
    """Neither is a stack carried across a mark, where the program goes on."""
    found = record("prof-start --rate=1", "prof-mark-at end_stretch ended", "continue")
    ok([phases(one) for one in found] == [[name] for name in PHASES], "marks at places: the same", found)
    out = Gdb("stretches", [str(SECONDS)]).run(
        "prof-start --rate=1 --mark-period=10ms", "run", "prof-stop",
        "prof-functions --metric=cpu --format=csv --limit=0")
    found = times(out[-1])
    ok(found.get("<No-stack>", (0, 0))[0] > SECONDS and misplaced(found) < 0.05,
       "marks at any time: what was not met has no stack", found)


ENGINES = engines()
plan(4 * len(ENGINES) + 2 + 2 * 2)
for name in ENGINES:
    test_callers(name, test_stops(name))
test_marks()
for mode in "off", "on":
    test_remote(mode)
