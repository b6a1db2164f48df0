#!/usr/bin/python3
"""A thousand threads that mostly sleep: all are known, and looking at them has its limit."""

import re

from session import Gdb, ok, plan, rows

THREADS = 1000
SECONDS = 5
SHORT = 0.3


def inclusive(text):
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def record(seconds, rate, stop, *views):
    """What GDB prints for VIEWS, of a recording from STOP to the end."""
    begin = ["set print thread-events off", "break " + stop, "run", "prof-start --rate=%d" % rate]
    return Gdb("crowd", [str(THREADS), str(seconds)]).run(*begin, "continue", "prof-stop",
                                                          *views)[len(begin):]


plan(6)
ended, said, wall, cpu = record(SECONDS, 100, "compute",
                                "prof-functions --format=csv --metric=wall",
                                "prof-functions --format=csv --metric=cpu")
ok("exited normally" in ended, "the program runs to its end", ended)
ok("%d threads" % (THREADS + 1) in said, "all threads are known", said)
# It is held below 5 %, but for the first moments.
looking = re.search(r"Looking at threads took ([0-9.]+) % of a CPU", said)
ok(looking and float(looking.group(1)) < 10, "looking at them has its limit", said)
lived = inclusive(wall).get("wait_at_gate", 0)
ok(0.8 < lived / (THREADS * SECONDS) < 2, "their time is that of a thousand", wall)
ok(inclusive(cpu).get("compute", 0) > 0.2 * SECONDS, "and the busy one is sampled", cpu)

# It naps while it starts the others, and then soon is believed to have woken up.
*_, said, samples = record(SHORT, 100, "main", "prof-functions --format=csv")
ok(inclusive(samples).get("compute", 0) > SHORT * 100 / 3,
   "so is one that has just slept, as soon as it computes", said + samples)
