#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several inferiors: those that go on are sampled, each by the names of its own program."""

import re

from session import MORE, Gdb, again, engines, ok, plan, program, rows

VIEW = "prof-functions --format=csv --limit=0"

# Prints how much memory Python keeps for a second inferior that has come and gone.
KEPT = """python exec(%r)""" % """import tracemalloc
def turn():
    gdb.execute("add-inferior", to_string=True)
    gdb.execute("remove-inferiors %d" % max(one.num for one in gdb.inferiors()))
def kept():
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(100):
        turn()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return after - before
turn()
print("kept", kept())"""


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text) if row["inclusive"]}


def has(text, **least):
    """Have functions more samples in TEXT than the numbers LEAST?"""
    found = samples(text)
    return all(found.get(name, 0) > count for name, count in least.items())


ENGINES = [engine for engine in engines() if MORE or engine != "catch"]
plan(9 * len(ENGINES) + 4)
for engine in ENGINES:
    what = engine + ": "
    # The second program has other functions at the same addresses.
    out = again(lambda: Gdb("family", ["fork"]).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --engine=" + engine, "tbreak first",
        "run", "add-inferior -exec " + program("shares"), "inferior 2", "tbreak plain", "run 200",
        "prof-status", VIEW, "continue", VIEW, "inferior 1", VIEW, "set schedule-multiple on",
        "prof-status", "inferior 2", "tbreak plain", "set schedule-multiple off", "run 200",
        "set schedule-multiple on", "continue", "prof-status", "inferior 1", "continue", "prof-stop",
        VIEW), lambda out: has(out[11], plain=1, recurse=5) and has(out[26], first=5, parent=5, recurse=5))
    ok("first ()" in out[3] and "plain ()" in out[7] and "of 2 processes 0 run" in out[8],
       what + "two programs stand still", "\n".join(out[3:9]))
    found = samples(out[11])
    ok("exited normally" in out[10] and has(out[11], plain=1, recurse=5),
       what + "one alone goes on, and is sampled", out[11])
    # What the kernel took to stop it at its breakpoint may have been sampled.
    ok(found.get("first", 0) < 5 and "burn" not in found, what + "the other is not", out[11])
    ok(out[13] == out[11], what + "whichever is selected", out[13])
    ok("stands still" in out[15], what + "the end of one leaves the other", out[15])
    ok("plain ()" in out[19] and "exited" in out[21], what + "both go on", "\n".join(out[19:22]))
    ok(re.search(r"3 processes were sampled: \d+, \d+, \d+\.", out[22]) is not None,
       what + "and so it is said", out[22])
    ok("exited with code 04" in out[21] + out[24], what + "to the end", out[21] + out[24])
    found = samples(out[26])
    ok(has(out[26], first=5, parent=5, recurse=5) and "child" not in found, what + "all have their names", out[26])

# A process that GDB attaches to while another stands still.
out = again(lambda: Gdb("family", ["fork"]).run(
    "set prof max-stopped 100", "prof-start --rate=1000", "tbreak first", "run", "add-inferior",
    "inferior 2", "file " + program("shares"), "tbreak plain", "run 200", "kill", "prof-status",
    "remove-inferiors 2", "inferior 1", "remove-inferiors 2", "continue", "prof-stop", VIEW),
            lambda out: has(out[-1], parent=5, first=5))
ok("killed" in out[9] and "stands still" in out[10] and "exited with code 04" in out[14],
   "one is killed and removed", "\n".join(out))
ok(has(out[-1], parent=5, first=5), "and the other sampled on", out[-1])
# Two processes that go on at the same time: what is between begin and end cannot be longer than it was.
out = Gdb("shares", ["400"]).run(
    "set prof max-stopped 100", "tbreak main", "run", "add-inferior -exec " + program("shares"), "inferior 2",
    "tbreak main", "run 400", "set schedule-multiple on", "python import time; begin = time.monotonic()",
    "prof-start --rate=100", "continue", "continue", "python print('lasted', time.monotonic() - begin)", "prof-stop")
seconds = re.search(r"samples in ([0-9.]+) s", out[-1])
lasted = re.search(r"^lasted ([0-9.]+)", out[-2], re.M)
ok(seconds and lasted and 0.5 < float(seconds[1]) < float(lasted[1]) + 0.01, "seconds are not those of each process",
   "\n".join(out[-5:]))
outs = Gdb().run("prof-start --engine=none", KEPT)[-1], Gdb(load=False).run(KEPT)[-1]
# GDB 10 keeps some of its own.
kept, own = (int(re.search(r"^kept (-?\d+)$", out, re.M)[1]) for out in outs)
ok(kept < own + 1000, "handlers keep no memory of Python's", "\n".join(outs))
