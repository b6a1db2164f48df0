#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A thousand threads that mostly sleep: all are known, and looking at them has its limit."""

import re

from dialog import Dialog
from session import Gdb, again, due, grown, ok, plan, rows

THREADS = 1000
SECONDS = 5
SHORT = 0.3
COLD, WARM = 15, 7  # more of a CPU, in percent, must not go into looking at threads: at first, and later


def inclusive(text):
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def record(seconds, rate, stop, *views):
    """What GDB prints for VIEWS, of a recording from STOP to the end."""
    begin = ["set print thread-events off", "set prof max-stopped 100", "break " + stop, "run",
             "prof-start --rate=%d" % rate]
    return Gdb("crowd", [str(THREADS), str(seconds)]).run(*begin, "continue", "prof-stop",
                                                          *views)[len(begin):]


def looked(text):
    """The seconds that the program went on, and of CPU time that looking at threads took in them."""
    seconds = re.search(r"samples in ([0-9.]+) s", text)
    share = re.search(r"Looking at threads took ([0-9.]+) % of a CPU", text)
    total = float(seconds[1]) if seconds else 0
    return total, total * float(share[1]) / 100 if share else 0


def price(text):
    """The share of a CPU, in percent, that looking at threads took by what is said in TEXT."""
    found = re.search(r"Looking at threads took ([0-9.]+) % of a CPU", text)
    return float(found[1]) if found else 100


def warm():
    """The share of a CPU, in percent, that looking takes once the first seconds are over.  Again where it is
    too much: what the host of a virtual machine takes away may be in it."""
    gdb = Dialog("crowd", [str(THREADS), "600"])
    for command in ("set print thread-events off", "break compute", "run", "prof-start --rate=100",
                    "continue &"):
        gdb.say(command)
    end, after = looked(gdb.ask(lambda text: looked(text)[0] > 1.5, "prof-status"))
    for _ in range(5):
        begin, before = end, after
        end, after = looked(gdb.ask(lambda text: looked(text)[0] > begin + 3, "prof-status"))
        share = 100 * (after - before) / max(end - begin, 1e-9)
        if share < WARM:
            break
    gdb.end("kill")
    return share, gdb.text


plan(9)
ended, said, wall, cpu, threads = again(lambda: record(
    SECONDS, 100, "compute", "prof-functions --format=csv --metric=wall",
    "prof-functions --format=csv --metric=cpu",
    "prof-threads --format=csv --metric=samples,cpu --limit=2"), lambda out: price(out[1]) < COLD)
ok("exited normally" in ended, "the program runs to its end", ended)
ok("%d threads" % (THREADS + 1) in said, "all threads are known", said)
# Turns of those that sleep are held below 5 %, but for the first moments, with what else there is to do,
# and not given up where that takes as much: a sample may take 0.2 ms.
ok(price(said) < COLD, "looking at them has its limit", said)
lived = inclusive(wall).get("wait_at_gate", 0) / THREADS
ok(0.8 * SECONDS < lived < 1.05 * looked(said)[0], "their time is that of a thousand", wall + said)
# One thread computes, and the samples are its own: as many as its CPU time has rounds.
total, busy = [(float(row["samples"]), float(row["cpu"])) for row in rows(threads)]
least, most = due(said, 0.6 * busy[1], 1.6 * busy[1])
ok(inclusive(cpu).get("compute", 0) > 0.8 * busy[1] > 0, "the busy one's time is where it computes", cpu + threads)
# On a machine with much else to do it computes less, and what the others need to begin and to end is more of
# it all: 0.5 s where system calls are slow, in pieces that looks come too late for.
ok(total[0] and abs(busy[0] / total[0] - busy[1] / total[1]) < 0.25, "its samples are as much of all as its CPU time",
   threads)
ok(least < busy[0] < most, "and as many as its CPU time has rounds", said + threads)

share, text = warm()
ok(0 < share < WARM, "warm, looking stays below its bound", "%.2f %%\n%s" % (share, text))
print("# warm: %.2f %% of a CPU" % share)

# It naps while it starts the others, and then soon is believed to have woken up.
def briefly(seconds):
    """Its CPU time in ticks, its samples, and all that is printed."""
    *_, said, cpu, samples = record(seconds, 100, "main", "prof-functions --format=csv --metric=cpu",
                                    "prof-functions --format=csv")
    return 100 * inclusive(cpu).get("compute", 0), inclusive(samples).get("compute", 0), said + cpu + samples


ticks, samples, text = again(lambda: grown(briefly, lambda out: out[0] > 20, SHORT),
                             lambda out: out[1] > out[0] / 3)
ok(ticks > 20 and samples > ticks / 3, "so is one that has just slept, as soon as it computes", text)
