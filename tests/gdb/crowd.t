#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A new thread costs the same, and so does one that GDB attaches to, however many there are."""

import os
import re
import subprocess

from session import Gdb, ok, plan, program, wait_until

READS = "python print('reads', open('/proc/self/io').read().split('syscr: ')[1].split()[0])"

plan(3)


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
    # So seldom is nobody looked at meanwhile, however long it takes.
    sampled, says = reads(threads, "prof-start --rate=0.1")
    found[threads] = (sampled - usual) / threads
    if threads == 400:
        ok("exited normally" in said and "exited normally" in says, "the program runs to its end",
           said + says)
ok(found[400] < 2 * found[50] + 10, "few files are read for a new thread", found)


def attached(threads, *commands):
    """How many times GDB read a file while it attached to a program of so many THREADS."""
    target = subprocess.Popen([program("crowd"), str(threads), "600"])
    wait_until(lambda: len(os.listdir("/proc/%d/task" % target.pid)) > threads)
    out = Gdb().run("set print thread-events off", *commands, READS, "attach %d" % target.pid, READS, "kill")
    target.wait()
    before, after = (int(re.search(r"reads (\d+)", out[i]).group(1)) for i in (-4, -2))
    return after - before


found = {threads: (attached(threads, "prof-start --rate=0.1") - attached(threads)) / threads for threads in (50, 400)}
ok(found[400] < 2 * found[50] + 10, "few files are read for a thread that GDB attaches to", found)
