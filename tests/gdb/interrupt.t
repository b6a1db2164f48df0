#!/usr/bin/python3
"""In our handlers at stops no Ctrl-C can come, which GDB would lose: it is held back until they are done."""

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


WAYS = ("--engine=stop", "--engine=catch", "--engine=none --heap --sync", "--engine=stop --heap")
plan(len(WAYS))
for way in WAYS:
    held(way)
