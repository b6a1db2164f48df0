#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples divided by the rate are the CPU time that the kernel counts, with the settings that a user has: of
programs, of servers under load, and of families of processes.  PROGRAMS="xz redis" selects some by name.

At the end stands a table of them all, with `perf record' in the same seconds of those that are attached to, and how
long a family takes to how long it takes in a GDB that does not record.
"""

import math
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

import attached  # noqa: E402
import inputs  # noqa: E402
import programs  # noqa: E402
import recorded  # noqa: E402
import servers  # noqa: E402
from session import engines, ok, plan, skip  # noqa: E402

RATE = 100
SECONDS = 10  # of each server
ENOUGH = 0.5  # seconds of CPU time, to be judged
APART = 0.05  # so far may samples over the rate be from the CPU time, and
CHANCE = 1.5  # samples, times the root of the number of threads: where in a period each of them begins, and
MOST = 16  # samples at the most, where there are many
SLOWER = 1.03  # times what it takes otherwise, at the most
PAIRS = 5  # of runs, recorded and not: if all of them are slower, that is no chance

ENGINES = [name for name in ("perf", "stop") if name in engines()]
START = "prof-start --rate=%d --engine=%%s" % RATE
FAMILY = START % "perf" + " --children"

lines = ["%-15s %-6s %7s %6s %8s %8s %8s  %s" % (
    "of", "engine", "threads", "CPU s", "gdbprof", "perf", "slower", "lowered to Hz")]


def cpu_time(server):
    """The CPU time of what is recorded of SERVER."""
    return sum(map(attached.cpu_time, servers.family(server.pid)))


def perf(server):
    """How many samples perf takes of SERVER in so many seconds, to the CPU time that it has in these."""
    data = server.at("perf.data")
    before = cpu_time(server)
    subprocess.run(["perf", "record", "-q", "-e", "task-clock", "-F", str(RATE), "-o", data, "-p",
                    ",".join(map(str, servers.family(server.pid))), "--", "sleep", str(SECONDS)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    cpu = cpu_time(server) - before
    report = subprocess.run(["perf", "script", "-i", data, "-F", "tid"], capture_output=True, text=True, check=False)
    return len(report.stdout.split()) / RATE / cpu if cpu else 0


def of_server(server, start):
    """The CPU time of SERVER while START has recorded it, what prof-stop has said, and what perf has found."""
    def beside(gdb):
        before = cpu_time(server)
        gdb.say("prof-resume")
        theirs = perf(server)
        gdb.say("prof-pause")
        return cpu_time(server) - before, theirs

    (cpu, theirs), _, (told, _) = attached.let_run(server, [], start, beside, "prof-stop", "detach")
    return cpu, told, theirs


def judge(name, engine, cpu, told, theirs=None, slower=None):
    """One test: what prof-stop has TOLD of CPU seconds."""
    samples = recorded.number(r"^(\d+) samples?", told)
    threads = recorded.number(r"; (\d+) thread", told)
    ratio = samples / RATE / cpu if cpu else 0
    slack = APART + min(CHANCE * math.sqrt(max(threads, 1)), MOST) / RATE / cpu if cpu else 0
    lowered = re.search(r"lowered to ([0-9.]+) Hz", told)
    lines.append("%-15s %-6s %7d %6.2f %8.3f %8s %8s  %s" % (
        name, engine, threads, cpu, ratio, *("%.3f" % one if one else "-" for one in (theirs, slower)),
        lowered[1] if lowered else "-"))
    what = "%s, engine %s: samples for %.3f of %.2f s of CPU time" % (name, engine, ratio, cpu)
    if told and 0 < cpu < ENOUGH:
        skip(1, what, "too little CPU time to tell")
    else:
        ok(abs(ratio - 1) <= slack, what, told)


def run(command, folder, *begin):
    return recorded.in_gdb(command, os.path.join(folder, "inputs"), os.path.join(folder, "run"), begin, "prof-stop")


def check_program(program, folder):
    command = recorded.find(program.command)
    if not command:
        skip(len(ENGINES), program.name, "the package %s is not installed" % program.package)
        return
    for engine in ENGINES:
        one = run(command, folder, START % engine)
        judge(program.name, engine, one.cpu, one.told[0])


def check_family(program, folder):
    command = recorded.find(program.command)
    if not command:
        skip(2, program.name, "the package %s is not installed" % program.package)
        return
    ratios = []
    while not ratios or (min(ratios) > SLOWER and len(ratios) < PAIRS):
        one = run(command, folder, FAMILY)
        ratios.append(one.wall / run(command, folder).wall)
    judge(program.name, "perf", one.cpu, one.told[0], slower=statistics.median(ratios))
    what = "%s: takes %.3f of what it takes otherwise" % (program.name, statistics.median(ratios))
    if 0 < one.cpu < ENOUGH:
        skip(1, what, "it takes too short to tell")
    else:
        ok(min(ratios) <= SLOWER, what, ratios)


def check_server(name, kind, starts):
    for engine, start in starts.items():
        if missing := kind.missing():
            skip(1, name, "%s is not installed" % missing)
        else:
            judge(name, engine, *attached.run(kind, lambda server, start=start: of_server(server, start)))


def chosen(name):
    return name in wanted or not wanted


signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))
wanted = os.environ.get("PROGRAMS", "").split()
singles = [program for program in programs.PROGRAMS if chosen(program.name)]
families = [program for program in programs.FAMILIES if chosen(program.name) and "perf" in ENGINES]
kinds = [(name, kind, {engine: START % engine for engine in ENGINES}) for name, kind in servers.SERVERS.items()
         if chosen(name)]
kinds += [(name, kind, {"perf": FAMILY}) for name, kind in servers.FAMILIES.items() if chosen(name) and "perf" in ENGINES]
plan(len(ENGINES) * len(singles) + 2 * len(families) + sum(len(starts) for _, _, starts in kinds))
with tempfile.TemporaryDirectory(prefix="gdbprof-") as folder:
    os.mkdir(os.path.join(folder, "inputs"))
    if singles or families:
        inputs.make_all(os.path.join(folder, "inputs"))
    for program in singles:
        check_program(program, folder)
    for program in families:
        check_family(program, folder)
for name, kind, starts in kinds:
    check_server(name, kind, starts)
print("".join("# %s\n" % line for line in lines), end="", flush=True)
