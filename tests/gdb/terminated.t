#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SIGTERM ends GDB while it samples, at any moment, and without an internal error.

terminated.t [ROUNDS] does it ROUNDS times with each engine; if it is not said, 3 times, or 5 in `make check-rounds`.
"""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from answers import size, state, status
from session import MORE, Gdb, gdb_version, ok, plan, program, skip, wait_until

THREADS = 6
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5 if MORE else 3


def children(pid):
    """The processes that PID has started."""
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


def terminate(engine, path, name="leaving", *words):
    """What is wrong with a GDB that is terminated while the program NAME runs; "" if nothing is."""
    gdb = Gdb(name, words or ["spin", str(THREADS)])
    process = subprocess.Popen(
        gdb.command("-batch", "-ex", "set prof max-stopped 100", "-ex",
                    "prof-start --rate=2000 --engine=%s --output=%s" % (engine, path), "-ex", "run"),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=gdb.env,
        start_new_session=True)
    os.set_blocking(process.stdout.fileno(), False)
    said = b""

    def all_are_known():
        nonlocal said
        said += process.stdout.read() or b""
        return said.count(b"[New Thread") >= THREADS

    began = wait_until(all_are_known)
    empty = size(path)
    began = began and wait_until(lambda: size(path) > empty)
    os.set_blocking(process.stdout.fileno(), True)
    programs = children(process.pid)
    time.sleep(random.random() * 0.1)  # any moment will do
    process.send_signal(signal.SIGTERM)
    try:
        text = (said + process.communicate(timeout=120)[0]).decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text = "<<goes on>>\n" + process.communicate()[0].decode(errors="replace")
    ended = wait_until(lambda: all(state(pid) in ("", "Z") for pid in programs))
    right = began and ended and programs and not any(
        word in text for word in ("internal", "Fatal", "<<goes on>>", "Python"))
    return "" if right else text or "<<nothing>>"


def attached(options):
    """What GDB prints that is terminated while a process that it has attached to goes on, and how it ends."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "experiment")
        target = subprocess.Popen([program("spin")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        gdb = Gdb("spin")
        process = subprocess.Popen(
            gdb.command("-batch", "-ex", "attach %d" % target.pid, "-ex",
                        "prof-start --rate=100 --output=%s %s" % (path, options), "-ex", "continue"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=gdb.env)
        wait_until(lambda: size(path) > 0)
        empty = size(path)
        wait_until(lambda: size(path) > empty)
        process.send_signal(signal.SIGTERM)
        try:
            text = process.communicate(timeout=30)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            text = "<<goes on>>\n" + process.communicate()[0].decode(errors="replace")
        free = wait_until(lambda: status(target.pid, "TracerPid") == "0" and state(target.pid) in ("R", "S"))
        target.kill()
        target.wait()
    return text if free else text + "<<held>>", process.returncode


plan(5)
for start in "", "--engine=stop":
    said, how = attached(start)
    ok(how == 0 and "Recording" in said and not re.search("internal|Fatal|Python|<<", said),
       "GDB ends as ever while attached, and the process goes on (%s)" % (start or "auto"), "%s\n%s" % (how, said))
with tempfile.TemporaryDirectory() as place:
    # While it learns of a thread GDB 13.1 fails an assertion at SIGTERM, 4 of 40 times without gdbprof.
    if gdb_version() > 13:
        skip(1, "while threads and libraries come and go",
             "GDB 16.3 waits for ever for threads that it has not learned of, if it kills the program between two events")
    else:
        wrong = [text for text in (terminate("auto", os.path.join(place, "storm-%d" % i), "storm", "100000000")
                                   for i in range(2 * ROUNDS)) if text]
        ok(not wrong, "while threads and libraries come and go: %d of %d times" % (2 * ROUNDS - len(wrong), 2 * ROUNDS),
           "\n----\n".join(wrong))
    for name in "stop", "catch":
        wrong = [text for text in (terminate(name, os.path.join(place, "%s-%d" % (name, i)))
                                   for i in range(ROUNDS)) if text]
        ok(not wrong, "%s: %d of %d times" % (name, ROUNDS - len(wrong), ROUNDS),
           "\n----\n".join(wrong))
