#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks: each circumstance leaves one with its label, and the intervals between them add up."""

import re

from answers import has_catchpoint, says
from marks import LIST, QUIET, functions, labels
from session import Gdb, again, ok, plan, rows, unwatched

OVERVIEW = "prof-overview --format=csv"
# The CPU time of a process until now in ns, and its page faults: GDB's child and a shell had them.
BEFORE = """python exec(%r)""" % """
with open("/proc/%d/schedstat" % gdb.selected_inferior().pid) as file:
    cpu = file.read().split()[0]
with open("/proc/%d/stat" % gdb.selected_inferior().pid) as file:
    print("before", cpu, file.read().rsplit(")", 1)[1].split()[7])
"""


def test_program():
    """The sequence that collectors know; the program marks, pauses and resumes itself."""
    out = again(lambda: Gdb("marks").run(
        *QUIET, "starti", BEFORE, "prof-start --rate=500", "continue", "prof-stop", LIST, OVERVIEW,
        "prof-functions --interval=1 --format=csv", "prof-functions --between=phase-1,phase-2 --format=csv",
        "prof-functions --format=csv", "info breakpoints", "maint info breakpoints")[3:],
                lambda out: {"one", "two", "three"} <= functions(out[8]))
    before, *out = out
    sequence = ["start", "phase-1", "phase-2", "pause (program)", "resume (program)"]
    ok(labels(out[3])[:5] == sequence, "the program marks, pauses and resumes its recording",
       out[3])
    ok(labels(out[3])[5:] == ["before fork", "after fork", "exit", "end"],
       "before and after a process is made there is a mark, and at the end", out[3])
    table = rows(out[3])
    ok(float(table[3]["thread_time"]) < 0.01 and float(table[3]["duration"]) > 0.15,
       "nothing is sampled while it is paused", out[3])
    ok(functions(out[5]) == {"one"}, "the first interval has its functions", out[5])
    ok(functions(out[6]) == {"two"}, "what lies between two labels has its own", out[6])
    ok(functions(out[7]) == {"one", "two", "three"}, "and what was paused has none", out[7])
    ok("No breakpoints" in out[8] and "gdbprof" not in out[9], "no breakpoint is left", out[9])
    return rows(out[4]), before + out[1]


def test_figures(table, text):
    """The figures are those that the program tells of itself."""
    begin, first = (int(word) for word in re.search(r"before (\d+) (\d+)", text).groups())
    cpu, faults, switches, _, child = (
        int(word) for word in re.search(r"usage (\d+) (\d+) (\d+) (\d+) (\d+)", text).groups())
    total, two = table[0], table[2]
    used = 1000 * (float(total["user"]) + float(total["system"]))
    cpu -= begin // 1000000
    ok(abs(used - cpu) <= 40 + cpu / 20 and child == 3, "CPU time is that of getrusage",
       "%s\n%s" % (text, total))
    ok(abs(int(total["minor_faults"]) - (faults - first)) <= 100 and int(two["minor_faults"]) >= 3000,
       "so are page faults, most in the second phase", "%s\n%s" % (text, total))
    seen = int(total["voluntary_switches"])
    # One that has to wait for a CPU before it has fallen asleep may wake up at once: that is no such switch.
    ok(switches <= seen + 5 and int(two["voluntary_switches"]) >= 30,
       "context switches of a thread that has ended are among them", "%s\n%s" % (text, total))
    ok(int(two["char_output"]) >= 100000 and int(total["block_input"]) >= 0,
       "characters are those of system calls", two)
    # getrusage has the peak of GDB, which was the process before it executed the program.
    ok(3000 * 4096 <= int(two["peak"]) < 2 * 3000 * 4096 and two["peak"] == total["peak"] and
       int(table[1]["peak"]) < 3000 * 4096, "the peak of memory is what was in use", table)
    ok(int(two["threads"]) == 1 and int(total["threads"]) == 0 and int(two["resident"]) > 0,
       "a state is that at the end", total)
    parts = sum(float(row["thread_time"]) for row in table[1:])
    ok(abs(parts - float(total["thread_time"])) < 1e-6 and
       float(total["running"]) <= float(total["duration"]), "intervals add up to the total", total)


