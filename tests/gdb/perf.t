#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine perf: short bursts of work are found where they are, and what the kernel forbids is said."""

import math
import os
import re

from bursts import check_bursts
from session import Gdb, be_ordinary, engines, forbid_perf, grown, ok, plan, rows, skip, skip_all, total

# Of what a program waits by, and us of work in between; waiting.t has more.
BURSTS = (("epoll", 10), ("futex", 100))


def shares(text):
    """The shares that functions have of the CPU time in TEXT, in percent, by their names."""
    return {row["name"]: float(row["inclusive_percent"]) for row in rows(text)}


def test_deep():
    """As much is copied as stacks need."""
    out = grown(
        lambda rounds: Gdb("deep", ["300", str(rounds)]).run(
            "prof-start --engine=perf --rate=1000", "run", "prof-stop",
            "prof-functions --format=csv --function=bottom"),
        lambda out: total(out[3]) > 300, 50000)
    found = shares(out[3])
    ok(total(out[3]) > 300 and found.get("main", 0) > 98, "deep stacks are whole from the first on", out[3])
    ok("cut off" not in out[2], "and nothing is said of others", out[2])

    def truncated(out):
        return {row["name"]: float(row["inclusive"]) for row in rows(out[3])}.get("<Truncated-stack>", 0)

    out = grown(
        lambda rounds: Gdb("deep", ["12000", str(rounds)]).run(
            "prof-start --engine=perf --rate=1000 --max-depth=100000", "run", "prof-stop", "prof-functions --format=csv"),
        lambda out: truncated(out) > 20, 10000)
    cut = re.search(r"^gdbprof cut off (\d+) stacks:", out[2], re.M)
    shown = truncated(out)
    # A stack is a sample, or two, or none, as the CPU time of its thread asks for; and where others keep the thread from
    # its CPU, the kernel passes over periods that end meanwhile, and one stands for several.
    ok(cut and shown > 20 and 0.3 * shown < int(cut[1]) < 1.2 * shown, "of stacks that are cut it is said how many",
       out[2] + out[3])


def test_hollow():
    """The kernel copies a stack up to the first page that is not in memory."""
    out = Gdb("hollow", ["0.4"]).run("prof-start --engine=perf --rate=1000", "run", "prof-stop",
                                     "prof-functions --format=csv")
    found = shares(out[3])
    ok(total(out[3]) > 100 and found.get("main", 0) > 95, "arrays that are not used do not cut stacks", "".join(out[1:]))


def test_brief():
    """Threads that live for less than a period have their share, and all of their time."""
    out = Gdb("churn", ["2000"]).run(
        "set print thread-events off", "prof-start --engine=perf --rate=500", "run", "prof-stop",
        "prof-functions --format=csv --metric=cpu")
    within, said = [float(number) for number in
                    re.findall(r"(?:within|cpu) ([0-9.]+)", out[2]) or "00"]
    samples = int((re.search(r"^(\d+) samples? in .*; 2001 threads", out[3], re.M) or ["", "0"])[1])
    found = {row["name"]: float(row["inclusive"]) for row in rows(out[4])}.get("<Total>", 0)
    # Nothing samples a thread before it begins, nor when it has ended.
    chance = 5 * math.sqrt(500 * said)
    ok(-chance + 0.9 * 500 * within < samples < chance + 1.1 * 500 * said, "threads of a millisecond have their samples",
       "%s of %s to %s\n%s" % (samples, 500 * within, 500 * said, out[3]))
    ok(abs(found - said) < 0.05 * said, "and all their CPU time is known", (found, said))


def way(rate):
    """What prof-status says of a program that is sampled at RATE."""
    return Gdb("shares", ["300"]).run("break main", "prof-start --engine=perf --rate=%d" % rate, "run", "prof-status")[3]


THREADS = "\nThe kernel samples each thread by its own clock, which slows down programs that wait often.\n"


def test_way():
    """CPUs are sampled at low rates, and by root; which it is, is said, and how to have the other."""
    if os.geteuid() or os.cpu_count() > 64:
        skip(2, "CPUs", "the kernel does not permit it, or there are more than 64")
    else:
        text = way(250)
        ok("\nThe kernel samples the CPUs that the program runs on.\n" in text, "root: CPUs", text)
        text = way(251)
        ok(THREADS + "To sample CPUs instead, sample at 250 Hz or less.\n" in text, "threads at higher rates", text)
    be_ordinary()
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
        paranoid = int(file.read())
    if not os.geteuid() or paranoid < 1 or "perf" not in engines():
        skip(1, "an ordinary user", "he has no perf events here, or those of CPUs too")
        return
    text = way(250)
    ok(THREADS + "To sample CPUs instead, run GDB as root or set perf_event_paranoid to 0" in text,
       "an ordinary user: threads, and what to do", text)


def test_forbidden():
    """The last one: from here on nothing is permitted."""
    forbid_perf()
    out = Gdb("shares", ["300"]).run("prof-start --engine=perf", "prof-start", "run", "prof-stop")
    ok(re.search(r"perf_event_paranoid is \d+, and must be 2 or less\.|"
                 r"forbidden here, as in many containers: .*\.", out[0]),
       "a refusal says what must be permitted", out[0])
    ok("with the engine stop" in out[1] and "samples in" in out[3], "another engine works", out[1] + out[3])


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(2 * len(BURSTS) + 3 + 1 + 2 + 3 + 2)
for burst in BURSTS:
    check_bursts("perf", 2000, *burst)
test_deep()
test_hollow()
test_brief()
test_way()
test_forbidden()
