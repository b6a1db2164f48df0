#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls that are recorded by patches: as many as the program itself counts, with their times, and nobody sees the patches."""

import difflib
import re
import signal
import subprocess
import time

from answers import state
from entered import STEPS, Process, after, callers, told
from session import Gdb, ok, patches, plan, program, rows, skip_all, wait_until
from transcripts import session, unsampled

# All calls are recorded, however often they come.
QUIET = "python [gdb.execute(line) for line in ('set print thread-events off', 'set prof calls-limit 100')]"
FLAT = "prof-gprof --flat --format=csv"
GRAPH = "prof-gprof --graph --format=csv"
THREADS, ROUNDS = 4, 100

# What is recorded in each session, and of which program: every way to stop, step and leave functions.
SESSIONS = {
    "entered": "leaf,climb,call,tell",
    "turns": "burn,burner,gathered,main,work,worker",
    "session": "burn,count,factorial,finished,handle,inner,main,make_child,outer,take_signals",
    "shapes": "burn,weigh,finished,main,twice<int>,shapes::Circle::scale,shapes::Circle::area,shapes::Square::area",
}


def counted(text):
    """{function: calls}, without recursive ones, of a flat profile in CSV."""
    return {row["name"].split("(")[0]: int(row["calls"]) for row in rows(text) if row["counted"] == "all"}


def test_exits():
    """Functions are left by exceptions, jumps, handlers, and the ends of threads."""
    names = "leaf,thrower,catcher,jumper,lander,handler,nap,body"
    bare = subprocess.run([program("recorded"), "300"], stdout=subprocess.PIPE, check=True).stdout.decode()
    out = Gdb("recorded", ["300"]).run(
        QUIET, "handle SIGUSR1 nostop noprint pass", "prof-start --calls=" + names, "run", "prof-status", "prof-stop",
        FLAT, "prof-calls nap --format=csv", "prof-calls thrower --format=csv", "prof-flame --chart --format=csv")
    wanted = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", bare) if name != "sum"}
    found = counted(out[6])
    ok(bare.strip() in out[3] and {name: found.get(name) for name in wanted} == wanted and
       (found.get("nap"), found.get("body")) == (1, THREADS) and "were lost" not in out[5],
       "exceptions, jumps and handlers: all calls are recorded", "\n".join(out))
    nap = re.search(r"\d+\.\d+", out[7])
    ok(nap and "thrower" in out[8], "with their times", out[7] + out[8])


def test_objects():
    """All functions of the program, and of all that it has loaded: exceptions, threads and jumps are as ever."""
    arguments = ["300"]
    bare = subprocess.run([program("recorded"), *arguments], stdout=subprocess.PIPE, check=True).stdout.decode()
    wanted = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", bare) if name != "sum"}
    for word, others in (("recorded:*", ()), ("all", ("__cxa_throw",))):
        out = Gdb("recorded", arguments).run(
            QUIET, "handle SIGUSR1 nostop noprint pass", "prof-start --calls=" + word, "run", "prof-stop", FLAT)
        found = counted(out[5])
        ok(bare.strip() in out[3] and {name: found.get(name) for name in wanted} == wanted and
           all(found.get(name) for name in others), "the calls of %s are recorded" % word, "\n".join(out))


def test_keeps_up():
    """A thread calls more often than its block has room for, and the program never stands."""
    arguments = ["30000", "1000"]
    bare = subprocess.run([program("recorded"), *arguments], stdout=subprocess.PIPE, check=True).stdout.decode()
    out = Gdb("recorded", arguments).run(
        QUIET, "handle SIGUSR1 nostop noprint pass", "prof-start --calls=leaf,thrower,catcher,jumper,lander,handler",
        "run", "prof-stop", FLAT)
    wanted = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", bare) if name != "sum"}
    found = counted(out[5])
    ok({name: found.get(name) for name in wanted} == wanted and "were lost" not in out[4],
       "what is recorded is taken while the program goes on", "\n".join(out[3:]))


def test_limit():
    """What is called too often is counted, and each call is either recorded or counted."""
    out = Gdb("entered", ["2", "20000"]).run("prof-start --calls=leaf,climb,call", "run", "prof-stop", FLAT, "prof-tree")
    found = {row["name"]: int(row["calls"] or 0) for row in rows(out[3])}
    note = re.search(r"^(\d+) calls without times: ", out[4], re.M)
    ok(found.get("leaf") == told(out[1])[0] and found.get("call") == 2 and note and int(note[1]) > 10**6 and
       re.search(r"^Called too often to be recorded \(\"set prof calls-limit\"\): .*climb", out[2], re.M),
       "functions that are called too often are counted, and all views say so", "\n".join(out))


