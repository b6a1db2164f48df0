#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ticks by CPU timers that the threads of a program make for themselves: for ordinary users, to whom the kernel
permits no perf events."""

import os
import re
import tempfile

from bursts import check_bursts
from cputimers import AWAIT, SHOW, expiries, goes_on, known, started, survives
from session import Gdb, again, be_ordinary, forbid_perf, ok, plan, skip_all, total

# Of the rate, what a program waits by, and us of work in between; waiting.t has more.
BURSTS = ((1000, "epoll", 10), (200, "read", 50))

TOLD = "Ticks come from CPU timers that gdbprof makes in the program."
LATE = "The CPU time of short work between two waits is partly counted for the waits."
START = ["set prof max-stopped 100", "set prof ticks timer", "prof-start --engine=stop --rate=1000"]


def test_settings():
    """What ticks come from is a setting, and what was chosen is told once, with the reason."""
    out = Gdb("shares", ["300"]).run(
        "set prof ticks timer", "prof-start --engine=catch", "prof-start --engine=stop", "prof-status", "run",
        "prof-stop", "set prof ticks look", "prof-start --engine=stop", "run", "prof-stop")
    ok("Only the engine stop can" in out[1] and "records without that" in out[1], "catch refuses them", out[1])
    ok(out[5].count(TOLD) == 1 and "perf_event_open" not in out[5], "who asks for them needs no reason", out[5])
    ok(TOLD not in out[9] and "samples in" in out[9], "look records without", out[9])


def test_sums():
    """Samples times the period are the CPU time, be the rate above the kernel's own or below."""
    for rate in (100, 2000):
        def record(start="prof-start --engine=stop --rate=%d" % rate):
            return Gdb("timers", ["2"]).run(*START[:2], start, "run", "prof-stop", "prof-functions --format=csv")

        def share(out, rate=rate):
            return total(out[5]) / rate / expiries(out[3])[1]

        # A thread has no timer before its first tick, for which gdbprof needs a CPU.
        out = again(record, lambda out, rate=rate, share=share: share(out) > 0.95 - 3 / rate)
        ok(abs(share(out) - 1) < 0.05 + 3 / rate, "samples at %d Hz are its CPU time" % rate, "\n".join(out))


def test_own():
    """A program with timers of its own gets what these send, and nothing else, and keeps them."""
    def record():
        own, used, _, _ = expiries("".join(Gdb("timers", ["2"], load=False).run("run")))
        return own / used, Gdb("timers", ["2"]).run(*START, "run", "prof-stop")

    def like_bare(got):
        bare, out = got
        own, used, _, _ = expiries(out[3])
        return abs(own / used / bare - 1) < 0.25

    # Where it waits for a CPU, two expiries may come as one signal, without gdbprof too.
    bare, out = again(record, like_bare)
    _, _, strange, timers = expiries(out[3])
    # The program's own timer, and the one of its only thread.
    ok(like_bare((bare, out)) and strange == 0 and timers == 2 and "exited normally" in out[3],
       "a program with timers of its own gets its own signals", "%s\n%s" % (bare, "\n".join(out)))
    ok(TOLD in out[4] and int(re.search(r"(\d+) samples", out[4])[1]) > 100, "and is sampled", out[4])
    out = Gdb("timers", ["1", "fork"]).run("set follow-fork-mode child", *START, "run", "prof-stop")
    ok(out[4].count("exited normally") == 1 and expiries(out[4])[2:] == (0, 2), "so does a child that is followed",
       "\n".join(out))
    out = Gdb("timers", ["1", "fork"]).run(*START, "run", "prof-stop")
    said = [expiries(line) for line in out[3].splitlines() if "expiries" in line]
    ok([line[2:] for line in said] == [(0, 1), (0, 2)], "and one that is not has none of them", "\n".join(out))


def test_blocked():
    """A program that blocks the signal of a timer that is set never sees that."""
    out = Gdb("timers", ["1", "blocks"]).run(*START, "run", "prof-stop")
    ok("exited normally" in out[3] and expiries(out[3])[2] == 0, "a program that blocks the signal gets none",
       "\n".join(out))


def test_caught():
    """A program that begins to catch the signal of a timer that is set sees only its own."""
    out = Gdb("timers", ["1", "catches"]).run(*START, "run", "prof-stop")
    own, _, strange, _ = expiries(out[3])
    # One could be lost that it sends itself while a tick is pending, until gdbprof uses another signal.
    ok("exited normally" in out[3] and own > 90 and strange == 0, "a program that catches the signal gets its own",
       "\n".join(out))


def test_confined():
    """No thread that confines itself is made to call the kernel: it could be killed for that."""
    out = Gdb("timers", ["1", "confined"]).run(*START, "run", "prof-stop")
    ok("exited normally" in out[3] and expiries(out[3])[2] == 0, "a program that confines itself lives", out[3])
    ok("has none, because it filters system calls (seccomp)." in out[4] and LATE in out[4], "which is told", out[4])


def test_stopped(script):
    """After prof-stop there is none left, and the program goes on; a recording that follows has them again."""
    begin = ["break main", "run", "source " + script]
    # Where a ring of it is pending just then, a timer stays until the program goes on.
    out = again(lambda: Gdb("spin").run(*START, *begin, "continue", SHOW, "prof-stop", SHOW, START[-1],
                                        "source " + script, "continue", SHOW, "prof-stop", SHOW),
                lambda out: "0 known" in out[9] and "0 known" in out[15])
    ok([text.strip() for text in (out[7], out[9], out[13], out[15])] == ["1 known", "0 known"] * 2,
       "prof-stop leaves no timer", "\n".join(out))


def test_detached(script):
    target = started("spin")
    try:
        out = Gdb().run(*START[:2], "attach %d" % target.pid, START[2], "source " + script, "continue", SHOW,
                        "detach")
        ok("1 known" in out[6] and known(target.pid) == 0 and goes_on(target.pid),
           "detach leaves none, and the program goes on", "\n".join(out))
    finally:
        target.kill()
        target.wait()


def test_killed():
    """GDB is killed while it samples: the program goes on, and its timer rings once at the most."""
    failed = [i for i in range(0, 8, 2) if not survives(i, START[1:2], "spin")]
    ok(not failed, "a program whose GDB is killed goes on", failed)


if os.uname().machine != "x86_64":
    skip_all("threads have no CPU timers on this machine")
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
plan(2 * len(BURSTS) + 3 + 2 + 4 + 1 + 1 + 2 + 1 + 1 + 1)
be_ordinary()
forbid_perf()
for rate_, kind_, span_ in BURSTS:
    check_bursts("stop", rate_, kind_, span_, START[1], weight=max(1, rate_ / 200))
test_settings()
test_sums()
test_own()
test_blocked()
test_caught()
test_confined()
with tempfile.NamedTemporaryFile("w", suffix=".py") as file_:
    file_.write(AWAIT)
    file_.flush()
    test_stopped(file_.name)
    test_detached(file_.name)
test_killed()
