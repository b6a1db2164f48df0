#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tracing that is due while GDB attaches, or deals with an event, waits until GDB is done with that."""

import os
import subprocess
import tempfile

from session import Gdb, ok, plan, program, wait_until

START = "prof-start --engine=none "
HANDLER = """
import gdb
def handle(*unused):
    gdb.events.%s.disconnect(handle)
    gdb.execute("%s--heap", to_string=True)
gdb.events.%s.connect(handle)
"""


def heaps():
    """A program of three threads that allocates, and says whether its memory was what it wrote."""
    target = subprocess.Popen([program("heaps"), "3", "1000000000"], stdout=subprocess.PIPE, text=True)
    wait_until(lambda: len(os.listdir("/proc/%d/task" % target.pid)) > 2)
    return target


def check(name, *lines, source="", done="takes the calls"):
    """Type LINES, with %d for the process, to a GDB; it lives, has traced it, and so has the program."""
    target = heaps()
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(source)
        file.flush()
        typed = [line.replace("%d", str(target.pid)) for line in lines]
        gdb = Gdb("heaps")
        text = gdb.talk("source " + file.name, *typed, "prof-status", "prof-stop", "detach", "echo alive\\n")
    target.terminate()
    printed = target.communicate(timeout=60)[0]
    ok(done in text and "alive" in text and gdb.status == 0, name, text)
    ok(printed.startswith("right") and not target.returncode, name + ": the program goes on unharmed",
       "%s%s" % (printed, target.returncode))


plan(2 * 10)
check("attach while the heap is traced", START + "--heap", "attach %d")
check("attach while waits are traced", START + "--sync", "attach %d")
check("attach again", "attach %d", START + "--heap", "detach", "attach %d", "next")
check("attach again and again, without a command between", START + "--heap", "attach %d", "detach", "attach %d", "detach",
      "attach %d", "next")
check("attach in non-stop mode", "set non-stop on", START + "--heap", "attach %d", done="alive")
check("a call by hand as the first command", START + "--heap", "attach %d", "call (int) getpid()", "next")
check("prof-start in a handler of the attach's stop", "attach %d", "next",
      source=HANDLER % ("stop", START, "stop"))
check("prof-start in a handler of the prompt", "attach %d", "next",
      source=HANDLER % ("before_prompt", START, "before_prompt"))
check("prof-start in a handler of a later stop", "attach %d",
      "python exec(%r)" % (HANDLER % ("stop", START, "stop")), "next", "next")
check("prof-start in a script", "attach %d", "python gdb.execute('" + START + "--heap')")
