#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What has nothing to record is no error in scripts, and what has done something says one line."""

import os
import re
import tempfile

from remote import Terminal
from session import Gdb, ok, plan

ASKED = ("prof-mark a", "prof-pause", "prof-resume", "prof-stop")


def scripted():
    """Each in the commands of a breakpoint, and in a sourced script, with more behind it."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
        for command in ASKED:
            file.write(command + "\n")
        file.write("echo script done\\n\n")
        file.flush()
        for command in ASKED:
            text = Gdb("shares").talk("break plain", "commands", "silent", command, "echo went on\\n", "continue", "end",
                                      "run")
            ok("Nothing is being recorded: begin with prof-start." in text and "went on" in text and
               "exited normally" in text, command + " with nothing recorded lets commands go on", text)
        text = Gdb("shares").talk("source " + file.name)
        ok(text.count("Nothing is being recorded") == len(ASKED) and "script done" in text,
           "and the script that has them", text)


def said():
    """One line for each that has done something."""
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        out = Gdb("shares").run("break plain", "prof-start", "run", "prof-mark half way", "prof-mark", "prof-pause",
                                "prof-resume", "prof-stop", "prof-save saved", "prof-flame drawn.svg")
        os.chdir("/")
    wanted = {3: "Marked: half way.", 4: "Marked.", 5: "The recording is paused: prof-resume resumes it.",
              6: "The recording goes on.", 8: "saved is written.", 9: "drawn.svg is written."}
    for i, line in wanted.items():
        ok(out[i].strip() == line, "says \"%s\"" % line, out[i])


# Has GDB take a second to say what it knows, as it may of a large program on a busy machine.
SLOW = """
import gdb, time
spaces = gdb.progspaces
def slow():
    time.sleep(1)
    return spaces()
gdb.progspaces = slow
"""


def unasked():
    """When a program ends, its names are looked up: that takes its time, but is not shown on a terminal."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file, Terminal(Gdb("shares", ["10"])) as terminal:
        file.write(SLOW)
        file.flush()
        for command in ("prof-start", "source " + file.name):
            terminal.type(command)
        text = terminal.type("run")
        ok("exited normally" in text and "Resolving" not in text, "no progress is shown when a program ends", text)
        terminal.type("run")
        text = terminal.type("prof-stop")
        ok("samples in" in text, "prof-stop still works", text)


def forgotten():
    """GDB forgets the libraries of a process that has ended, and with them no breakpoint that it tells of."""
    for options in WAYS:
        out = Gdb("marks").run("handle SIGUSR2 nostop noprint", "prof-start " + options, "run", "info sharedlibrary", "run",
                               "info sharedlibrary", "prof-stop", "prof-intervals --format=csv")
        # GDB 18 says this of the vDSO, also without gdbprof.
        said = re.sub("warning: Could not load shared library symbols for linux-vdso", "", out[3] + out[5])
        ok("ld-linux" in out[3] and "warning" not in said,
           "nor does GDB warn of breakpoints in libraries that are gone: " + options, out[3] + out[5])
        ok(out[7].count(",before fork,") == 4 and out[7].count(",phase-1,") == 4,
           "in the next run they are there again: " + options, out[7])


WAYS = ("--engine=stop", "--engine=catch", "--engine=none --heap")
plan(len(ASKED) + 1 + 6 + 2 + 2 * len(WAYS))
scripted()
said()
unasked()
forgotten()
