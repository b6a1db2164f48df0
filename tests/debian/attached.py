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


def record(server):
    """Attach to SERVER, which is under load, record it in some windows, and let go of it."""
    gdb = Dialog()
    try:
        gdb.say("handle all nostop noprint pass")
        gdb.say("set prof max-stopped 100")  # the rate stays as it is, see run_recorded()
        said = gdb.say("attach %d" % server.pid)
        said += gdb.say("prof-start --rate=%d" % RATE) + gdb.say("prof-pause")
        said += gdb.say("continue &")
        windows = Windows(server, gdb)
        ratios = [windows.pair(i % 2 == 1) for i in range(PAIRS)]
        if statistics.median(ratios) < LEAST:
            ratios += [windows.pair(i % 2 == 1) for i in range(MORE)]
        windows.record(False)
        since = len(gdb.text)
        gdb.say("interrupt")
        gdb.wait("stopped|received signal", since)
        told = gdb.say("prof-stop")
        tables = gdb.say(FUNCTIONS), gdb.say(WAITS)
        said += gdb.text[since:since + 400] + gdb.say("detach")
        before = server.count()[1]
        server.pause()
        return Attached(seen_of(windows.cpu, told, *tables), ratios, server.count()[1] > before, said)
    finally:
        gdb.kill()


def run(kind):
    """Start a server of KIND in a folder of its own, record it, and end it."""
    folder = tempfile.mkdtemp(prefix="gdbprof-")
    server = kind(folder)
    try:
        server.begin()
        return record(server)
    finally:
        server.end()
        shutil.rmtree(folder, ignore_errors=True)
