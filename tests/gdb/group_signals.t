#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals that a launcher such as Slurm sends to all processes of a rank: the program gets them as it does without gdbprof."""

import os
import re
import signal
import subprocess
import sys
import tempfile

from answers import cpu_jiffies
from session import BUILD, Gdb, ok, plan, total, wait_until

COMMAND = os.path.join(BUILD, "gdbprof")
BARE = {name: value for name, value in os.environ.items() if not re.match("OMPI_|PMI_|PMIX_|SLURM_", name)}
# Prints each signal; SIGTERM ends it.  It computes in short calls, between which handlers run.
HEARS = """import os, signal
def hear(number, frame):
    os.write(1, b"heard %d\\n" % number)
    if number == signal.SIGTERM:
        os._exit(7)
for number in signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, hear)
os.write(1, b"ready %d\\n" % os.getpid())
while True:
    sum(range(1000))
"""
# What is sent to all processes, and SIGUSR2 to the first one alone, which passes it on after all that came before.
SENT = (signal.SIGUSR1, signal.SIGINT, signal.SIGUSR2, signal.SIGHUP, signal.SIGUSR1, signal.SIGINT, signal.SIGUSR2, signal.SIGTERM)
HEARD = [b"heard %d\n" % number for number in SENT]


def descendants(pid):
    """The processes that PID has started, and those that they have started."""
    found = []
    try:
        for thread in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, thread), encoding="ascii") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass
    return found + [other for child in found for other in descendants(child)]


class Rank:
    """A rank that a launcher has started, and that has computed for a while."""

    def __init__(self, *words, environment=None):
        self.process = subprocess.Popen([*words, sys.executable, "-c", HEARS], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=dict(BARE, **(environment or {})), start_new_session=True)
        begun = self.process.stdout.readline()
        self.program = int(begun.split()[1])
        begin = cpu_jiffies(self.program)
        wait_until(lambda: cpu_jiffies(self.program) > begin + 0.3 * os.sysconf("SC_CLK_TCK"))

    def send(self, number):
        """Send the signal NUMBER; return the line that the program prints."""
        others = descendants(self.process.pid) if number != signal.SIGUSR2 else []
        for pid in [self.process.pid, *others]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return self.process.stdout.readline()

    def end(self):
        """What it prints further on stdout and on stderr, and its exit status."""
        return *self.process.communicate(timeout=300), self.process.returncode


plan(4)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-group-signals-"))
bare = Rank()
lines = [bare.send(number) for number in SENT]
ok(lines == HEARD and bare.end() == (b"", b"", 7), "a program hears what its launcher sends", str(lines))
rank = Rank(COMMAND, "record", "--output=rank.prof", "--", environment={"PMI_RANK": "0", "PMI_SIZE": "1"})
lines = [rank.send(number) for number in SENT]
out, err, status = rank.end()
ok(lines == HEARD and not out, "a rank that is recorded hears the same, each of them once", "%r %r %r" % (lines, out, err))
ok(status == 7 and re.fullmatch(rb"gdbprof: \d+ samples in .*\n", err), "and ends as it does without, like GDB", "%r %r" % (status, err))
loaded = Gdb().run("prof-load rank.prof", "prof-functions --format=csv")
ok(total(loaded[1]) > 10, "its profile is whole", "\n".join(loaded))
