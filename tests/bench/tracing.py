"""What tracing every allocation costs: by the agent alone, by heaptrack, and by gprofng."""

import os
import shutil
import statistics
import tempfile

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


def agent(again, threads, code):
    return fields(run([program("agent"), str(DEPTH), str(again), str(threads), str(PAIRS), code]))


def pair_ns(before, again, threads, code, pairs):
    """The ns of a pair in the program that BEFORE, a command, runs."""
    text = run(before + [program("pairs"), str(DEPTH), str(again), str(threads), str(pairs), code])
    return fields(text)["pair-ns"]


def others(folder):
    """{name: (its command, the pairs that it is given)} of what is installed."""
    found = {}
    if shutil.which("heaptrack"):
        found["heaptrack"] = (["heaptrack", "-o", os.path.join(folder, "heaptrack")],
                              PAIRS // 3)
    if shutil.which("gprofng"):
        found["gprofng"] = (["gprofng", "collect", "app", "-O", os.path.join(folder, "test.er"),
                             "-H", "on", "-p", "off"], SLOW_PAIRS)
    return found


def show_load(title, again, threads, code):
    runs = [agent(again, threads, code) for _ in range(ROUNDS)]
    alone = statistics.median(run["alone-ns"] for run in runs)
    say("\n%s: %.1f ns a pair" % (title, alone))
    # All of its threads' time, as they share the CPUs.
    rate = statistics.median(threads * 2e9 / run["traced-ns"] for run in runs)
    say("  %-10s %-26s %.1f M events/s, %.1f bytes an event, %d lost of %d M" % (
        "agent", spread([run["traced-ns"] / run["alone-ns"] for run in runs], "%.1f"),
        rate / 1e6, sum(run["bytes"] for run in runs) / sum(run["events"] for run in runs),
        sum(run["lost"] for run in runs),
        sum(run["events"] + run["lost"] for run in runs) / 1e6))
    with tempfile.TemporaryDirectory() as folder:
        for name, (command, pairs) in others(folder).items():
            slower = [pair_ns(command, again, threads, code, pairs) /
                      pair_ns([], again, threads, code, pairs) for _ in range(ROUNDS)]
            say("  %-10s %s" % (name, spread(slower, "%.1f")))


def show():
    head("Allocations, traced")
    say("Pairs of malloc() and free() as fast as possible, %d calls deep; how many times longer one\n"
        "takes.  The agent's records are only counted by another thread; %d rounds." % (DEPTH, ROUNDS))
    for name in ("heaptrack", "gprofng"):
        if not shutil.which(name):
            say("%s is left out: it is not installed." % name)
    for load in LOADS:
        attempt("tracing, " + load[0], show_load, *load)
