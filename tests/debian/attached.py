# SPDX-License-Identifier: GPL-3.0-or-later
"""A server attached to under load: how much of it is seen, and what that costs its throughput."""

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

from dialog import Dialog  # noqa: E402
from recorded import FUNCTIONS, WAITS, seen_of  # noqa: E402

RATE = 100
PAIRS = 8  # of windows, one recorded and one not
MORE = 8  # pairs, where these do not tell
CERTAIN = 14  # so many of PAIRS + MORE come out below the median by chance once in 480 times
LEAST = 0.97  # of the throughput

# RATIOS of throughput, recorded to not, one a pair; GOES_ON: it does more after `detach'; what GDB
# has SAID.
Attached = namedtuple("Attached", "seen ratios goes_on said")


def cpu_time(pid):
    """The CPU time of the process PID, threads that have ended included."""
    return time.clock_gettime(~pid << 3 | 2)


def throughput(server, change):
    """Operations a second in a window that begins with CHANGE ()."""
    begin, before = server.count()
    change()
    server.pause()
    end, after = server.count()
    return (after - before) / (end - begin)


class Windows:
    """Windows in which SERVER is recorded or not, as GDB is told."""

    def __init__(self, server, gdb):
        self.server = server
        self.gdb = gdb
        self.recorded = False
        self.cpu = 0  # seconds while it was recorded

    def record(self, recorded):
        """Pause or resume, unless it is so already."""
        if recorded == self.recorded:
            return
        self.recorded = recorded
        if recorded:
            self.gdb.say("prof-resume")
            self.cpu -= cpu_time(self.server.pid)
        else:
            self.cpu += cpu_time(self.server.pid)
            self.gdb.say("prof-pause")

    def pair(self, first):
        """The ratio of two neighbours, of which the FIRST is recorded or not."""
        got = {which: throughput(self.server, lambda which=which: self.record(which))
               for which in (first, not first)}
        return got[True] / got[False]


def certain_loss(ratios):
    """Is the median of RATIOS below LEAST, beyond what chance explains?"""
    return len(ratios) > PAIRS and sum(ratio < LEAST for ratio in ratios) >= CERTAIN


def quartiles(ratios):
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return low, middle, high


def let_run(server, before, begin, meanwhile, *after):
    """Attach to SERVER, which is under load, and record it while it goes on.

    BEFORE are commands to be given before that, BEGIN is the one that begins to record.  That is on hold while
    MEANWHILE (gdb) is called; this resumes it, and holds it again.  AFTER are given at the end.  Returns what
    MEANWHILE has returned, what GDB has said until then, and to each of AFTER.
    """
    gdb = Dialog()
    try:
        for command in ("handle all nostop noprint pass", *before):
            gdb.say(command)
        said = "".join(gdb.say(command) for command in ("attach %d" % server.pid, begin, "prof-pause", "continue &"))
        done = meanwhile(gdb)
        since = len(gdb.text)
        gdb.say("interrupt")
        gdb.wait("stopped|received signal", since)
        answers = [gdb.say(command) for command in after]
        return done, said + gdb.text[since:since + 400], answers
    finally:
        gdb.kill()


def in_windows(server, gdb):
    """The ratios of throughput in pairs of windows, and the CPU time while SERVER was recorded."""
    windows = Windows(server, gdb)
    ratios = [windows.pair(i % 2 == 1) for i in range(PAIRS)]
    if statistics.median(ratios) < LEAST:
        ratios += [windows.pair(i % 2 == 1) for i in range(MORE)]
    windows.record(False)
    return ratios, windows.cpu


def record(server):
    """Record SERVER in some windows, and let go of it."""
    (ratios, cpu), said, (*told, left) = let_run(
        server, ["set prof max-stopped 100"],  # the rate stays as it is, see run_recorded()
        "prof-start --rate=%d" % RATE, lambda gdb: in_windows(server, gdb), "prof-stop", FUNCTIONS, WAITS, "detach")
    before = server.count()[1]
    server.pause()
    return Attached(seen_of(cpu, *told), ratios, server.count()[1] > before, said + left)


def run(kind, what=record):
    """Start a server of KIND in a folder of its own, do WHAT (server) with it, and end it."""
    folder = tempfile.mkdtemp(prefix="gdbprof-")
    server = kind(folder)
    try:
        server.begin()
        return what(server)
    finally:
        server.end()
        shutil.rmtree(folder, ignore_errors=True)
