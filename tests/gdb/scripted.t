#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other people's scripts, dashboards and the like: a session with them prints the same, recorded or not."""

import difflib
import os
import re

from session import TOP, Gdb, engines, ok, plan

SCRIPT = "source " + os.path.join(TOP, "tests", "gdb", "scripted", "dashboard.py")
# From a round to the next a program works for as long as some ticks take.
BEFORE = [SCRIPT, "python point = Nth('plain', 8)", "tbreak main", "run"]
STEPS = ["continue", "backtrace", "leave", "next", "info line", "step", "up", "down", "backtrace -full 1", "continue",
         "print $twice(21)", "finish", "python point.enabled = False", "tbreak recurse if $twice(level) == 4",
         "continue", "backtrace -no-filters", "python print(point.hits, point.hit_count)", "advance odd",
         "call recurse(1)", "disable frame-filter global marked", "backtrace", "print $_exitcode", "heard", "continue",
         "heard"]
# The catchpoint of the engine catch is a breakpoint too.
COUNTED = re.compile(r"\('breakpoint_(?:created|deleted)', \d+\),? ?")


def plain(text):
    """TEXT without what differs from run to run."""
    return re.sub(r"process \d+|0x[0-9a-f]+|[Bb]reakpoint -?\d+|Thread \d+|LWP \d+", "", COUNTED.sub("", text))


def session(start):
    """What the session prints from `run' on, and what prof-stop says, if it is recorded by START."""
    gdb = Gdb("shares", ["40"], load=bool(start))
    around = [["set prof max-stopped 100", start], ["prof-stop"]] if start else [[], []]
    text = gdb.talk(*BEFORE, *around[0], "echo <<begin>>\\n", *STEPS, "echo <<end>>\\n", *around[1])
    pieces = re.split(r"<<begin>>\n|<<end>>\n", text)
    return plain(pieces[1] if len(pieces) > 1 else text), pieces[-1]


def check(start, bare):
    text, said = session(start)
    ok(text == bare, start + ": it prints the same", "\n".join(
        difflib.unified_diff(bare.splitlines(), text.splitlines(), "bare", "recorded", lineterm="")))
    found = re.search(r"^(\d+) samples", said, re.M)
    ok(found and int(found.group(1)) > 5, start + ": and is sampled", said)


NAMES = engines()
plan(1 + 2 * len(NAMES))
BARE = session("")[0]
ok("leaving" in BARE and "<plain>" in BARE and "SignalEvent" not in BARE and "\033[32m[thread 1, " in BARE and
   "at breakpoints" in BARE and "('exited', 1)" in BARE and "Error" not in BARE and "Traceback" not in BARE,
   "the scripts do what they are here for", BARE)
for name in NAMES:
    check("prof-start --rate=1000 --engine=" + name, BARE)
