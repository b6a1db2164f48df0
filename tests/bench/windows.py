# SPDX-License-Identifier: GPL-3.0-or-later
"""What sampling costs a program that is sampled in every other window of 0.1 s."""

import os
import re
import shutil
import subprocess
import tempfile

from common import LOADER, LONGEST, QUICK, attempt, environment, fail, fields, head, program, say

SECONDS = 1 if QUICK else 6

# What is sampled: a title, busy threads, depth, sleeping threads, and rates.
PROGRAMS = (
    ("1 thread, 20 deep", 1, 20, 0, (100, 1000, 10000)),
    ("1 thread, 200 deep", 1, 200, 0, (100, 1000)),
    ("8 threads, 20 deep", 8, 20, 0, (100, 1000)),
    ("1 beside 160 sleeping", 1, 20, 160, (100, 1000)),
    ("1 beside 400 sleeping", 1, 20, 400, (100, 1000)),
)


def command(way, busy, depth, sleeping):
    return [program("windows"), way, str(busy), str(depth), str(sleeping), str(SECONDS)]


def under_gdb(engine, rate, shape):
    """What the program tells, and the bytes of a file that 1 s of sampling takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        done = subprocess.run(
            ["gdb", "-nx", "-batch", "-iex", "set width 0", "-x", LOADER, "-ex", "set prof max-stopped 100", "-ex",
             "prof-start --engine=%s --rate=%d --output=%s" % (engine, rate, path), "-ex", "run", "-ex", "prof-stop",
             "--args"] + command("gdbprof", *shape),
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(), timeout=LONGEST)
        size = os.path.getsize(path) if os.path.exists(path) else 0
    if not re.search(r"[1-9]\d* samples in", done.stdout):
        fail("The program was not sampled:", done.stdout[-2000:])
    return fields(done.stdout), size / (SECONDS / 2)


def under_perf(options, rate, shape):
    """The same of `perf record' with OPTIONS."""
    with tempfile.TemporaryDirectory() as folder:
        fifo, path = os.path.join(folder, "control"), os.path.join(folder, "perf.data")
        os.mkfifo(fifo)
        done = subprocess.run(
            ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(rate), *options, "-D", "-1", "--control",
             "fifo:" + fifo, "-o", path, "--"] + command(fifo, *shape),
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(), timeout=LONGEST)
        size = os.path.getsize(path) if os.path.exists(path) else 0
    return fields(done.stdout), size / (SECONDS / 2)


def ways():
    """All ways to sample: a title, a function, and what it is told."""
    yield "engine perf", under_gdb, "perf"
    yield "engine stop", under_gdb, "stop"
    if shutil.which("perf"):
        yield "perf record -g", under_perf, ["-g"]
        yield "perf record, dwarf", under_perf, ["--call-graph", "dwarf"]


def show_program(title, shape, rates):
    say("\n%s\n%-28s %-28s %s" % (title, "", "median ratio (quartiles)", "MB/s of file"))
    for rate in rates:
        for name, measure, told in ways():
            found, size = measure(told, rate, shape)
            if "median" not in found:
                fail("%s, %d Hz: the program was not run to its end." % (name, rate))
            say("%-28s %-28s %.3f" % ("%s, %d Hz" % (name, rate), "%.3f (%.3f - %.3f)" % (
                found["median"], found["lower"], found["upper"]), size / 1e6))


def show():
    head("WINDOWS: sampled and not, one after the other in one run")
    say("The program works in windows of 0.1 s, and is sampled in every other one.  The ratio is of the work it does in a")
    say("second in windows that are not sampled to that in the one between them: its median over %d windows." % (
        SECONDS * 5 - 1))
    if not shutil.which("perf"):
        say("perf is not installed: nothing is shown of it.")
    for title, busy, depth, sleeping, rates in PROGRAMS:
        attempt(title, show_program, title, (busy, depth, sleeping), rates)
