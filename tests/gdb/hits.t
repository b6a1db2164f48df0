#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Breakpoints are met as often as the program comes to them, however often it is sampled meanwhile.

hits.t [TURNS [ROUNDS]]: so many turns of the native program (half of them with gdbserver), and so many
sessions that stop at a certain call.
"""

import re
import shutil
import sys

from remote import QUIET, gdbserver
from session import Gdb, ok, plan, program, rows

TURNS = int(sys.argv[1]) if len(sys.argv) > 1 else 500
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 2

STEPPED = "set displaced-stepping "
# What it is sampled with, how GDB gets over breakpoints, whose these are, and threads beside main.
SESSIONS = (
    ("--engine=stop", "off", "mark", 3),
    ("--engine=stop", "auto", "mark", 3),
    ("--engine=stop --verify=1", "off", "mark", 3),
    ("--engine=stop --count=met", "off", "mark count trace", 3),
    ("--engine=catch", "off", "mark", 0),
    ("--engine=catch", "auto", "mark", 3),
    ("--engine=catch --count=met", "off", "mark count trace", 3),
    ("--engine=interrupt --count=met", "auto", "mark count", 0),
    ("--engine=interrupt", "auto", "non-stop mark", 0),
    ("--engine=interrupt --count=met", "off", "non-stop mark count", 0),
)

FLAT = "prof-gprof --flat --format=csv"
CALLS = "prof-functions --metric=calls --format=csv"


def begin(engine, stepping, guests):
    """The commands before the program goes on."""
    return ["set prof max-stopped 100", "set prof count-limit 100", "set print thread-events off",
            STEPPED + stepping, "break met", "ignore $bpnum 1000000", "break met if turn >= 0",
            "ignore $bpnum 1000000", "prof-start --rate=1000 " + engine,
            *["prof-mark-at marked passed"] * ("mark" in guests),
            *["prof-trace seen"] * ("trace" in guests)]


END = ["info breakpoints", "info prof", "prof-stop", FLAT, CALLS]


def meet(engine, stepping, guests, threads):
    """What the commands of END print, after a session with a program that comes to all."""
    first = begin(engine, stepping, guests)
    if "interrupt" not in engine:
        out = Gdb("hits", [str(TURNS), str(threads)], timeout=1800).run(*first, "run", *END)
        return out[-len(END):]
    with gdbserver(program("hits"), str(TURNS // 2)) as server:
        stop = ["set non-stop on"] * ("non-stop" in guests)
        out = Gdb("hits", timeout=1800).run(
            QUIET, "set sysroot /", *stop, "target remote " + server.address, *first, "continue", *END)
    return out[-len(END):]


def of(name, text, column):
    """What the row NAME of a view has in COLUMN, in a list; empty without one."""
    return [row[column] for row in rows(text) if row["name"] == name]


# So many ticks make a session worth something; one that had fewer is done again, at most so often.
TICKS = 10
AGAIN = 20


def met(engine, stepping, guests, threads):
    """How often each place was met in one session, in two lists, its ticks, and what it printed."""
    out = meet(engine, stepping, guests, threads)
    hits = re.findall(r"already hit (\d+) times", out[0])
    marks = re.findall(r"passed.*: (\d+) so far", out[1])
    ticks = re.search(r"of (\d+) ticks", out[2])
    counted = of("met", out[3], "calls") if "count" in guests else []
    traced = of("seen", out[4], "exclusive") if "trace" in guests else []
    return hits, marks + counted + traced, int(ticks.group(1)) if ticks else 0, "\n".join(out)


def check(engine, stepping, guests, threads):
    """Sessions until there were enough ticks: three checks of how often each place was met."""
    what = "%s, %s%s, %d threads" % (engine, STEPPED[4:] + stepping,
                                     ", non-stop" * ("non-stop" in guests), threads + 1)
    if "interrupt" in engine and not shutil.which("gdbserver"):
        for _ in range(3):
            ok(True, what + " # SKIP there is no gdbserver")
        return
    turns = TURNS // 2 if "interrupt" in engine else TURNS * (threads + 1)
    met_by_user = [str(turns)] * 2
    met_by_guests = [str(turns)] * len(guests.replace("non-stop", "").split())
    all_ticks, sessions = 0, 0
    while all_ticks < TICKS and sessions < AGAIN:
        hits, found, ticks, out = met(engine, stepping, guests, threads)
        all_ticks, sessions = all_ticks + ticks, sessions + 1
        if (hits, found) != (met_by_user, met_by_guests):
            break
    ok(hits == met_by_user,
       "%s: %d hits, and breakpoints of the user say %s" % (what, turns, hits), out)
    ok(found == met_by_guests, "%s: and those of gdbprof %s" % (what, found), out)
    ok(all_ticks >= TICKS, "%s: with %d ticks in %d sessions" % (what, all_ticks, sessions), out)


def stops_at(engine):
    """Where a session stops that has a breakpoint with a condition and an ignore count."""
    begin = ["set prof max-stopped 100", "set prof count-limit 100",
             "prof-start --rate=1000 --count=session.c:* --engine=" + engine]
    out = Gdb("session").run(
        *begin, "break outer", "set $outer = $bpnum", "run", "condition $outer turn >= 4",
        "ignore $outer 1", "continue", "print turn", "print $_hit_bpnum == $outer", "kill")
    return out[len(begin) + 6:len(begin) + 8]


plan(3 * len(SESSIONS) + 2)
for row in SESSIONS:
    check(*row)
for name in "stop", "catch":
    places = [stops_at(name) for _ in range(ROUNDS)]
    wrong = [place for place in places if [text.split()[-1:] for text in place] != [["5"], ["1"]]]
    ok(not wrong, "%s: %d of %d sessions stop at the call that was asked for" % (
        name, ROUNDS - len(wrong), ROUNDS), wrong)
