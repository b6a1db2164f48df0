# SPDX-License-Identifier: GPL-3.0-or-later
"""What tracing costs, of allocations and of locks: by the agent alone, by heaptrack, by gprofng."""

import os
import shutil
import statistics
import tempfile

from debugged import show_pause, show_traced
from common import QUICK, attempt, fields, head, program, run, say, spread

ROUNDS = 1 if QUICK else 3
DEPTH = 20
PAIRS = 300000 if QUICK else 3000000
SLOW_PAIRS = PAIRS // 100  # for gprofng

# Name, how many calls are made anew for each pair, threads, which code.
LOADS = [("%s, %d thread%s%s" % (name, threads, "s" if threads > 1 else "", what), again, threads, code)
         for code, name in (("plain", "no frame pointers"), ("pointer", "frame pointers"))
         for threads in (1, 4)
         for again, what in ((0, ""), (3, ", 3 calls anew"))]

# Name, threads, whether they share the lock.
LOCKS = [("a lock of its own, 1 thread", 1, "own"), ("a lock of its own each, 4 threads", 4, "own"),
         ("one lock, 4 threads", 4, "shared")]


def collect(folder, *options):
    return ["gprofng", "collect", "app", "-O", os.path.join(folder, "test.er"), "-p", "off",
            *options]


def compare(name, command, key, pairs, arguments):
    """Show how many times longer the program in ARGUMENTS takes, of PAIRS, if COMMAND runs it."""
    arguments = [word if word else str(pairs) for word in arguments]
    slower = [fields(run(command + arguments))[key] / fields(run(arguments))[key]
              for _ in range(ROUNDS)]
    say("  %-18s %s" % (name, spread(slower, "%.1f")))


def show_agent(name, threads, each, arguments):
    """The same for the agent; EACH pair has so many events, if all are recorded."""
    runs = [fields(run([program("agent")] + [word if word else str(PAIRS) for word in arguments]))
            for _ in range(ROUNDS)]
    events = sum(run["events"] for run in runs)
    text = spread([run["traced-ns"] / run["alone-ns"] for run in runs], "%.1f")
    if each:
        # All threads' time, as they share the CPUs.
        rate = statistics.median(each * threads * 1e3 / run["traced-ns"] for run in runs)
        text = "%-26s %.1f M events/s, %.1f bytes an event, %d lost of %d M" % (
            text, rate, sum(run["bytes"] for run in runs) / events,
            sum(run["lost"] for run in runs), events / 1e6)
    say("  %-18s %s" % (name, text))
    return statistics.median(run["alone-ns"] for run in runs)


def show_pairs(title, again, threads, code):
    say("\n" + title)
    words = [str(DEPTH), str(again), str(threads), "", code]
    alone = show_agent("agent", threads, 2, ["pairs"] + words)
    program_words = [program("pairs")] + [word or str(PAIRS) for word in words]
    show_traced("--heap", "pair-ns", threads, program_words, ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("heaptrack"):
            compare("heaptrack", ["heaptrack", "-o", os.path.join(folder, "heaptrack")], "pair-ns",
                    PAIRS // 3, [program("pairs")] + words)
        if shutil.which("gprofng"):
            compare("gprofng", collect(folder, "-H", "on"), "pair-ns", SLOW_PAIRS,
                    [program("pairs")] + words)
    say("  alone: %.1f ns" % alone)


def show_locks(title, threads, kind):
    say("\n" + title)
    words = [str(threads), "", kind]
    alone = show_agent("agent, calibrated", threads, 0, ["locks-calibrate"] + words)
    show_agent("agent, all", threads, 1, ["locks-all"] + words)
    program_words = [program("locks")] + [word or str(PAIRS) for word in words]
    show_traced("--sync=all", "lock-ns", threads, program_words, ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("gprofng"):
            for name, option, pairs in (("on", "on", PAIRS // 3), ("all", "all", SLOW_PAIRS)):
                compare("gprofng -s " + name, collect(folder, "-s", option), "lock-ns", pairs,
                        [program("locks")] + words)
    say("  alone: %.1f ns" % alone)


def show():
    head("Allocations and locks, traced")
    say("Pairs of malloc() and free() as fast as possible, %d calls deep, and of taking and releasing a\n"
        "lock; how many times longer one takes.  The first line is of the agent alone, whose records are only\n"
        "counted by another thread; gdbprof's are under GDB, alone and traced.  %d rounds." % (DEPTH, ROUNDS))
    for name in ("heaptrack", "gprofng"):
        if not shutil.which(name):
            say("%s is left out: it is not installed." % name)
    for load in LOADS:
        attempt("tracing, " + load[0], show_pairs, *load)
    say("\nIn the middle of it, 4 threads")
    attempt("tracing, to begin", show_pause, "--heap",
            [program("pairs"), str(DEPTH), "0", "4", str(1000 * PAIRS), "plain"], 3 * ROUNDS)
    for load in LOCKS:
        attempt("tracing, " + load[0], show_locks, *load)
