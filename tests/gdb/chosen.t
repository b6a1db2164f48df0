#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that the C library chooses for the CPU: the calls of the chosen one are counted."""

import subprocess

from session import Gdb, ok, plan, program, rows

CALLS = {"memset": 30, "memcpy": 20, "strlen": 10, "strcspn": 5}
START = "prof-start --engine=none --count=" + ",".join(CALLS)
SURE = "set prof count-limit 100"
BARE = "set debug-file-directory /nowhere"


def calls(text):
    """{function: calls that work() has made of it}, the variant's name taken for the function's."""
    found = {}
    callee = {row["entry"]: row["name"] for row in rows(text) if row["role"] == "primary"}
    for row in rows(text):
        if row["role"] == "caller" and row["name"] == "work" and row["called"]:
            # Its variants of memcpy() are memmove()'s too, and have both names.
            name = callee[row["entry"]].lstrip("_").replace("memmove", "memcpy")
            name = next((word for word in CALLS if name.startswith(word)), name)
            found[name] = found.get(name, 0) + int(row["called"])
    return found


def test(name, *settings):
    """From the start, when nothing is chosen yet."""
    graph = "prof-gprof --graph --format=csv"
    out = Gdb("chosen").run(SURE, *settings, START, "run", "prof-stop", graph)
    ok(calls(out[-1]) == CALLS, name + ": what is chosen later is counted", "".join(out[-2:]))
    ok("exited normally" in out[-3], "and the program ends as it would", out[-3])
    process = subprocess.Popen([program("chosen"), "late"], stdout=subprocess.PIPE)
    out = Gdb().run(*settings, SURE, "attach %d" % process.pid, START, "set var met = 1", "continue",
                    "prof-stop", graph)
    ok(calls(out[-1]) == CALLS, name + ": attached, what was chosen is counted", "".join(out[-3:]))
    ok(process.wait() == 0 and process.stdout.read() == b"3001\n", "and the program ends as it would", out[-3])
    return out


plan(2 * 4 + 1)
test("with debug information")
out = test("without", BARE)
ok("Counted calls of memset, " in out[-2], "it has the name that the user has given", out[-2])
