#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ticks of an ordinary user who sets nothing: threads with short work get CPU timers, others are looked at."""

import os
import re
import tempfile

from bursts import check_bursts, clocked, record
from cputimers import AWAIT, SHOW, expiries, goes_on, known, started, survives
from session import Gdb, again, be_ordinary, forbid_perf, grown, ok, plan, skip_all

# Of the rate, what a program waits by, and us of work in between; waiting.t has more.
BURSTS = ((1000, "futex", 20),)

TIMED = re.compile(r"CPU timers in the program ticked (\d+) threads?, because 20 % [^.]*less than 500 us between waits\.\s+Other")
LOOKS = "gdbprof ticks the threads that it sees running."
LATE = "The CPU time of short work between two waits is partly counted for the waits."
DOUBT = "may be off by 10 percentage points"
START = ["set prof max-stopped 100", "prof-start --engine=stop --rate=1000"]
NEEDS = "perf_event_open must be allowed"
WORKS = ("bursts", "1000", "20", "sleep")  # for long


def timed(text):
    """How many threads had timers, by what prof-stop says in TEXT."""
    found = TIMED.search(text)
    return int(found[1]) if found else 0


def test_told():
    """What is at work, and why, is said once; the heading doubts what nobody can correct."""
    found = {}
    for source in ("auto", "look"):
        _, said, shares, _ = record("stop", 1000, "sleep", 20, (START[0], "set prof ticks " + source))
        found[source] = said, sum(shares.get(name, 0) for name in ("once", "twice", "thrice"))
    said = found["auto"][0]
    ok(timed(said) == 1 and said.count(NEEDS) == 1 and LATE not in said and DOUBT in said,
       "timers are told once, with the reason, and that shares are doubtful", said)
    said = found["look"][0]
    ok(not timed(said) and DOUBT in said, "so are those of who asks for looks", said)
    ok(found["auto"][1] > found["look"][1] + 5, "and those are worse", found)
    out = Gdb("shares", ["300"]).run("prof-start --engine=stop", "run", "prof-stop", "prof-start --engine=catch",
                                     "run", "prof-stop")
    ok(LOOKS in out[2] and not timed(out[2]) and LATE not in out[2] and out[2].count(NEEDS) == 1,
       "long work is looked at, which is told with the reason", out[2])
    ok(LOOKS not in out[5] and out[5].count(LATE) == 1 and out[5].count("The engine stop counts it for the work") == 1,
       "catch looks, and says what there is", out[5])


def test_clocked():
    """Work that begins by the clock and is long never has a timer: it would beat with that."""
    out = Gdb("clocked", ["2"]).run(*START, "run", "prof-stop")
    ok("second 1.0" in out[2] and "0 timers" in out[2] and LOOKS in out[3], "work of 2 ms every 4 ms is looked at",
       "\n".join(out))
    # On a busy machine it takes longer to notice.
    out = grown(lambda seconds: Gdb("clocked", [str(seconds), "0.3"]).run(*START, "run", "prof-stop"),
                lambda out: "0 timers" in out[2], 1)
    ok(timed(out[3]) == 1 and "0 timers" in out[2], "a thread whose work becomes long loses its timer", "\n".join(out))


def test_own():
    """A program with timers of its own gets what these send, and nothing else, and keeps them."""
    out = again(lambda: Gdb("timers", ["1", "alone", "brief"]).run(*START, "run", "prof-stop"),
                lambda out: expiries(out[2])[3] == 2)
    _, _, strange, timers = expiries(out[2])
    ok(timed(out[3]) == 1 and (strange, timers) == (0, 2) and "exited normally" in out[2],
       "a program with timers of its own gets its own signals", "\n".join(out))
    out = Gdb("timers", ["1", "blocks", "brief"]).run(*START, "run", "prof-stop")
    ok(timed(out[3]) == 1 and "exited normally" in out[2] and expiries(out[2])[2] == 0,
       "a program that blocks the signal gets none", "\n".join(out))
    out = again(lambda: Gdb("timers", ["1", "confined", "brief"]).run(*START, "run", "prof-stop"),
                lambda out: LATE in out[3])
    ok("exited normally" in out[2] and expiries(out[2])[2] == 0, "a program that confines itself lives", out[2])
    ok("has none, because it filters system calls (seccomp)." in out[3] and LATE in out[3], "which is told", out[3])


def test_left(script):
    """Nothing is left in the program."""
    # Where a ring of it is pending just then, a timer stays until the program goes on.
    out = again(lambda: Gdb(WORKS[0], WORKS[1:]).run(*START, "break serve", "run", "source " + script, "continue", SHOW,
                                                     "prof-stop", SHOW),
                lambda out: "0 known" in out[8])
    ok("1 known" in out[6] and "0 known" in out[8], "prof-stop leaves no timer", "\n".join(out))
    target = started(*WORKS)
    try:
        out = Gdb().run(START[0], "attach %d" % target.pid, START[1], "source " + script, "continue", SHOW, "detach")
        ok("1 known" in out[5] and known(target.pid) == 0 and goes_on(target.pid),
           "detach leaves none, and the program goes on", "\n".join(out))
    finally:
        target.kill()
        target.wait()
    failed = [i for i in (0, 3) if not survives(i, START[:1], *WORKS)]
    ok(not failed, "a program whose GDB is killed goes on", failed)


if os.uname().machine != "x86_64":
    skip_all("threads have no CPU timers on this machine")
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
plan(2 * len(BURSTS) + 5 + 2 + 4 + 3)
# CPU timers leave out switches as that clock does, by which a program without perf events cannot tell its time.
COUNTED = [clocked(kind_, span_) for _, kind_, span_ in BURSTS]
be_ordinary()
forbid_perf()
for (rate_, kind_, span_), counted_ in zip(BURSTS, COUNTED):
    check_bursts("stop", rate_, kind_, span_, weight=max(1, rate_ / 200), counted=counted_)
test_told()
test_clocked()
test_own()
with tempfile.NamedTemporaryFile("w", suffix=".py") as file_:
    file_.write(AWAIT)
    file_.flush()
    test_left(file_.name)
