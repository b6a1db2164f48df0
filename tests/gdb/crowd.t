#!/usr/bin/python3
"""A new thread costs the same, however many there are."""

import re

from session import Gdb, ok, plan

READS = "python print('reads', open('/proc/self/io').read().split('syscr: ')[1].split()[0])"

plan(2)


def reads(threads, *commands):
    """How many times GDB read a file while a program with so many THREADS ran, and what it said."""
    out = Gdb("crowd", [str(threads)]).run(
        "set print thread-events off", *commands, "break main", "run", "delete", READS, "continue",
        READS)
    before, after = (int(re.search(r"reads (\d+)", out[i]).group(1)) for i in (-3, -1))
    return after - before, out[-2]


found = {}
for threads in (50, 400):
    usual, said = reads(threads)
    sampled, says = reads(threads, "prof-start --rate=1")
    found[threads] = (sampled - usual) / threads
    if threads == 400:
        ok("exited normally" in said and "exited normally" in says, "the program runs to its end",
           said + says)
ok(found[400] < 2 * found[50] + 10, "few files are read for a new thread", found)
