#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls that are counted by patches: as many as the program itself counts, and nobody sees the patches."""

import difflib
import re
import signal
import subprocess
import time

from answers import state
from entered import STEPS, Process, after, callers, told
from session import MORE, Gdb, engines, ok, patches, plan, rows, skip_all, wait_until
from transcripts import session, unsampled

START = "prof-start --count=leaf,climb --engine="
QUIET = "set print thread-events off"
FLAT = "prof-gprof --flat --format=csv"
GRAPH = "prof-gprof --graph --format=csv"
THREADS = 8

# What the program has counted so far, in the account of each thread.
ACCOUNT = "python print(*[sum(int(gdb.parse_and_eval('accounts[%%d].%%s' %% (i, name))) for i in range(%d)) " \
    "for name in ('leaf', 'climb')])" % THREADS


def counted(text):
    """{function: calls} of a flat profile in CSV, without recursive ones."""
    return {row["name"]: int(row["calls"]) for row in rows(text) if row["counted"] == "all"}


def test_ends():
    """However the program ends."""
    for engine, word in (("stop", ""), ("perf", ""), ("catch", ""), ("none", ""), ("stop", "fork"),
                         ("none", "exit"), ("none", "thread"), ("none", "abort"), ("stop", "exec")):
        if engine not in ("none", *engines()):
            ok(True, "%s # SKIP the kernel permits no perf events" % engine)
            continue
        out = Gdb("entered", [str(THREADS), "5000", word]).run(
            QUIET, START + engine, "run", "kill", "prof-status", "prof-stop", GRAPH)
        leaf, climb = told(out[2])
        found = callers(out[6])
        ok(leaf >= THREADS * 5000 * 89 and found.get(("climb", "leaf")) == leaf and
           found.get(("climb", "climb"), 0) + found.get(("call", "climb"), 0) == climb and
           found.get(("call", "climb")) == THREADS * 5000 + (word == "exec") and not re.search("^(child|system)", out[2], re.M) and
           "Breakpoints" not in out[5],
           "%s: all calls are counted, if the program ends by %s" % (engine, word or "return"), "\n".join(out))


def test_transcript():
    for engine in "stop", "timer":
        found, _ = session("entered", "entered.gdb", engine, True, "entered.c:*")
        wanted = unsampled("entered", "entered.gdb", False, False)
        ok(found == wanted and "<<" not in found, "%s: a session reads the same" % engine,
           "\n".join(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "without", "with", lineterm="")))


def test_attached():
    """Stopped and stepped while others go on."""
    for engine in ATTACHED:
        with Process(THREADS) as running:
            pid = running.process.pid
            out = Gdb().run(
                QUIET, "attach %d" % pid, START + engine, ACCOUNT,
                after(pid, .2, signal.SIGINT), "continue", *STEPS, "prof-status", ACCOUNT, "prof-stop", GRAPH,
                "detach")
            begun, ended = ([int(word) for word in text.split()[:2]] for text in (out[3], out[-4]))
            found = callers(out[-2])
            leaf = ended[0] - begun[0] - found.get(("climb", "leaf"), 0)
            climb = ended[1] - begun[1] - found.get(("climb", "climb"), 0) - found.get(("call", "climb"), 0)
            # Threads may stand between the call and its count.
            ok(ended[0] > begun[0] + 10000 and abs(leaf) <= THREADS and abs(climb) <= THREADS and
               "Patches count the calls of leaf, climb.\n" in out[-5],
               "%s: attached, stopped and stepped, all calls are counted" % engine, "\n".join(out))
            ok(running.same() and running.ends(), "%s: which goes on as ever" % engine, out[-1])


