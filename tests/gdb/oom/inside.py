# SPDX-License-Identifier: GPL-3.0-or-later
"""What a GDB of oom.t does: sessions, in each of which one request is refused, until none is left."""

import ctypes
import os

import gdb

PLACE = os.environ["OOM_PLACE"]
COMMANDS = [line for line in os.environ["OOM_COMMANDS"].split("\n") if line]
KINDS = int(os.environ["OOM_KINDS"])

failing = ctypes.PyDLL(None)
failing.failing_disarm.restype = ctypes.c_char_p


def say(text):
    gdb.write(text + "\n")
    gdb.flush()


def execute(command):
    """Execute COMMAND, and show it and what it says."""
    say("(gdb) " + command)
    try:
        gdb.execute(command)
    except gdb.error as error:
        say("error: %s" % error)
    except MemoryError:
        say("error: Out of memory.")


def refused():
    """Was a request refused since they were last?  It is shown; none is refused any more."""
    what = failing.failing_disarm().decode()
    if what:
        say("<<refused %d: %s>>" % (failing.failing_count(), what))
    return bool(what)


def session():
    """Execute all commands while one request is refused; was one?  A command with a "*" before it is
    executed until nothing in it is refused."""
    any_refused = False
    for command in COMMANDS:
        failing.failing_arm(0 if any_refused else KINDS)
        execute(command.lstrip("*"))
        while refused():
            if command[0] != "*":
                any_refused = True
                break
            failing.failing_arm(KINDS)
            execute(command.lstrip("*"))
    return any_refused


def tidy():
    """All becomes as it was before the session."""
    say("<<tidy>>")
    if gdb.selected_inferior().pid:
        execute("kill")
    execute("delete")
    execute("prof-stop")
    execute("prof-stop")
    for name in os.listdir(PLACE):
        if name.startswith("made"):
            os.remove(os.path.join(PLACE, name))


failing.failing_begin(os.path.join(PLACE, "table").encode(), int(os.environ["OOM_DEPTH"]),
                      int(os.environ["OOM_SKIP"]))
tidy()
while session():
    tidy()
tidy()
say("<<whole>>")
for line in COMMANDS:
    execute(line.lstrip("*"))
tidy()
say("<<done>>")
