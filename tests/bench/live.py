# SPDX-License-Identifier: GPL-3.0-or-later
"""A live program, sampled by gdbprof: how much slower it gets, and how often it can be sampled."""

import os
import statistics

from common import QUICK, attempt, head, program, run, say, spread, took
from sessions import plain, sampled, session

ROUNDS = 2 if QUICK else 7
DEFAULT = 10  # of max-stopped, as a user has it who has set nothing
SECONDS = 0.2 if QUICK else 0.5  # that the program is to work for, alone

# What is sampled: a title, load's arguments, how many CPUs it keeps busy, and the rates.
PROGRAMS = (
    ("1 thread", ("busy", "1"), 1, (100, 1000, 5000, 20000)),
    ("8 threads on a mutex", ("mutex", "8"), 2, (100, 1000, 5000, 20000)),
    ("64 threads, mostly idle", ("idle", "64"), 1, (100, 1000, 5000, 20000)),
    ("1,000 threads, mostly idle", ("idle", "1000"), 1, (100,)),
)


def units(seconds):
    """Units of work for one thread that take SECONDS here."""
    least = min(took(run([program("load"), "busy", "1", "20000"]))[1] for _ in range(3))
    return int(seconds * 20000 / least)


def work(arguments, cpus, seconds=SECONDS):
    """The command by which load works for SECONDS."""
    return [program("load"), *arguments, str(units(seconds) * min(cpus, os.cpu_count() or 1))]


def show_ways(runs, base, names):
    """A line for each of NAMES, in RUNS as session() has them, against BASE."""
    say("%-22s %-26s %-6s %-9s %-9s %-6s %s" % (
        "", "own time / not sampled", "", "all", "samples", "ticks", "GDB's"))
    say("%-22s %-26s %-6s %-9s %-9s %-6s %s" % (
        "", "median (extremes)", "least", "time", "a second", "lost", "CPU"))
    for name in names:
        pairs = list(zip(runs[name], runs[base]))
        say("%-22s %-26s %-6s %-9s %-9s %-6s %s" % (
            name, spread([one.own / other.own for one, other in pairs], "%.3f"),
            "%.3f" % (min(one.own for one, _ in pairs) / min(other.own for _, other in pairs)),
            "%.3f" % statistics.median(one.seconds / other.seconds for one, other in pairs),
            "%.0f" % statistics.median(one.samples / one.own for one, _ in pairs),
            "%.1f %%" % statistics.median(one.lost for one, _ in pairs),
            "%.1f %%" % (100 * statistics.median(one.cpu - other.cpu for one, other in pairs))))


def permits_perf():
    """Does the kernel permit the engine perf?"""
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
        return os.geteuid() == 0 or int(file.read()) <= 2


def show_program(title, command, rates):
    names = ["stop, %d Hz" % rate for rate in rates]
    ways = [plain("GDB")] + [sampled(name, rate) for name, rate in zip(names, rates)]
    names.append("stop, %d Hz, default" % rates[0])
    ways.append(sampled(names[-1], rates[0], DEFAULT))
    if permits_perf():
        names += ["perf, %d Hz" % rate for rate in rates]
        ways += [sampled("perf, %d Hz" % rate, rate, options="--engine=perf") for rate in rates]
    runs = session(command, ways, ROUNDS)
    own = statistics.median(one.own for one in runs["GDB"])
    say("\n%s: %.2f s of its own, %d rounds" % (title, own, ROUNDS))
    show_ways(runs, "GDB", names)


def show():
    head("A LIVE PROGRAM, 20 calls deep, that tells its time itself")
    say("A program's own time is that its busy threads ran, waited for each other or were kept stopped,")
    say("added up, but did not wait for a CPU: on a busy machine all of its time says little, and may")
    say("even become less, for who is stopped often is let on a CPU sooner.  Each round has a run of")
    say("each kind, one after the other in the same GDB, and is held against its run that is not sampled;")
    say("\"least\" is the quickest run of each kind, held against each other.  20000 Hz is more than can")
    say("be kept: what is reached then is the largest rate.  Rates are not lowered (max-stopped is 100),")
    say("but for the row with the default of %d %%." % DEFAULT)
    say("Wanted: 1.02 at 100 Hz, 1.10 at 1000 Hz, 10000 samples a second; 1,000 threads 1.03 at 100 Hz.")
    for title, arguments, cpus, rates in PROGRAMS:
        attempt(title, show_program, title, work(arguments, cpus), rates)
