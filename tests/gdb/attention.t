#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that is sampled goes on while GDB does something else than to wait for its events."""

import re
import tempfile

from dialog import Dialog
from session import ok, plan

# Has the process used a tenth of a second more of a CPU?  It stands still if all of its threads stand in a
# stop at each of so many looks in a row.
GOES_ON = """
import os, sys, time

LOOKS = 100

def fields(path):
    with open(path) as file:
        return file.read().rsplit(")", 1)[1].split()

def used():
    return sum(map(int, fields("/proc/%s/stat" % sys.argv[1])[11:13]))

def stands():
    tasks = "/proc/%s/task" % sys.argv[1]
    return all(fields("%s/%s/stat" % (tasks, task))[0] == "t" for task in os.listdir(tasks))

begin, looks = used(), 0
while used() < begin + os.sysconf("SC_CLK_TCK") / 10 and looks < LOOKS:
    looks = looks + 1 if stands() else 0
    time.sleep(0.005)
print("it goes on" if looks < LOOKS else "it stands still")
"""
# A tick that reaches its thread later than GDB waits for it, or that the engine catch cannot meet, has the
# thread stand still until GDB is back: not each time that GDB turns away.
TRIES = 25

SHELL = ("while the shell has a command", "shell python3 %(script)s %(process)s")
# Older Pythons sleep by select(), by which GDB might wait: the engine catch cannot tell.
PYTHON = ("while GDB executes Python", "python sys.argv = ['', '%(process)s']; exec(open('%(script)s').read())")


def samples(text):
    found = re.search(r"(\d+) samples", text)
    return int(found.group(1)) if found else 0


def record(gdb, engine, *settings):
    """Sample the program in the background; return what GDB printed, and its process."""
    text = "".join(gdb.say(command) for command in settings + (
        "set prof max-stopped 100", "prof-start --engine=" + engine, "run > /dev/null &"))
    text += gdb.ask(lambda text: samples(text) > 20, "prof-status")
    return text, re.search(r"process (\d+)", gdb.say("info inferiors")).group(1)


def look(gdb, command, tries):
    """What COMMAND, which looks at the program, prints at the last of at most so many TRIES."""
    for _ in range(tries):
        text = gdb.say(command)
        if "it goes on" in text:
            break
    return text


def test(name, exe, engine, tries, ways, script, *settings):
    """While GDB is busy in each of WAYS."""
    gdb = Dialog(exe)
    try:
        text, process = record(gdb, engine, *settings)
        for what, command in ways:
            seen = look(gdb, command % {"script": script, "process": process}, tries)
            ok("it goes on" in seen, name + what, text + seen)
        before = samples(gdb.say("prof-status"))
        after = gdb.ask(lambda text: samples(text) > before + 20, "prof-status")
        ok(samples(after) > before + 20, name + "it is sampled again when GDB waits", after)
    finally:
        gdb.kill()


plan(3 + 2 + 3)
with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
    file.write(GOES_ON)
    file.flush()
    test("one thread: ", "spin", "stop --rate=2000", 4, (SHELL, PYTHON), file.name)
    test("catch: ", "spin", "catch --rate=100", TRIES, (SHELL,), file.name)
    test("threads, non-stop: ", "leaving", "stop --rate=2000", 4, (SHELL, PYTHON), file.name,
         "set non-stop on", "set args spin")
