#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine interrupt in non-stop mode with stubs that cannot be asked to stop: it says so."""

import re

from answers import says
from proxy import Proxy
from remote import QUIET, gdbserver
from session import Gdb, ok, plan, program, require

MODES = ["set non-stop on", "maintenance set target-non-stop on"]
# What must never be seen of it.
SEEN = "SIGPRIO|_prof_tick|Catchpoint|internal-error|[Ee]rror:|Quit|<<"


def session(way, mode, rounds=1000):
    """What GDB prints from prof-start on, and how often the stub was asked to stop a thread of a program with so many
    ROUNDS."""
    begin = [QUIET, "set sysroot /", mode]
    with gdbserver(program("shares"), str(rounds)) as server:
        stub = Proxy(server.port, way)
        out = Gdb("shares").run(
            *begin, "target remote " + stub.address, "prof-start --rate=100", "continue",
            "prof-status", "prof-stop", "info breakpoints", "info signals SIGPRIO")
    return out[len(begin) + 1:], stub.asked


def check_end(out, what):
    """The program has ended as ever, and nothing is left."""
    ok("exited normally" in out[1] and not re.search(SEEN, out[1]),
       what + "the program ends as ever", "\n".join(out))
    ok("No breakpoints" in out[4] and re.search(r"SIGPRIO\s+No\s+No\s+Yes", out[5]),
       what + "nothing is left", out[4] + out[5])


def test_unknown(mode):
    """The stub does not offer it: prof-start refuses, and nothing is sent."""
    what = mode + ", stopping is not offered: "
    out, asked = session("unknown", mode, 10)
    ok(says(out[0], "engine interrupt needs", "can stop single threads"), what + "prof-start says so", out[0])
    ok(not asked, what + "and it is not asked", asked)
    check_end(out, what)


def test_broken(way, mode):
    """The stub offers it, and does not do it: that is said once it was asked."""
    what = "%s, stopping is %s: " % (mode, way)
    out, asked = session(way, mode)
    said = "gdbprof cannot ask the target to stop single threads"
    ok("Recording" in out[0] and said in out[2] and said in out[3],
       what + "prof-status and prof-stop say so", "\n".join(out))
    ok(asked == 1, what + "it is not asked again", asked)
    check_end(out, what)


require("gdbserver")
plan(2 * 4 + 3 * 4)
for setting in MODES:
    test_unknown(setting)
for setting in MODES:
    test_broken("refused", setting)
test_broken("late", MODES[0])
