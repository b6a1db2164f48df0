#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB killed while recording to a file: little is lost, and the program goes on."""

import os
import signal
import sqlite3
import subprocess
import tempfile
import time

import blocks
from answers import cpu_jiffies, size, state, status
from session import Gdb, ok, plan, program, rows, wait_until

# What may be missing: the contract's second, and what a busy machine makes of it.
LOST_SECONDS = 1.5


def spin():
    """A program that computes until it is killed."""
    return subprocess.Popen([program("spin")], stdin=subprocess.DEVNULL)


def start_gdb(*first):
    return subprocess.Popen(Gdb().command("-batch", *first), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            env=dict(os.environ, DEBUGINFOD_URLS=""), start_new_session=True)


def recorded(path):
    """The samples in the experiment PATH added up, and when the last was, by the monotonic clock."""
    try:
        database = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        try:
            start = database.execute("SELECT value FROM info WHERE key = 'start'").fetchone()
            count, last = blocks.read(database)
        finally:
            database.close()
    except sqlite3.Error:
        return 0, 0
    return count, (start[0] + last) / 1e9 if start and last else 0


def grows(path):
    """Wait until the file PATH has changed its size; False if it never does."""
    before = size(path)
    return wait_until(lambda: size(path) > before)


def test_attached(engine, path):
    target = spin()
    # Without a limit, so that a busy machine gives samples too.
    gdb = start_gdb("-p", str(target.pid), "-ex", "set prof max-stopped 100", "-ex",
                    "prof-start --rate=1000 --engine=%s --output=%s" % (engine, path),
                    "-ex", "continue")
    ok(wait_until(lambda: recorded(path)[0] > 200), engine + ": samples come into the file",
       recorded(path))
    before = recorded(path)[0]
    # From now on nobody reads, so that nothing keeps the recorder from writing.
    ok(grows(path) and grows(path), engine + ": the file grows while the program runs", size(path))
    killed = time.monotonic()
    gdb.kill()
    gdb.wait()

    ok(wait_until(lambda: status(target.pid, "TracerPid") == "0"), engine + ": nobody traces it")
    jiffies = cpu_jiffies(target.pid)
    ok(wait_until(lambda: cpu_jiffies(target.pid) > jiffies + 10) and state(target.pid) in ("R", "S"),
       engine + ": the program goes on", state(target.pid))
    pending = [status(target.pid, field) for field in ("SigPnd", "ShdPnd")]
    ok(all(int(bits, 16) == 0 for bits in pending), engine + ": no signal waits for it", pending)
    target.kill()
    target.wait()

    out = Gdb().run("prof-load " + path, "prof-functions --format=csv", "prof-status",
                    "prof-intervals --format=csv")
    table = rows(out[1])
    loaded = float(table[0]["inclusive"]) if table else 0
    ok(not out[0].strip() and loaded >= before, engine + ": the file loads, with what was in it",
       "%s of %s: %s" % (loaded, before, "\n".join(out)))
    last = rows(out[3])[-1:]
    ok(last and last[0]["end_label"] == "end (not stopped)" and float(last[0]["samples"]) == loaded,
       engine + ": what follows the last mark is an interval", out[3])
    count, last = recorded(path)
    ok(count > before and killed - last < LOST_SECONDS,
       engine + ": at most the last second is missing",
       "%g s are; %g samples are there" % (killed - last, count))


def test_started(path):
    """A program that GDB has started ends with it, as without a recording."""
    gdb = subprocess.Popen(
        Gdb("spin").command("-batch", "-ex", "set prof max-stopped 100", "-ex",
                            "prof-start --rate=1000 --output=" + path, "-ex", "run"),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=dict(os.environ, DEBUGINFOD_URLS=""), start_new_session=True)
    wait_until(lambda: recorded(path)[0] > 200)
    before = recorded(path)[0]
    gdb.send_signal(signal.SIGKILL)
    gdb.wait()
    out = Gdb().run("prof-load " + path, "prof-functions --format=csv", "prof-save %s2" % path)
    table = rows(out[1])
    ok(before > 200 and table and float(table[0]["inclusive"]) >= 200,
       "a program that was run: the file loads", "\n".join(out))
    ok(out[2].strip() == path + "2 is written." and size(path + "2") > 0, "and can be saved", out[2])


plan(8 * 2 + 2)
with tempfile.TemporaryDirectory() as place:
    for name in "stop", "catch":
        test_attached(name, os.path.join(place, name + ".prof"))
    test_started(os.path.join(place, "run.prof"))
