#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A sampled program sees no EINTR: not where it sleeps, and not where it falls asleep."""

import re

from session import Gdb, grown, ok, plan

WAYS = "epoll_wait semtimedop sigtimedwait recv poll nanosleep read msgrcv".split()
RING = "io_uring_enter"  # which not every kernel grants
# It is not the number of calls that counts, but that ticks come when a thread falls asleep: without
# the engine's care for it three of a hundred samples ended a call.
RUNS = (("stop", 1000, 600, 300), ("catch", 250, 200, 20))


def samples(out):
    found = re.search(r"^(\d+) samples?", out[4], re.M)
    return int(found[1]) if found else 0


if __name__ == "__main__":
    plan(3 * len(RUNS) + 1)
    for engine, rate, calls, least in RUNS:
        out = grown(lambda calls, rate=rate, engine=engine: Gdb("waits", [str(calls)]).run(
            "set print thread-events off", "set prof max-stopped 100",
            "prof-start --rate=%d --engine=%s" % (rate, engine), "run", "prof-stop"),
                    lambda out, least=least: samples(out) >= least, calls)
        ok(samples(out) >= least, "%s: there are samples enough" % engine, out[4])
        found = dict(re.findall(r"^(\w+) \d+ (\d+ \d+)$", out[3], re.M))
        ring = found.pop(RING, "")
        ok(found == dict.fromkeys(WAYS, "0 0"), "%s: no call was cut short" % engine, out[3])
        skip = RING + " unavailable" in out[3]
        ok(skip or ring == "0 0", "%s: nor %s%s" % (
            engine, RING, " # SKIP there is no io_uring here" if skip else ""), out[3])
    # Marks between a round's begin and its look at a thread; see "distrust" in session.py.
    out = Gdb("waits", ["300"]).run(
        "set print thread-events off", "set prof max-stopped 100",
        "prof-start --rate=1000 --clock=wall --mark-period=1ms", "run", "prof-stop")
    found = re.search(r"^(\d+) samples? in ([0-9.]+) s; (\d+) threads, (\d+) marks", out[4], re.M)
    count, seconds, threads, marks = (float(word) for word in found.groups()) if found else [0] * 4
    ok(marks > 100 and threads * 0.05 * seconds < count <= threads * (1100 * seconds + 2),
       "by the wall clock no thread has more samples than there were rounds", out[4])
