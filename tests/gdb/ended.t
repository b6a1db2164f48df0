#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording ends by itself while GDB does nothing but wait for the program."""

import os
import signal
import sqlite3
import tempfile
import time

from dialog import Dialog
from session import engines, ok, plan

RECORDER = "gdbprof-record"  # the thread, as long as something is recorded


def names(pid):
    """The names of the threads of process PID."""
    found = []
    for thread in os.listdir("/proc/%d/task" % pid):
        try:
            with open("/proc/%d/task/%s/comm" % (pid, thread), encoding="ascii") as file:
                found.append(file.read().strip())
        except OSError:
            pass
    return found


def rows(file):
    """How many rows of samples FILE has."""
    try:
        with sqlite3.connect("file:%s?mode=ro" % file, uri=True) as database:
            return database.execute("SELECT sum(samples) FROM sample_block").fetchone()[0] or 0
    except sqlite3.Error:
        return 0


def wait(condition):
    """Whether CONDITION () becomes true within a minute."""
    end = time.monotonic() + 60
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def interrupt(gdb):
    """Interrupt the program; what is printed until a command is answered."""
    since = len(gdb.text)
    os.kill(gdb.pid, signal.SIGINT)
    gdb.wait("SIGINT", since)
    gdb.say("echo here")
    return gdb.text[since:]


def test_time(engine):
    gdb = Dialog("busy", ["2"])
    gdb.say("prof-start --rate=100 --for=200ms --engine=" + engine)
    before = RECORDER in names(gdb.pid)
    gdb.begin("run")
    ended = wait(lambda: RECORDER not in names(gdb.pid))
    shown = interrupt(gdb)
    status = gdb.say("prof-status")
    ok(before and ended and "after the time" in status and "SIGINT" in shown,
       engine + ": the recording ends while the program runs", shown + status)
    gdb.end("kill")


def test_removed(engine, folder):
    file = os.path.join(folder, engine)
    gdb = Dialog("busy", ["2"])
    gdb.say("prof-start --rate=100 --engine=%s --output=%s" % (engine, file))
    gdb.begin("run")
    wait(lambda: rows(file) > 20)
    os.unlink(file)
    shown = interrupt(gdb)
    status = gdb.ask(lambda text: "only marks" in text, "prof-status")
    line = "cannot be written: it was removed or renamed.  Since then gdbprof records only marks"
    gdb.ask(lambda text: gdb.text.count(line) > 1, "echo again")
    ok(line in status and gdb.text.count(line) == 2,
       engine + ": one line tells of a file that is gone, and prof-status does", gdb.text[-3000:])
    ok("samples" in gdb.say("prof-stop") and "compute" in gdb.say("prof-functions"),
       engine + ": what was recorded before is there", gdb.text[-2000:])
    gdb.end("kill")


ENGINES = engines()
plan(3 * len(ENGINES))
with tempfile.TemporaryDirectory() as scratch:
    for name in ENGINES:
        test_time(name)
        test_removed(name, scratch)
