#!/usr/bin/python3
"""Marks: each circumstance leaves one with its label, and the intervals between them add up."""

import os
import re
import subprocess
import tempfile

from answers import has_catchpoint, says
from session import TOP, Gdb, again, missed, ok, plan, program, rows, unwatched, wait_until

LIST = "prof-intervals --format=csv"
OVERVIEW = "prof-overview --format=csv"
QUIET = ["set prof mark-stops off", "handle SIGUSR2 nostop noprint"]
# The CPU time of a process until now in ns, and its page faults: GDB's child and a shell had them.
BEFORE = """python exec(%r)""" % """
with open("/proc/%d/schedstat" % gdb.selected_inferior().pid) as file:
    cpu = file.read().split()[0]
with open("/proc/%d/stat" % gdb.selected_inferior().pid) as file:
    print("before", cpu, file.read().rsplit(")", 1)[1].split()[7])
"""


def labels(text):
    """The labels of all marks, in the order of time."""
    table = rows(text)
    return [table[0]["start_label"]] + [row["end_label"] for row in table] if table else []


def functions(text):
    """Those of the program's phases that TEXT has."""
    return {row["name"] for row in rows(text)} & {"one", "two", "unseen", "three"}


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


def test_location():
    """Silent breakpoints that mark."""
    out = Gdb("marks").run(
        *QUIET, "prof-mark-at lots 'a pass' if turn >= 3 && turn != 5", "prof-mark-at marks.c:nope",
        "prof-mark-at -function three", "prof-mark-at nosuch", "info breakpoints", "run",
        "prof-status", "prof-start", "run", "prof-stop", LIST, "info prof", "delete 1", "info prof",
        "break main", "delete", "info prof")[2:]
    ok("Breakpoint 1" in out[0] and "(marks.c:nope) pending" in out[1] and
       "Breakpoint 3 at" in out[2],
       "locations are GDB's", out[:4])
    ok("not defined" in out[3] and "pending" in out[3], "one that does not resolve is pending",
       out[3])
    ok("Breakpoint" not in out[5] and "if turn >= 3 && turn != 5: 6 so far" in out[6],
       "nothing stops, and nothing is recorded before prof-start", out[6])
    found = labels(out[10])
    ok(found.count("a pass") == 6 and sum(label.startswith("three") for label in found) == 1 and
       "exited normally" in out[8], "each pass leaves a mark, in a new run too", found)
    ok("12 so far" in out[11] and out[11].count("marks each pass") == 4 and
       out[13].count("marks each pass") == 3 and "marks each pass" not in out[16],
       "info prof lists them until they are deleted", "%s\n%s" % (out[11], out[13]))
    out = Gdb("marks").run(
        *QUIET, "prof-mark-at lots if nosuch > 1", "prof-mark-at lots x if turn ==",
        "prof-mark-at nolots if nosuch ==", "prof-mark-at lots late if *(int *)0 == turn",
        "run", "info prof", "info breakpoints", "maint info breakpoints")[2:]
    ok(out[0].strip() == 'No symbol "nosuch" in current context.' and
       out[1].strip().startswith("A syntax error in expression") and "1 (nolots) pending" in out[2]
       and "Breakpoint 2 at" in out[3],
       "a condition is checked as that of a breakpoint is", out[:4])
    ok("0 so far; 10 times the condition could not be evaluated." in out[5] and
       out[5].count("evaluated") == 1, "one that fails later is told of", out[5])
    ok(out[6].count("keep y") == 2 and not re.search(r"\n-\d+ +breakpoint", out[7]),
       "no other breakpoint is left of that", out[7])


WAITING = """
#include <gdbprof.h>
#include <unistd.h>
int main(void)
{
	for (;;) {
		gdbprof_mark("waits");
		usleep(1000);
	}
}
"""


def begin(path):
    """A process of the program PATH."""
    process = subprocess.Popen([path])
    wait_until(lambda: os.readlink("/proc/%d/exe" % process.pid) == os.path.realpath(path))
    return process


