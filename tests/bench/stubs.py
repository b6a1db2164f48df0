# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to count and to record calls by patched entries."""

from common import fail, head, program, run, say

KINDS = {"count": "count", "entry": "record the call", "calls": "record call and return"}
FUNCTIONS = {"leaf": "small", "recursive": "calls itself"}


def show():
    head("STUBS: what a call takes longer if the function's entry is patched")
    say("ns of CPU time, and the quartiles of 40 pairs of turns; nobody reads the records.  Wanted are at most 5 ns to count, and\n"
        "40 ns to record call and return.\n")
    lines = [line.split() for line in run([program("stubs")]).splitlines()]
    if len(lines) != 1 + len(KINDS) * len(FUNCTIONS) or lines[0][0] != "time":
        fail("stubs has printed something else")
    say("To read the time stamp takes %s ns; a record needs it once." % lines[0][1])
    for kind, name, bare, longer, lower, upper in lines[1:]:
        say("%-24s %-14s %7s ns on %s ns (%s to %s)" % (KINDS[kind], FUNCTIONS[name], longer, bare, lower, upper))
