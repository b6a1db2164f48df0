#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Short work between waits has the share that it has by the program's own account.

The program bursts counts its work itself; its CPU time is the kernel's account.  KINDS="futex sleep" selects some kinds of waits by name, and SPANS="10 100"
some lengths of work in us.

At the end stands a table: the work's share in percent of the CPU time, by the program's own account, and as it was found.
With PEERS=yes also as two records of perf found it in the same run, which lengthens each switch.
"""

import collections
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

from dialog import Dialog  # noqa: E402
from session import engines, ok, plan, program, rows, skip_all, wait_until  # noqa: E402

RATE = 997
SECONDS = 3  # of CPU time
POINTS = 3  # so far from the account gdbprof may be,
BRIEF = {"5": 9, "10": 7, "20": 5}  # so far where the thread sleeps after so short work,
STOP = 30e-6  # seconds of the thread's CPU time that a tick of the engine stop takes, where it hits, at the most
CHANCE = 4  # and so many standard deviations
KINDS = os.environ.get("KINDS", "futex sleep poll read epoll").split()
SPANS = os.environ.get("SPANS", "5 10 20 50 100 1000").split()
CLOCKS = ("task-clock", "cpu-clock") if os.environ.get("PEERS") == "yes" else ()  # of perf's records
WORK = "once", "twice", "thrice"

# The SHARES in percent of the functions of WORK in so many SAMPLES of serve().
Found = collections.namedtuple("Found", "shares samples")


def is_open(process):
    """Has PROCESS opened perf events?"""
    folder = "/proc/%d/fd" % process.pid
    try:
        return any("perf_event" in os.readlink(os.path.join(folder, name)) for name in os.listdir(folder))
    except OSError:
        return False


def begin_peer(clock, pid, data):
    """Have perf record PID by CLOCK into the file DATA until it ends."""
    peer = subprocess.Popen(["perf", "record", "-q", "-e", clock, "-F", str(RATE), "--call-graph", "dwarf,1024",
                             "-p", str(pid), "-o", data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not wait_until(lambda: is_open(peer)):
        raise RuntimeError("perf record does not begin")
    time.sleep(0.5)  # it maps its rings, and switches its events on
    return peer


def of_peer(data):
    """What perf has found, as the file DATA has it."""
    script = subprocess.run(["perf", "script", "-i", data, "--no-inline", "-F", "comm,ip,sym"], check=True, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    stacks = [set(re.findall(r"^\s+[0-9a-f]+ (\S+)", stack, re.M)) for stack in script.split("\n\n")]
    served = [stack for stack in stacks if "serve" in stack]
    return Found([100 * sum(name in stack for stack in served) / max(len(served), 1) for name in WORK], len(served))


def of_gdbprof(told, table):
    """What gdbprof has found, by what prof-stop and prof-functions have printed."""
    shares = {row["name"]: float(row["inclusive_percent"] or 0) for row in rows(table)}
    samples = re.search(r"^(\d+) samples?", told, re.M)
    return Found([100 * shares.get(name, 0) / (shares.get("serve") or 100) for name in WORK],
                 int(samples[1]) if samples else 0)


def record(engine, span, kind, folder):
    """The program's own account (of all, of WORK, of all with the time that switching takes), what part of the time
    it was kept from running, what gdbprof finds, and each of perf's clocks."""
    files = [os.path.join(folder, clock) for clock in CLOCKS]
    gdb = Dialog(program("bursts"), [str(SECONDS), span, kind], timeout=250)
    peers = []
    try:
        for command in ("break serve", "set prof max-stopped 100",
                        "prof-start --rate=%d --engine=%s" % (RATE, engine), "run"):
            gdb.say(command)
        pid = int(gdb.say("python print(gdb.selected_inferior().pid)"))
        for clock, data in zip(CLOCKS, files):
            peers.append(begin_peer(clock, pid, data))
        gdb.say("continue")
        for peer in peers:
            peer.wait(60)
        told = gdb.say("prof-stop") + gdb.text
        table = gdb.say("prof-functions --metric=cpu --limit=0 --format=csv")
        own = re.search(r"all ([0-9.]+) once ([0-9.]+) twice ([0-9.]+) thrice ([0-9.]+) cpu ([0-9.]+)", gdb.text)
        kept = re.search(r"kept from running for ([0-9.]+) %", gdb.text)
        return ([float(number) for number in own.groups()], float(kept[1]) / 100 if kept else 0, of_gdbprof(told, table),
                [of_peer(data) for data in files])
    finally:
        gdb.kill()
        for peer in peers:
            if peer.poll() is None:
                peer.kill()


def allowed(share, samples, kind, span, engine):
    """How far from the SHARE the ENGINE may be with so many SAMPLES of work of SPAN us between waits of the KIND."""
    points = BRIEF.get(span, POINTS) if kind in ("futex", "sleep") else POINTS
    points += 100 * RATE * STOP if engine == "stop" and float(span) < 100 else 0
    return points + CHANCE * math.sqrt(max(share * (100 - share), 100) / max(samples, 1))


def check(engine, span, kind):
    """One test.  Returns a line of the table."""
    folder = tempfile.mkdtemp(prefix="gdbprof-")
    try:
        own, kept, ours, peers = record(engine, span, kind, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    # The clock of an interrupted burst goes on: on a busy machine all bursts may take longer than the CPU time.
    shares = [100 * time / max(own[4], sum(own[1:4])) for time in own[1:4]]
    # So does that of a burst in which the thread was stopped, unless it is thrown out.
    kept = kept if float(span) < 100 else 0
    values = [[*shares, sum(shares)]] + [[*found.shares, sum(found.shares)] for found in (ours, *peers)]
    wrong = [(name, *row) for name, *row in zip((*WORK, "work"), *values)
             if not row[0] * (1 - kept) - allowed(row[0], ours.samples, kind, span, engine) <= row[1]
             <= row[0] + allowed(row[0], ours.samples, kind, span, engine)]
    ok(ours.samples > RATE * SECONDS / 2 and not wrong, "%s: work of %s us between calls of %s" % (engine, span, kind),
       wrong or values)
    return "%-6s %5s %-6s" % (kind, span, engine) + "".join(" %10.1f" % row[-1] for row in values)


signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))
if CLOCKS and not shutil.which("perf"):
    skip_all("perf is not installed")
if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(2 * len(KINDS) * len(SPANS))
lines = [check(engine, span, kind) for kind in KINDS for span in SPANS for engine in ("perf", "stop")]
print("# %-6s %5s %-6s" % ("wait", "us", "engine") + "".join(" %10s" % name for name in ("own", "gdbprof", *CLOCKS)))
print("".join("# %s\n" % line for line in lines), end="")
