#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that block all signals are ticked by SIGSTOP: they are sampled, and nobody else sees it."""

import re
import subprocess

from answers import status
from dialog import Dialog
from session import Gdb, engines, grown, ok, plan, program, rows, wait_until

THREADS = 3
CYCLES = 10


def test_sampled(engine):
    """All threads are, alike."""
    def run(turns):
        return Gdb("masked", ["turns", str(THREADS), str(turns)]).run(
            "set prof max-stopped 100", "prof-start --rate=500 --engine=" + engine, "run",
            "prof-stop", "prof-threads --format=csv --metric=samples,cpu", "prof-functions --format=csv")

    out = grown(run, lambda out: len(rows(out[4])) > THREADS and
                float(rows(out[4])[0]["samples"]) > 300, 2500)
    # Of one that waits for a CPU more often than others fewer samples are taken, which have more time each.
    counts, times = (sorted(float(row[metric]) for row in rows(out[4])[1:])[-THREADS:]
                     for metric in ("samples", "cpu"))
    used = sorted(map(float, re.findall(r"thread ([0-9.]+)", out[2])))
    ok("exited normally" in out[2] and counts[0] > 20 and len(used) == THREADS and
       all(abs(time - own) < 0.01 + 0.05 * own for time, own in zip(times, used)),
       engine + ": all threads are sampled, for all of their time", "\n".join(out))
    ok("block" not in out[3] and "SIGSTOP" not in out[2],
       engine + ": no time is without samples, and no SIGSTOP is seen", "\n".join(out))
    shares = {row["name"]: float(row["inclusive_percent"]) for row in rows(out[5])}
    ok(shares.get("turn", 0) > 90, engine + ": where they spend their time", out[5])


def test_breakpoint(engine):
    """GDB stops all threads by SIGSTOP each time that one is stepped over a breakpoint."""
    turns = 300
    out = Gdb("masked", ["turns", str(THREADS), str(turns)]).run(
        "set prof max-stopped 100", "set displaced-stepping off", "set $hits = 0",
        "break turn if $hits++ < 0", "prof-start --rate=2000 --engine=" + engine, "run",
        "print $hits", "prof-stop")
    text = "\n".join(out)
    ok("exited normally" in out[5] and "SIGSTOP" not in out[5],
       engine + ": breakpoints are stepped over as ever", text)
    ok("= %d\n" % (THREADS * turns) in out[6], engine + ": each of them is hit once a turn", text)


def test_watched(engine):
    """The parent of a process that is attached to, and its terminal, learn of no stop."""
    watcher = subprocess.Popen([program("masked"), "watched"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    child = int(watcher.stdout.readline())
    gdb = Dialog()
    gdb.say("set prof max-stopped 100")
    gdb.say("attach %d" % child)
    gdb.say("prof-start --rate=1000 --engine=" + engine)
    for cycle in range(CYCLES):
        gdb.say("continue &")
        gdb.ask(lambda text: int((re.search(r"(\d+) samples?", text) or [0, 0])[1]) > 20 * (cycle + 1),
                "prof-status")
        since = len(gdb.text)
        gdb.say("interrupt")
        gdb.wait("stopped|SIGINT", since)
    text = gdb.say("prof-stop")
    ok(re.search(r"\d\d samples", text) and "SIGSTOP" not in gdb.text,
       engine + ": a process that is attached to is sampled and interrupted", gdb.text)
    gdb.say("detach")
    ok(wait_until(lambda: status(child, "State")[0] in "RS" and status(child, "TracerPid") == "0"),
       engine + ": after detach it goes on", status(child, "State"))
    gdb.end()
    said = watcher.communicate("x" * 100)[0]
    ok(said == "0 changes, 0 signals\n", engine + ": its parent has seen nothing", said)


def test_stopped(engine):
    """Ticks that were under way at prof-stop are met afterwards, and show no more than others."""
    gdb = Dialog("masked", ["turns", str(THREADS), "100000000"])
    gdb.say("set prof max-stopped 100")
    gdb.say("break turn")
    gdb.say("run")
    gdb.say("delete")
    for _ in range(CYCLES):
        gdb.say("prof-start --rate=5000 --engine=" + engine)
        gdb.say("continue &")
        gdb.ask(lambda text: int((re.search(r"(\d+) samples?", text) or [0, 0])[1]) > 20, "prof-status")
        since = len(gdb.text)
        gdb.say("interrupt")
        gdb.wait("SIGINT|stopped", since)
        gdb.say("prof-stop")
    gdb.say("continue &")
    left = wait_until(lambda: "No breakpoints" in gdb.say("info breakpoints"))
    text = gdb.say("info threads")
    ok(left and text.count("(running)") == THREADS + 1 and "SIGSTOP" not in gdb.text,
       engine + ": the program goes on after prof-stop", gdb.text)
    gdb.say("kill")
    ok(gdb.end() == 0, engine + ": and GDB ends as ever", gdb.text)


ENGINES = engines()
plan(10 * len(ENGINES))
for name in ENGINES:
    test_sampled(name)
    test_breakpoint(name)
    test_watched(name)
    test_stopped(name)