def test_let_go():
    with Process(THREADS) as running:
        out = Gdb().run(QUIET, "attach %d" % running.process.pid, START + "none",
                        after(running.process.pid, .2, signal.SIGINT), "continue", "detach", "prof-stop", GRAPH)
        ok(running.same() and callers(out[7]).get(("climb", "leaf"), 0) > 1000 and running.ends(),
           "detach leaves no patch", "\n".join(out))
    with Process(THREADS) as running:
        out = Gdb().run(QUIET, "attach %d" % running.process.pid, START + "none",
                        after(running.process.pid, .2, signal.SIGINT), "continue", "prof-stop", GRAPH,
                        after(running.process.pid, .2, signal.SIGINT), "continue", GRAPH)
        ok(running.same() and out[6] == out[9] and running.ends(), "prof-stop takes patches out", "\n".join(out))
    with Process(THREADS) as running:
        out = Gdb().run(QUIET, "attach %d" % running.process.pid, START + "stop", "continue &", "shell sleep 0.3",
                        "prof-stop", "shell sleep 0.2", START + "none", "interrupt",
                        "python import time; time.sleep(0.5)", "info threads", START + "none", "detach")
        ok(running.same() and running.ends(), "as soon as the program stands still", "\n".join(out))


def test_killed():
    failed = 0
    for i in range(6):
        with Process(THREADS) as running:
            gdb = subprocess.Popen(
                Gdb().command("-batch", "-p", str(running.process.pid), "-ex", START + ("stop", "none")[i % 2], "-ex",
                              "continue"),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True)
            wait_until(lambda: not running.same())
            time.sleep(i / 50)
            gdb.kill()
            gdb.wait()
            failed += state(running.process.pid) != "R" and not wait_until(lambda: state(running.process.pid) == "R")
            failed += not running.ends()
    ok(not failed, "a program whose GDB is killed goes on", failed)


# Takes the room in the program that memory is mapped from, and gives it back.
TAKE = "python exec(%r)" % """
maps = open("/proc/%d/maps" % gdb.selected_inferior().pid).read()
ROOM = int(maps.split("[vdso]")[0].splitlines()[-1].split()[0].split("-")[1], 16) - 1024
BEFORE = gdb.selected_inferior().read_memory(ROOM, 1024).tobytes()
gdb.selected_inferior().write_memory(ROOM, b"x" * 1024)
"""
GIVE = "python gdb.selected_inferior().write_memory(ROOM, BEFORE)"


def test_room():
    """Functions wait for room, and one of them for the thread that is about to enter it."""
    out = Gdb("entered").run(
        "set prof count-limit 100", "tbreak main", "run", TAKE,
        "prof-start --count=leaf,climb --engine=none", "prof-status", GIVE, "tbreak *leaf",
        "continue", "prof-status", "tbreak *leaf", "continue", "tbreak tell", "continue", "prof-status", "continue",
        "prof-stop", FLAT)[1:]
    wait = "Breakpoints count the calls of leaf, climb, which cannot be patched: "
    ok(wait + "the selected thread can make no system call now.\n" in out[4] and
       wait + "a thread stands at an entry.\n" in out[8] and
       "Patches count the calls of leaf, climb.\n" in out[13],
       "functions are patched when they can be", "\n".join(out))
    ok(counted(out[16]).get("leaf") == 89 and counted(out[16]).get("climb") == 1 and
       "cannot be read" not in "".join(out), "and all calls are counted", out[16])


def test_ways():
    out = Gdb("entered").run(
        "prof-start --count=leaf,climb,tiny,nosuch --engine=none", "tbreak tell", "run", "prof-status", "continue",
        "prof-stop", FLAT)
    ok("Patches count the calls of leaf, climb.\nBreakpoints count the calls of tiny, which cannot be patched: "
       "it is too short.\n" in out[3], "how each function is counted is listed, and why", out[3])
    ok(counted(out[6]).get("leaf") == 89 and counted(out[6]).get("tiny") == 1, "and all are", out[6])
    out = Gdb("entered").run(
        "set non-stop on", "prof-start --count=leaf --engine=none", "tbreak tell", "run", "prof-status", "continue",
        "prof-stop", FLAT)
    ok("Breakpoints count the calls of leaf, which cannot be patched: GDB is in non-stop mode.\n" in out[4] and
       counted(out[7]).get("leaf") == 89, "in non-stop mode breakpoints do", "\n".join(out))


if not patches():
    skip_all("gdbprof patches no functions here")
ATTACHED = ["none", *(engine for engine in engines() if MORE or engine == "stop")]
plan(9 + 2 + 2 * len(ATTACHED) + 3 + 1 + 3 + 2)
test_ends()
test_transcript()
test_attached()
test_let_go()
test_killed()
test_room()
test_ways()
