# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to count and to record calls by patched entries."""

from common import fail, head, program, run, say

KINDS = {"count": "count", "callers": "count by caller", "entry": "record the call", "calls": "record call and return"}
FUNCTIONS = {"leaf": "small", "places": "small, called from 2,000 places", "recursive": "calls itself",
             "crowded": "likewise, the table is full"}


def show():
    head("STUBS: what a call takes longer if the function's entry is patched")
    say("ns of CPU time, and the quartiles of 40 pairs of turns; nobody reads the records.  Wanted are at most 5 ns to count,\n"
        "10 ns to count by caller, and 40 ns to record call and return.  2,000 places fill half of the table.\n")
    lines = [line.split() for line in run([program("stubs")]).splitlines()]
    if len(lines) != 2 + len(KINDS) * (len(FUNCTIONS) - 1) or lines[0][0] != "time":
        fail("stubs has printed something else")
    say("To read the time stamp takes %s ns; a record needs it once." % lines[0][1])
    for kind, name, bare, longer, lower, upper in lines[1:]:
        say("%-24s %-32s %7s ns on %s ns (%s to %s)" % (KINDS[kind], FUNCTIONS[name], longer, bare, lower, upper))