def test_attached():
    """What a killed GDB would leave in a program that it has attached to is told."""
    told = " stand in a process that GDB has attached to: if GDB is\nkilled, the process ends by SIGTRAP"
    process = begin(program("spin"))
    out = Gdb().run("attach %d" % process.pid, "prof-mark-at nosuch", "prof-start", "prof-mark-at main",
                    "prof-status", "prof-stop", "delete", "prof-status", "detach")
    process.kill()
    process.wait()
    ok("SIGTRAP" not in out[1] + out[2] and all("for prof-mark-at" + told in text for text in (out[3], out[4])) and
       "SIGTRAP" not in out[7], "by prof-mark-at and prof-status", "\n".join(out))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "waiting")
        subprocess.run(["gcc", "-x", "c", "-", "-I", os.path.join(TOP, "include"), "-o", path],
                       input=WAITING, text=True, check=True)
        process = begin(path)
        out = Gdb().run("attach %d" % process.pid, "prof-start", "prof-stop", "detach")
        process.kill()
        process.wait()
    ok("for the program's own marks" + told in out[1] and "SIGTRAP" not in out[2],
       "by prof-start, of a program with marks", "\n".join(out))
    out = Gdb("marks").run("prof-mark-at main", "prof-start")
    ok("SIGTRAP" not in "".join(out), "a program that GDB has started ends with it", "\n".join(out))


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


SEND = "python import os, signal; os.kill(gdb.selected_inferior().pid, signal.SIGUSR1)"


def test_pause_signal():
    """A signal that pauses and resumes, and is not delivered."""
    out = again(lambda: Gdb("marks").run(
        *QUIET, "info signals SIGUSR1", "break one", "break two", "prof-start --pause-signal=USR1 --rate=500",
        "run", SEND, "continue", SEND, "continue", "prof-stop", LIST, "prof-functions --format=csv",
        "info signals SIGUSR1")[2:], lambda out: "two" in functions(out[11]))
    found = labels(out[10])
    ok(found[:4] == ["start", "pause (SIGUSR1)", "resume (SIGUSR1)", "phase-2"] and
       "exited normally" in out[8], "a signal pauses and resumes", out[10])
    ok("two" in functions(out[11]) and "one" not in functions(out[11]), "nothing is sampled between", out[11])
    ok(out[12] == out[0], "and it is handled as before afterwards", out[12])
    out = Gdb("marks").run(
        *QUIET, "break two", "prof-start --paused --pause-signal=SIGUSR1 --mark-signal=SIGUSR2 --rate=500",
        "run", "prof-status", SEND, "continue", "prof-stop", LIST, "prof-functions --format=csv")[2:]
    found = labels(out[7])
    ok(found[:4] == ["start", "pause", "resume (SIGUSR1)", "phase-2"] and found.count("SIGUSR2") == 1 and
       "paused" in out[1] and "paused" in out[3] and "one" not in functions(out[8]),
       "a recording can begin paused", out)


def test_mutes():
    """A thread pauses its own recording, and the program ends it."""
    out = again(lambda: Gdb("mutes").run(
        "set prof mark-stops off", "prof-start --rate=500", "run", "prof-status", "prof-stop", LIST,
        "prof-functions --metric=cpu --format=csv", "maint info breakpoints", "prof-functions --limit=1",
        "prof-start", "run", "prof-functions --format=csv --metric=cpu"),
                lambda out: missed(out[8], 0.9) < 0.1 and "shown" in out[11])
    found, lost = labels(out[5]), missed(out[8], 0.9)
    names = {row["name"]: float(row["inclusive"]) for row in rows(out[6])}
    used = {name: float(time) for name, time in re.findall(r"(shown|hidden|other) ([0-9.]+)", out[2])}

    def near(name, seconds):
        return abs(names.get(name, 0) - seconds) < 0.05 + lost

    ok(found[:4] == ["start", "thread pause (program)", "thread resume (program)", "end (program)"],
       "its marks say so", out[5])
    ok(used and near("hidden", 0) and near("shown", used["shown"]) and near("other", used["other"]),
       "a thread that has paused is not sampled until it resumes", out[2] + out[6])
    ok("exited normally" in out[2] and "gdbprof_end()" in out[3] and found[-1] == "end" and
       near("late", 0), "and no recording goes on that the program has ended", out[2:7])
    ok("gdbprof" not in out[7] and "shown" in out[11], "the next one begins anew", out[7:])


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
    ("prof-functions --between=start", "no pair"),
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


plan(7 + 7 + 2 + 2 + 8 + 3 + 5 + 4 + 4 + 1 + len(WRONG))
test_figures(*test_program())
test_user()
test_period()
test_location()
test_attached()
test_signal()
test_pause_signal()
test_mutes()
test_wrong()
