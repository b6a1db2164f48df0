#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`file` in the middle of a recording: GDB lives, and what was sampled keeps its names."""

from session import Gdb, grown, ok, plan, program, rows, total

# Options of prof-start.
WAYS = ("--engine=stop --rate=1000", "--engine=catch --rate=500", "--engine=stop --rate=1000 --heap --sync",
        "--engine=none --heap", "--engine=stop --count=plain")

# What loads symbols while the program stands at its second stop, and whether its names stay GDB's.
COMMANDS = ("file %s" % program("threads"), "file %s" % program("shares"), "file", "symbol-file",
            "interpreter-exec mi \"-file-exec-and-symbols %s\"" % program("threads"))


def names(text):
    return {row["name"] for row in rows(text)}


def session(way, command, rounds=40):
    """Record in the WAY, have COMMAND load symbols, and go on to the program's end."""
    gdb = Gdb("shares", args=[str(rounds)])
    out = gdb.run("break plain", "prof-start " + way, "run", "continue", command, "echo alive", "delete",
                  "continue", "prof-stop", "prof-functions --format=csv")
    return gdb, out


def check(way, command):
    # That it is sampled counts with the first way alone; GDB may have no CPU for most of it.
    gdb, out = grown(lambda rounds: session(way, command, rounds),
                     lambda got: way != WAYS[0] or total(got[1][9]) > 30, 40)
    ok(out[5].strip() == "alive" and "exited normally" in out[7] and "marks" in out[8] and gdb.status == 0,
       "%s: %s" % (way, command.replace(program(""), "")), gdb.text)
    return names(out[9])


def cplusplus():
    """C++ names are needed while GDB lets go of its load objects, and the program stands in C++ code."""
    gdb = Gdb("throws", args=["2000"])
    out = gdb.run("catch throw", "ignore 1 2000", "prof-start " + WAYS[0], "run", "delete", "file " + program("throws"),
                  "echo alive", "continue", "prof-stop", "prof-functions --format=csv --limit=0")
    ok(out[6].strip() == "alive" and "exited normally" in out[7] and gdb.status == 0, "a C++ program", gdb.text)
    ok("descend(int, int)" in names(out[9]), "its names are demangled", out[9])


plan(len(WAYS) + len(COMMANDS) + 4)
for each in WAYS:
    check(each, COMMANDS[0])
seen = [check(WAYS[0], command) for command in COMMANDS]
ok({"main", "recurse", "unit"} <= seen[0], "what was sampled before and after has the names of its file", seen[0])
ok(all("main" in found for found in seen), "whatever GDB has loaded since", seen)
cplusplus()
