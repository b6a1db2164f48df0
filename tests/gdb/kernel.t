#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stacks go on into the kernel where that is asked for and permitted."""

import os
import re
import tempfile

from session import Gdb, engines, grown, ok, plan, rows, skip

OBJECT = "[kernel.kallsyms]"
FUNCTIONS = "prof-functions --format=csv --limit=0"
OBJECTS = "prof-objects --format=csv --limit=0"
LIST = "/proc/kallsyms"


def inclusive(text):
    """The samples of each name in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def shown():
    """Does the kernel show us where its functions are?"""
    with open(LIST, encoding="utf-8") as file:
        return any(re.match("0*[1-9a-f]", line) for line in file)


def listed():
    """The kernel's functions."""
    with open(LIST, encoding="utf-8") as file:
        return {line.split()[2] for line in file}


def test_frames(folder):
    """Page faults and system calls have frames of the kernel, inside of who made them."""
    path = os.path.join(folder, "saved")
    out = grown(lambda seconds: Gdb("faults", [str(seconds), "mixed"]).run(
        "prof-start --engine=perf --rate=1000 --kernel=on", "run", "prof-stop", FUNCTIONS, OBJECTS,
        "prof-functions --format=csv --function=touch --limit=0",
        "prof-export --format=folded " + path + ".folded", "prof-save " + path),
                lambda out: min(inclusive(out[3]).get(name, 0) for name in ("touch", "work")) > 200, 0.5)
    functions, objects, touch = inclusive(out[3]), inclusive(out[4]), inclusive(out[5])
    named = [name for name in touch if name in KERNEL]
    ok(touch.get("touch", 0) > 200 and len(named) > 3, "functions of the kernel are named", out[5])
    ok(objects.get(OBJECT, 0) > 0.5 * touch["touch"], "the kernel is a load object", out[4])
    with open(path + ".folded", encoding="utf-8") as file:
        within = sum(int(line.split()[-1]) for line in file if ";work;" in line)
    # Many are there where the host of a virtual machine is slow to let interrupts in; what is done at a page
    # fault is all in the kernel.
    ok(within < 0.5 * functions.get("work", 0), "code that makes no calls has few, at interrupts",
       "%d of %s" % (within, functions.get("work")))
    again = Gdb().run("prof-load " + path, FUNCTIONS, OBJECTS, "prof-disas %s --format=csv" % (named + ["touch"])[0])
    ok(inclusive(again[1]) == functions and inclusive(again[2]) == objects,
       "what is saved says the same", again[1] + again[2])
    ok("GDB cannot read the kernel's code." in again[3] and OBJECT not in again[3] and len(rows(again[3])) > 2,
       "addresses have no instructions beside them", again[3])


def test_sleepers():
    """A thread that waits has frames of the kernel too, where the kernel shows them."""
    out = grown(lambda seconds: Gdb("states", [str(seconds)]).run(
        "prof-start --engine=perf --rate=200 --kernel=on", "run", "prof-stop", *(
            "prof-%ss --format=csv --metric=lock --limit=0" % kind for kind in ("function", "object"))),
                lambda out: inclusive(out[3]).get("locker", 0) > 0.3, 0.5)
    locks, objects = inclusive(out[3]), inclusive(out[4])
    waited = locks.get("locker", 0)
    try:
        with open("/proc/self/stack", encoding="utf-8") as file:
            may = file.read() is not None
    except OSError:
        may = False
    within = max((locks[name] for name in locks if name in KERNEL and "futex" in name), default=0)
    ok(waited > 0.3 and (within > 0.9 * waited and objects.get(OBJECT, 0) > 0.9 * waited if may else not within),
       "sleeping threads have frames of the kernel, if GDB is root's", "".join(out[2:]))
    ok(("the kernel shows more to root alone" in out[2]) != may, "and it is said where not", out[2])


def test_without():
    """Nobody has them unasked."""
    out = Gdb("faults", ["0.3", "faults"]).run(
        "prof-start --engine=perf --rate=1000", "run", "prof-stop", OBJECTS)
    ok("<Total>" in out[3] and OBJECT not in out[3], "by default there are none", out[3])


def test_other_engine():
    out = Gdb("faults", ["0.1", "faults"]).run(
        "set prof kernel on", "show prof kernel", "prof-start --engine=stop", "run", "prof-stop",
        OBJECTS, "prof-start --kernel=perhaps")
    ok("are on" in out[1] and "only the engine perf records them" in out[4] and OBJECT not in out[5],
       "an engine that has none says so", "\n".join(out))
    ok('"perhaps" is not a value of --kernel' in out[6], "it is on or off", out[6])


plan(5 + 2 + 1 + 2)
KERNEL = listed() if shown() else set()
if "perf" in engines() and KERNEL:
    with tempfile.TemporaryDirectory() as place:
        test_frames(place)
    test_sleepers()
    test_without()
else:
    skip(8, "frames of the kernel", "the kernel does not permit them here")
test_other_engine()