def test_user():
    """Commands, stops, and no mark where none is wanted."""
    out = Gdb("marks").run(
        "handle SIGUSR2 stop", "break two", "watch turn", "prof-start", "run", "next",
        "prof-mark here and now", "prof-pause", "prof-mark paused", "delete 1", "next",
        "prof-resume", "continue", "delete", "continue", "set prof mark-stops off", "tbreak exit",
        "continue", "prof-mark", "prof-stop", LIST)
    found = labels(out[-1])
    watched = [] if unwatched() else [r"watchpoint 2, three .*at marks\.c:\d+"]
    expected = ["start", r"breakpoint 1, two .*at marks\.c:\d+", r"stop, two .*at marks\.c:\d+",
                "here and now", "pause", "paused", "resume",
                *watched, "phase-2|SIGUSR2, .*"]
    matched = [label for label in expected if any(re.fullmatch(label, one) for one in found)]
    ok(matched == expected, "commands and stops leave marks", "%s\n%s" % (found, out))
    ok(found.count("pause") == 1 and found[-2:] == ["", "end"] and
       not any("exit at" in one for one in found), "and none where it is switched off", found)


def test_period():
    out = again(lambda: Gdb("marks").run(*QUIET, "prof-start --mark-period=50ms", "run", "prof-stop", LIST)[2:],
                lambda out: labels(out[3]).count("periodic") >= 5)
    table = rows(out[3])
    periods = labels(out[3]).count("periodic")
    ok(periods >= 5, "periods leave marks", out[3])
    ok(not any(row["start_label"].startswith("pause") and row["end_label"] == "periodic"
               for row in table), "but not while it is paused", out[3])


def test_signal():
    """A signal that asks for a mark, and is not delivered."""
    out = Gdb("marks").run(
        "set prof mark-stops off", "info signals SIGUSR2", "prof-start --mark-signal=USR2",
        "run", "prof-stop", LIST, "info signals SIGUSR2", "info breakpoints", "tbreak two",
        "info breakpoints", "handle SIGUSR2 nostop noprint", "prof-start --mark-signal=SIGUSR2",
        "run", "delete", "continue", "prof-stop", LIST)
    found = labels(out[5])
    ok(found.count("SIGUSR2") == 1 and "exited normally" in out[3] and
       "SIGUSR2" not in out[3].replace("SIGUSR2.", ""), "a signal leaves a mark", out[3:6])
    ok(out[6] == out[1] and "No breakpoints" in out[7],
       "and is handled as before afterwards", out[6])
    ok("two" in out[9] and labels(out[16]).count("SIGUSR2") == 1,
       "it does so even if all breakpoints are deleted", out[9:])
    out = Gdb("marks").run("prof-start --mark-signal=USR2", "break two", "info breakpoints")
    ok("Breakpoint 1 at" in out[1] and not has_catchpoint(out[2]), "the first breakpoint stays the user's",
       "\n".join(out))
    out = Gdb("marks").run(
        "handle SIGUSR2 nostop noprint", "prof-start --mark-signal=USR2 --engine=catch", "run", "delete", "run",
        "prof-stop", LIST)
    ok(labels(out[-1]).count("SIGUSR2") == 2, "another engine needs a catchpoint", "\n".join(out))


WRONG = [
    ("prof-start --pause-signal=SIGINT", "SIGINT", "GDB or sampling"),
    ("prof-start --pause-signal=USR1 --mark-signal=SIGUSR1", "SIGUSR1", "must differ"),
    ("prof-start --mark-signal=SIGX", '"SIGX"', "SIGUSR2"),
    ("prof-start --mark-signal=SIGINT", "SIGINT", "GDB or sampling"),
    ("prof-start --mark-signal=", '""', "SIGUSR2"),
    ("prof-mark-at", "location"), ("prof-mark-at if x", "location"),
    ("prof-mark-at main if", "condition"), ("prof-start --mark-period=0", '"0"', "1 ms"),
    ("prof-start --mark-period=x", '"x"', "1 ms"), ("set prof mark-stops maybe", "maybe"),
    ("prof-intervals --interval=", '""', "2-4,7"), ("prof-overview --interval=3-1", "reversed"),
    ("prof-overview --interval=7", "no interval 7", "from 1 to 2"),
    ("prof-functions --interval=0", "no interval 0"),
    ("prof-functions --between=start", "not a pair"),
    ("prof-functions --between=start,nowhere", '"nowhere"', "prof-intervals"),
    ("prof-functions --between=end,start", "comes after"),
]


def test_wrong():
    out = Gdb("marks").run("prof-intervals", "prof-start", "prof-mark middle", "prof-intervals",
                           "prof-stop", *(row[0] for row in WRONG))
    ok(says(out[0], "prof-start") and "middle" in out[3], "intervals of nothing, and so far",
       out[:4])
    for row, answer in zip(WRONG, out[5:]):
        ok(all(word in answer for word in row[1:]) and "Python" not in answer, row[0], answer)


plan(7 + 7 + 2 + 2 + 5 + 1 + len(WRONG))
test_figures(*test_program())
test_user()
test_period()
test_signal()
test_wrong()