def test_ends():
    """However the program ends."""
    for word in ("", "fork", "exit", "thread", "abort", "exec"):
        out = Gdb("entered", [str(THREADS), str(ROUNDS), word]).run(
            QUIET, "prof-start --calls=leaf,climb,call", "run", "kill", "prof-status", "prof-stop", GRAPH)
        leaf, climb = told(out[2])
        found = callers(out[6])
        ok(leaf >= THREADS * ROUNDS * 89 and found.get(("climb", "leaf")) == leaf and
           found.get(("climb", "climb"), 0) + found.get(("call", "climb"), 0) == climb and
           not re.search("^(child|system)", out[2], re.M),
           "all calls are recorded, if the program ends by %s" % (word or "return"), "\n".join(out))


def test_transcripts():
    for exe, functions in SESSIONS.items():
        found, _ = session(exe, exe + ".gdb", "calls", True, functions)
        wanted = unsampled(exe, exe + ".gdb", False, False)
        ok(found == wanted and "<<" not in found, "a session of %s reads the same" % exe,
           "\n".join(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "without", "with", lineterm="")))


START = "prof-start --calls=leaf,climb,call"


def test_attached():
    """Stopped and stepped while others go on."""
    with Process(2) as running:
        pid = running.process.pid
        out = Gdb().run(QUIET, "attach %d" % pid, START, after(pid, .2, signal.SIGINT), "continue", "backtrace 2", *STEPS[:6],
                        "backtrace -2", *STEPS[6:],
                        "prof-status", "prof-stop", "backtrace -1", "detach")
        text = "\n".join(out)
        ok(re.search(r"^\d{3,} calls; ", out[-3], re.M) and "Patches record the calls of leaf, climb, call" in out[-4] and
           "?? ()" not in text and "corrupt" not in text, "attached, stopped and stepped", text)
        ok(running.same() and running.ends(), "which goes on as ever", out[-1])


def test_let_go():
    with Process(2) as running:
        out = Gdb().run(QUIET, "attach %d" % running.process.pid, START,
                        after(running.process.pid, .2, signal.SIGINT), "continue", "detach", "prof-stop", GRAPH)
        ok(running.same() and callers(out[7]).get(("climb", "leaf"), 0) > 1000, "detach leaves no patch", "\n".join(out))
        trace = Gdb().run("attach %d" % running.process.pid, "thread apply all backtrace")[1]
        ok("?? ()" not in trace and running.ends(), "and no return address", trace)
    with Process(2) as running:
        out = Gdb().run(QUIET, "attach %d" % running.process.pid, START,
                        after(running.process.pid, .2, signal.SIGINT), "continue", "prof-stop", "backtrace", GRAPH,
                        after(running.process.pid, .2, signal.SIGINT), "continue", GRAPH)
        ok(running.same() and out[7] == out[10] and "?? ()" not in out[6] and running.ends(),
           "prof-stop takes patches out", "\n".join(out))


def test_again():
    """Recorded again and again, by one GDB and by others, while eight threads call."""
    with Process(8) as running:
        pid = running.process.pid
        go_on = after(pid, .02, signal.SIGINT), "continue"
        for _ in range(2):
            out = Gdb().run(QUIET, "attach %d" % pid, START, *go_on, "thread apply all backtrace", "prof-stop",
                            START, *go_on, "detach", "prof-status", "prof-stop")
            if not (re.search(r"^\d{3,} calls; \d threads", out[6], re.M) and "?? ()" not in out[5] and
                    re.search(r"^\d{3,} calls; \d threads", out[12], re.M) and running.same()):
                break
        else:
            out = []
        ok(not out and running.ends(), "a process is recorded again and again", "\n".join(out))


def test_killed():
    failed = 0
    for i in range(4):
        with Process(2) as running:
            gdb = subprocess.Popen(
                Gdb().command("-batch", "-p", str(running.process.pid), "-ex", START, "-ex", "continue"),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True)
            wait_until(lambda: not running.same())
            time.sleep(i / 50)
            gdb.kill()
            gdb.wait()
            failed += state(running.process.pid) != "R" and not wait_until(lambda: state(running.process.pid) == "R")
            failed += not running.ends()
    ok(not failed, "a program whose GDB is killed goes on", failed)


def test_refused():
    for words, why in (("--calls=leaf --count=climb", "either --count or --calls"),
                       ("--calls=leaf --engine=stop", "leave out --engine"),
                       ("--calls=leaf --heap", "cannot trace anything while it records calls")):
        out = Gdb("entered", ["1", "1"]).run("prof-start " + words, "prof-status")
        ok(re.search(why, out[0]) and "Nothing has been recorded" in out[1], "refused: " + words, "\n".join(out))


if __name__ == "__main__":
    if not patches():
        skip_all("functions cannot be patched here")
    plan(2 + 2 + 1 + 1 + 6 + len(SESSIONS) + 2 + 3 + 1 + 1 + 3)
    test_exits()
    test_objects()
    test_keeps_up()
    test_limit()
    test_ends()
    test_transcripts()
    test_attached()
    test_let_go()
    test_again()
    test_killed()
    test_refused()
