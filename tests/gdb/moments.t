#!/usr/bin/python3
"""GDB killed, or detached, at any moment: the program goes on unharmed, and does all of its work."""

import os
import random
import re
import signal
import subprocess
import tempfile
import time

from answers import cpu_ticks, size, status
from dialog import Dialog
from session import Gdb, ok, plan, program, wait_until

KILLS, DETACHES = 10, 10


def start(units):
    """A program of several threads, which checks itself and counts the signals of ticks."""
    return subprocess.Popen([program("storm"), str(units), "calm"], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, text=True)


def pending(pid):
    """The signals that wait for any thread of the process PID."""
    waiting = 0
    for thread in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/status" % (pid, thread)) as file:
            for field, bits in re.findall(r"^(SigPnd|ShdPnd):\s*(\w+)", file.read(), re.M):
                waiting |= int(bits, 16)
    return waiting


def is_free(pid):
    """Is the process PID on its own, with no signal left to come?"""
    return status(pid, "TracerPid") == "0" and not pending(pid)


def test_killed(path):
    """Killed while it attaches GDB leaves the program stopped, sampled or not: not so from then on."""
    failed = []
    for number in range(KILLS):
        target = start(40000000)
        output = "%s/%d" % (path, number)
        gdb = subprocess.Popen(
            Gdb().command("-batch", "-p", str(target.pid), "-ex", "set prof max-stopped 100", "-ex",
                          "prof-start --rate=5000 --output=" + output, "-ex", "continue"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, DEBUGINFOD_URLS=""), start_new_session=True)
        wait_until(lambda: size(output) > 60000)
        time.sleep(random.uniform(0, 0.1))
        gdb.send_signal(signal.SIGKILL)
        gdb.wait()
        before = cpu_ticks(target.pid)
        if not wait_until(lambda: cpu_ticks(target.pid) > before + 5 and is_free(target.pid), 20):
            failed.append("it does not go on: state " + status(target.pid, "State"))
        target.send_signal(signal.SIGTERM)
        try:
            # A tick under way may be the one signal that it gets: it says so and has done its work.
            if target.wait(20) not in (0, 1):
                failed.append("it ended with %d" % target.returncode)
        except subprocess.TimeoutExpired:
            failed.append("it does not end: state " + status(target.pid, "State"))
            target.kill()
            target.wait()
    ok(not failed, "after SIGKILL to GDB", failed)


def test_detached(engine):
    """The program, which handles both signals that ticks can be, gets none."""
    failed = []
    target = start(40000000)
    gdb = Dialog()
    gdb.say("set prof max-stopped 100")
    for number in range(DETACHES):
        gdb.say("attach %d" % target.pid)
        if not number:
            gdb.say("prof-start --rate=5000 --engine=" + engine)
        gdb.say("continue &")
        since = len(gdb.text)
        time.sleep(random.uniform(0, 0.1))
        gdb.say("interrupt")
        gdb.wait("SIGINT|stopped", since)
        text = gdb.say("detach")
        if "detached]" not in text or not wait_until(lambda: is_free(target.pid), 5):
            failed.append("%s: %x is pending" % (text.strip(), pending(target.pid)))
    text = gdb.say("prof-stop")
    ok(not failed and "Rate" in text, engine + ": after detach, with nothing left pending",
       "\n".join(failed) + gdb.text)
    ok(gdb.end() == 0, engine + ": and GDB ends as ever", gdb.text)
    before = cpu_ticks(target.pid)
    ok(wait_until(lambda: cpu_ticks(target.pid) > before + 5), engine + ": it goes on")
    target.send_signal(signal.SIGTERM)
    said = target.communicate(timeout=60)[0]
    ok(target.returncode == 0, engine + ": and has seen no signal", said)


plan(1 + 4)
with tempfile.TemporaryDirectory() as place:
    test_killed(place)
test_detached("stop")
