#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB killed, or detached, at any moment: the program goes on unharmed, and does all of its work."""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from answers import cpu_jiffies, size, status
from dialog import Dialog
from session import Gdb, ok, plan, program, wait_until

# Rounds of each way: with an argument, as many of all.
KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
DETACHES = max(KILLS, 3)

# When GDB is killed: the command that it executes, whether the program stands still then, and
# within what time after it was given, in s.
MOMENTS = (
    ("during prof-start", "prof-start", True, 0.02),
    ("while the user looks at a stop", "", True, 0),
    ("during detach", "detach", True, 0.005),
    ("during prof-stop", "prof-stop", True, 0.02),
    ("during prof-stop while the program runs", "prof-stop", False, 0.02),
)


def start(units, masked=False):
    """A program of several threads, which checks itself and counts the signals of ticks; MASKED, it
    blocks those that can be blocked."""
    return subprocess.Popen([program("masking")] * masked + [program("storm"), str(units), "calm"],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


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


def check_end(target, threads=6):
    """What is wrong with the end of the program TARGET, of so many THREADS: it has done its work."""
    target.send_signal(signal.SIGTERM)
    try:
        said = target.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        target.kill()
        return "it does not end: " + target.communicate()[0]
    # A tick under way comes through, one for each thread, and it says so.  As it has a handler,
    # that ends the sleeper's call.
    ticks = re.match(r"(?:(?:poll|nanosleep) failed: 4\n)?"
                     r"without signals it failed: (\d+)\nmade 0 .*\n\Z", said)
    if target.returncode == (1 if ticks else 0) and (not ticks or int(ticks[1]) <= threads):
        return ""
    return "it ended with %d: %s" % (target.returncode, said)


def goes_on(pid, before, engine):
    """Is the process PID on its own, and has it worked since it had BEFORE jiffies of CPU time?"""
    # Where GDB has stopped a thread that stood in a tick's stop already, as in that of any signal
    # that it lets pass, its SIGSTOP is met only when the thread goes on, some time after GDB's end.
    if engine == "catch" and status(pid, "TracerPid") == "0" and \
            status(pid, "State").startswith("T"):
        os.kill(pid, signal.SIGCONT)
    return cpu_jiffies(pid) > before + 5 and is_free(pid)


def check_killed(target, engine):
    """What is wrong with the program TARGET, once the GDB that had attached to it was killed."""
    before = cpu_jiffies(target.pid)
    if not wait_until(lambda: goes_on(target.pid, before, engine)):
        state = status(target.pid, "State")
        target.kill()
        return "it does not go on: state %s, then %s" % (state, target.communicate()[0])
    return check_end(target)


def test_killed(path, engine, masked):
    """Killed while it attaches GDB leaves the program stopped, sampled or not: not so from then on."""
    failed = []
    for number in range(KILLS):
        target = start(40000000, masked)
        output = "%s/%s-%d-%d" % (path, engine, masked, number)
        gdb = subprocess.Popen(
            Gdb().command("-batch", "-p", str(target.pid), "-ex", "set prof max-stopped 100", "-ex",
                          "prof-start --rate=5000 --engine=%s --output=%s" % (engine, output),
                          "-ex", "continue"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, DEBUGINFOD_URLS=""), start_new_session=True)
        sampled = wait_until(lambda: size(output) > 60000)
        time.sleep(random.uniform(0, 0.1))
        gdb.send_signal(signal.SIGKILL)
        gdb.wait()
        failed += [check_killed(target, engine)] + ([] if sampled else ["it was not sampled"])
    failed = [text for text in failed if text]
    ok(not failed, "%s%s: after SIGKILL to GDB" % (engine, ", masked" * masked), "\n".join(failed))


def kill_in(engine, masked, command, stands, within):
    """What is wrong after SIGKILL to GDB in the middle of COMMAND, or at most WITHIN s after that
    was given, while the program, MASKED or not, STANDS still or goes on."""
    target = start(40000000, masked)
    gdb = Dialog()
    gdb.say("set prof max-stopped 100")
    gdb.say("attach %d" % target.pid)
    begin = "prof-start --rate=2000 --engine=" + engine
    if command != "prof-start":
        gdb.say(begin)
        gdb.say("continue &")
        gdb.ask(lambda text: re.search(r"^[1-9]\d+ samples", text, re.M), "prof-status")
        if stands:
            since = len(gdb.text)
            gdb.say("interrupt")
            gdb.wait("SIGINT|stopped", since)
    if command:
        gdb.begin(begin if command == "prof-start" else command)
        time.sleep(random.uniform(0, within))
    gdb.kill()
    wrong = check_killed(target, engine)
    return "%s\n%s" % (wrong, gdb.text) if wrong else ""


def test_killed_in(engine, masked, what, *how):
    failed = [text for text in (kill_in(engine, masked, *how) for _ in range(KILLS)) if text]
    ok(not failed, "%s%s: after SIGKILL to GDB %s" % (engine, ", masked" * masked, what),
       "\n".join(failed))


def test_detached(engine, masked):
    """The program, which handles both signals that ticks can be, gets none."""
    failed = []
    target = start(40000000, masked)
    engine_name, engine = engine, "%s%s" % (engine, ", masked" * masked)
    gdb = Dialog()
    gdb.say("set prof max-stopped 100")
    for number in range(DETACHES):
        gdb.say("attach %d" % target.pid)
        if not number:
            gdb.say("prof-start --rate=5000 --engine=" + engine_name)
        gdb.say("continue &")
        since = len(gdb.text)
        time.sleep(random.uniform(0, 0.1))
        gdb.say("interrupt")
        gdb.wait("SIGINT|stopped", since)
        text = gdb.say("detach")
        if "detached]" not in text or not wait_until(lambda: is_free(target.pid)):
            failed.append("%s: %x is pending" % (text.strip(), pending(target.pid)))
    text = gdb.say("prof-stop")
    ok(not failed and "Rate" in text, engine + ": after detach, with nothing left pending",
       "\n".join(failed) + gdb.text)
    ok(gdb.end() == 0, engine + ": and GDB ends as ever", gdb.text)
    before = cpu_jiffies(target.pid)
    ok(wait_until(lambda: cpu_jiffies(target.pid) > before + 5), engine + ": it goes on")
    target.send_signal(signal.SIGTERM)
    said = target.communicate(timeout=60)[0]
    ok(target.returncode == 0, engine + ": and has seen no signal", said)


plan(4 * (1 + len(MOMENTS)) + 4 * 4)
with tempfile.TemporaryDirectory() as place:
    for name in "stop", "catch":
        for by_sigstop in False, True:
            test_killed(place, name, by_sigstop)
            for moment in MOMENTS:
                test_killed_in(name, by_sigstop, *moment)
for name in "stop", "catch":
    for by_sigstop in False, True:
        test_detached(name, by_sigstop)
