#!/usr/bin/python3
"""A program that is sampled goes on while GDB does something else than to wait for its events."""

import re
import tempfile

from dialog import Dialog
from session import ok, plan

# Has the process used a tenth of a second more of a CPU?
GOES_ON = """
import os, sys, time

def used():
    with open("/proc/%s/stat" % sys.argv[1]) as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))

begin, end = used(), time.monotonic() + 10
while used() < begin + os.sysconf("SC_CLK_TCK") / 10 and time.monotonic() < end:
    time.sleep(0.005)
print("it goes on" if time.monotonic() < end else "it stands still")
"""


def samples(text):
    found = re.search(r"(\d+) samples", text)
    return int(found.group(1)) if found else 0


def record(gdb, engine, *settings):
    """Sample the program in the background; return what GDB printed, and its process."""
    text = "".join(gdb.say(command) for command in settings + (
        "set prof max-stopped 100", "prof-start --engine=" + engine, "run > /dev/null &"))
    text += gdb.ask(lambda text: samples(text) > 20, "prof-status")
    return text, re.search(r"process (\d+)", gdb.say("info inferiors")).group(1)


def test(name, exe, script, *settings):
    """While GDB waits for a command of the shell's, and while it executes Python."""
    gdb = Dialog(exe)
    try:
        text, process = record(gdb, "stop --rate=2000", *settings)
        shell = gdb.say("shell python3 %s %s" % (script, process))
        ok("it goes on" in shell, name + "while the shell has a command", text + shell)
        python = gdb.say("python sys.argv = ['', '%s']; exec(open('%s').read())" % (process, script))
        ok("it goes on" in python, name + "while GDB executes Python", text + python)
        before = samples(gdb.say("prof-status"))
        after = gdb.ask(lambda text: samples(text) > before + 20, "prof-status")
        ok(samples(after) > before + 20, name + "it is sampled again when GDB waits", after)
    finally:
        gdb.kill()


def test_seen(script):
    """The engine catch sees what GDB waits for; a tick that was under way by then waits for GDB."""
    gdb = Dialog("spin")
    try:
        text, process = record(gdb, "catch --rate=100")
        for _ in range(5):
            shell = gdb.say("shell python3 %s %s" % (script, process))
            if "it goes on" in shell:
                break
        ok("it goes on" in shell, "catch: while the shell has a command", text + shell)
        before = samples(gdb.say("prof-status"))
        after = gdb.ask(lambda text: samples(text) > before + 20, "prof-status")
        ok(samples(after) > before + 20, "catch: it is sampled again when GDB waits", after)
    finally:
        gdb.kill()


plan(6 + 2)
with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
    file.write(GOES_ON)
    file.flush()
    test("one thread: ", "spin", file.name)
    test_seen(file.name)
    test("threads, non-stop: ", "leaving", file.name, "set non-stop on", "set args spin")
