#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB gets no CPU for seconds, while the kernel goes on sampling: what its rings had no room for is lost, and said."""

import os
import re
import signal

from answers import cpu_jiffies
from dialog import Dialog
from session import engines, ok, plan, skip_all, wait_until

JIFFIES = os.sysconf("SC_CLK_TCK")


def used(pid):
    """The CPU time of the process PID, in s."""
    return cpu_jiffies(pid) / JIFFIES


def test_stopped(rate, seconds):
    """So many SECONDS of the program's CPU time pass while GDB stands still: more than the rings have room for."""
    gdb = Dialog("spin")
    gdb.say("set prof max-stopped 100")
    gdb.say("break turn")
    gdb.say("run")
    gdb.say("delete")
    pid = int(re.search(r"= (\d+)", gdb.say("python print('= %d' % gdb.selected_inferior().pid)"))[1])
    # Each CPU has a ring.
    os.sched_setaffinity(pid, {min(os.sched_getaffinity(pid))})
    gdb.say("prof-start --engine=perf --rate=%d" % rate)
    begin = used(pid)
    gdb.say("continue &")
    wait_until(lambda: used(pid) > begin + 0.5)
    os.kill(gdb.pid, signal.SIGSTOP)
    since = used(pid)
    wait_until(lambda: used(pid) > since + seconds)
    os.kill(gdb.pid, signal.SIGCONT)
    since = used(pid)
    wait_until(lambda: used(pid) > since + 0.5)
    gdb.say("interrupt")
    text = gdb.say("prof-stop")
    whole = rate * (used(pid) - begin)
    lost = int((re.search(r"; (\d+) of \d+ ticks lost", text) or [0, 0])[1])
    ok(0.5 * rate * seconds < lost < whole, "%d Hz: what was lost while GDB stood still is said" % rate,
       "%d of %d lost\n%s" % (lost, whole, gdb.text))
    samples = int((re.search(r"^(\d+) samples? in", text, re.M) or [0, 0])[1])
    ok(0.8 * whole < samples < 1.2 * whole, "%d Hz: the CPU time has its samples all the same" % rate,
       "%d samples of %d\n%s" % (samples, whole, gdb.text))
    gdb.end("kill")


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(4)
# A ring has room for 900 small stacks.
test_stopped(250, 10)
test_stopped(1000, 3)
