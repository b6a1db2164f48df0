#!/usr/bin/python3
"""A thousand threads that mostly sleep: all are known, and looking at them has its limit."""

import re

from session import Gdb, ok, plan, rows

THREADS = 1000
SECONDS = 5


def inclusive(text):
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


plan(5)
out = Gdb("crowd", [str(THREADS), str(SECONDS)]).run(
    "set print thread-events off", "break compute", "run", "prof-start --rate=1000", "continue",
    "prof-stop", "prof-functions --format=csv --metric=wall",
    "prof-functions --format=csv --metric=cpu")
said, wall, cpu = out[5], inclusive(out[6]), inclusive(out[7])
ok("exited normally" in out[4], "the program runs to its end", out[4])
ok("%d threads" % (THREADS + 1) in said, "all threads are known", said)
# It is held below 5 %, but for the first moments.
looking = re.search(r"Looking at threads took ([0-9.]+) % of a CPU", said)
ok(looking and float(looking.group(1)) < 12, "looking at them has its limit", said)
lived = wall.get("wait_at_gate", 0)
ok(0.8 < lived / (THREADS * SECONDS) < 2, "their time is that of a thousand", out[6])
ok(cpu.get("compute", 0) > 0.2 * SECONDS, "and the busy one is sampled", out[7])
