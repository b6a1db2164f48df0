# SPDX-License-Identifier: GPL-3.0-or-later
"""CPU timers that gdbprof makes in a program: what the kernel and the program know of them."""

import os
import re
import signal
import subprocess
import time

from session import BUILD, wait_until

# Stops the program, which stands still, when it goes on and has a timer.
AWAIT = """
import gdb, sys, time
sys.path.insert(0, %r)
from beside import start_beside
def wait(pid):
    end = time.monotonic() + 60
    while "ID:" not in open("/proc/%%d/timers" %% pid).read() and time.monotonic() < end:
        time.sleep(0.01)
    gdb.post_event(lambda: gdb.execute("interrupt"))
start_beside(wait, gdb.selected_inferior().pid)
""" % os.path.dirname(os.path.abspath(__file__))
SHOW = "python print(open('/proc/%d/timers' % gdb.selected_inferior().pid).read().count('notify:'), 'known')"


def known(pid):
    """The timers that the kernel knows of the process."""
    with open("/proc/%d/timers" % pid, encoding="ascii") as file:
        return len(re.findall(r"^ID:", file.read(), re.M))


def expiries(text):
    """What the program timers has said: expiries of its own, its CPU time, strange signals, timers."""
    found = re.search(r"(\d+) expiries in ([0-9.]+) s, (\d+) strange; (\d+) timers", text)
    return tuple(map(float, found.groups())) if found else (0, 1, -1, -1)


def started(name, *args):
    """The program NAME, which goes on until it is killed, to be attached to."""
    def readable():
        try:
            return known(target.pid) == 0
        except PermissionError:  # as long as the kernel has not finished executing it
            return False

    target = subprocess.Popen([os.path.join(BUILD, "tests", "programs", name), *args], stdout=subprocess.DEVNULL)
    wait_until(readable)
    return target


def goes_on(pid):
    """Does it run, untraced, and has it no more signals pending than timers that ring once leave?"""
    def ticks():
        with open("/proc/%d/stat" % pid, encoding="ascii") as file:
            return int(file.read().rsplit(")", 1)[1].split()[11])

    before, deadline = ticks(), time.monotonic() + 20
    while time.monotonic() < deadline and ticks() < before + 5:
        time.sleep(0.01)
    return ticks() >= before + 5


def survives(index, settings, name, *args):
    """Does the program NAME go on if a GDB that records it with SETTINGS is killed when it has a timer?  The INDEX
    says how much later."""
    target = started(name, *args)
    gdb = subprocess.Popen(
        ["gdb", "-nx", "-q", "-batch", "-x", os.path.join("gdbscripts", "prof.py"),
         *(word for command in settings for word in ("-ex", command)),
         "-ex", "attach %d" % target.pid, "-ex", "prof-start --engine=stop --rate=1000", "-ex", "continue"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not known(target.pid) and time.monotonic() < deadline:
            time.sleep(0.001)
        had = known(target.pid)
        time.sleep(0.0137 * index)
        gdb.send_signal(signal.SIGKILL)
        gdb.wait()
        return bool(had) and goes_on(target.pid)
    finally:
        gdb.kill()
        gdb.wait()
        target.kill()
        target.wait()
