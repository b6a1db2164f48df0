# SPDX-License-Identifier: GPL-3.0-or-later
"""The same stacks in each format that gdbprof writes and reads, to the list of functions."""

import os
import random
import shutil
import subprocess
import tempfile
import time

from common import BUILD, LONGEST, QUICK, environment, fail, head, say

SAMPLES = 100000 if QUICK else 1000000
STACKS = SAMPLES // 10
DEPTH = 25
COMMAND = os.path.join(BUILD, "gdbprof")
# What was wanted of a million on a machine of one's own, in seconds.
WANTED = {"folded": "1.0", "prof": "0.3"}
STEPS = (("folded", "folded stacks"), ("prof", "gdbprof's own file"), ("pprof", "pprof"), ("speedscope", "speedscope"))


def write_stacks(path):
    """SAMPLES folded stacks, a line each, that have grown from each other; few are met often."""
    source = random.Random(1)
    stacks = [["main"]]
    while len(stacks) <= STACKS:
        stack = source.choice(stacks)
        keep = stack[:source.randint(1, len(stack))]
        stacks.append(keep + ["f%d" % source.randrange(40) for _ in range(DEPTH - len(keep))])
    lines = [";".join(stack) + " 1\n" for stack in stacks[1:]]
    with open(path, "w", encoding="ascii") as file:
        for _ in range(SAMPLES):
            file.write(lines[int(len(lines) * source.random() ** 3)])


def measure(command):
    """What COMMAND takes: seconds on a CPU, seconds in all, and MB of memory at its peak."""
    began = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=environment()) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        fail("%s failed with status %d" % (" ".join(command), process.returncode))
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss / 1000


def row(what, size, figures, wanted=""):
    say("%-34s %8.1f %8.2f %8.2f %8.0f %8s" % (what, size / 1e6, *figures, wanted))


def show():
    head("FILES: a million samples from a file to the list of functions")
    with tempfile.TemporaryDirectory() as place:
        path = {name: os.path.join(place, name) for name, _ in STEPS}
        write_stacks(path["folded"])
        subprocess.run([COMMAND, "merge", "-o", path["prof"], path["folded"]], check=True, timeout=LONGEST)
        for name in ("pprof", "speedscope"):
            subprocess.run([COMMAND, "export", "--format=" + name, "-o", path[name], path["folded"]], check=True,
                           timeout=LONGEST)
        say("%d samples of %d stacks, %d deep, by gdbprof report, and the start of the command alone." % (
            SAMPLES, STACKS, DEPTH))
        say("Memory below 30 MB is that of this script, from which the commands start.\n")
        say("%-34s %8s %8s %8s %8s %8s" % ("", "MB", "CPU s", "all s", "MB of", "wanted s"))
        say("%-34s %8s %8s %8s %8s" % ("", "", "", "", "memory"))
        row("gdbprof --version", 0, measure([COMMAND, "--version"]), "0.02")
        for name, what in STEPS:
            row(what, os.path.getsize(path[name]), measure([COMMAND, "report", path[name]]),
                WANTED.get(name, "") if not QUICK else "")
        if shutil.which("go"):
            row("pprof, by go tool pprof -top", os.path.getsize(path["pprof"]),
                measure(["go", "tool", "pprof", "-top", path["pprof"]]))
        else:
            say("go tool pprof is left out: it is not installed.")
