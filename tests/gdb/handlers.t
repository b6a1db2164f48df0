#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our handlers at stops lose no Ctrl-C: one that comes meanwhile, or came before, is sent again after them."""

import tempfile

from session import Gdb, ok, plan

# What our handlers ask GDB notes whether a SIGINT is held back then.
NOTED = """
import gdb, signal
held, inferiors, turns = [], gdb.inferiors, 0

def noted():
    held.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
    return inferiors()

gdb.inferiors = noted
"""
COMMANDS = ("commands", "silent", "set $turns = $turns + 1", "if $turns == 2", "python held.clear()", "end",
            "if $turns == 12", "python print('held', len(held) >= 10, all(held))", "else", "continue", "end", "end")


def held(options):
    """Breakpoint commands continue in a loop, in which GDB calls none but our handlers."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(NOTED)
        file.flush()
        text = Gdb("shares", ["100"]).talk("source " + file.name, "prof-start " + options, "set $turns = 0",
                                           "break unit", *COMMANDS, "run", "delete", "kill")
    ok("held True True" in text, "a Ctrl-C is held back in our handlers (%s)" % options, text)


# A handler before ours, without any Python code that could take notice: it hands Python a SIGINT, as GDB does
# before it calls handlers with one that has come since it looked last.
BEFORE = """
import collections, ctypes, gdb
gdb.events.stop.connect(collections.defaultdict(ctypes.pythonapi.PyErr_SetInterrupt).__getitem__)
"""


def earlier(options):
    """A breakpoint's command continues, and the signal that came before our handler stops the program then."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(BEFORE)
        file.flush()
        text = Gdb("shares", ["100000"], load=bool(options), timeout=60).talk(
            "source " + file.name, *(["prof-start " + options] if options else []), "tbreak unit", "commands", "silent",
            "continue", "end", "run", "kill")
    ok(("SIGINT" in text or "Quit" in text) and "exited" not in text,
       "a Ctrl-C that came before our handlers is not lost (%s)" % (options or "without gdbprof"), text)


WAYS = ("--engine=stop", "--engine=catch", "--engine=none --heap --sync", "--engine=stop --heap")
plan(2 * len(WAYS) + 1)
earlier("")
for way in WAYS:
    held(way)
    earlier(way)
