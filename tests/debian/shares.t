#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What functions of servers have of the CPU time is what `perf record' finds in the same run.

PROGRAMS="redis sqlite3" selects some by name.  Short bursts of work are what servers are made of, and
what a profiler gets wrong that looks at a thread first and stops it then.

They take turns of some seconds.  At the same time each has its timer set whenever the thread gets a CPU, one after the
other, and that distorts what one of them finds: epoll_wait() of redis had 60 % by one, 38 % by the other, and 43 % by
redis's own account, and gdbprof was now the one, now the other.

CLOCKS="task-clock cpu-clock" has perf record by two clocks in turn.  How far these are from each other is what chance
does.

SCOPE=cpus has perf sample all CPUs, which needs root, RATE=249 at this rate, and SAMPLES=5000 compares after so many.  A
thread's own clock stands still while the kernel switches threads, so perf has no samples of that part of the thread's CPU
time.  The clock of a CPU goes on.
"""

import collections
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

import attached  # noqa: E402
import servers  # noqa: E402
from session import engines, ok, plan, rows, skip, skip_all  # noqa: E402

RATE = int(os.environ.get("RATE", "997"))
CPUS = os.environ.get("SCOPE") == "cpus"  # of perf's records
SECONDS = 3  # of each turn
ENOUGH = int(os.environ.get("SAMPLES", "15000"))  # of so many, chance changes a share of 50 % by 0.6 points
LIMIT = 300  # seconds, on a machine where the server has little CPU time
LEAST = 3  # percent: functions that have less are not compared
POINTS = 3  # percent: so far apart they may be, or, if there are not enough samples,
CHANCE = 4.5  # as many standard deviations
CLOCKS = os.environ.get("CLOCKS", "task-clock").split()  # of perf's records; gdbprof is compared with the first
QUERY = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)"
         " SELECT count(*) FROM n WHERE i % 7 = 3 AND hex(i) LIKE '%9%';\n")

# Shares in percent by function: as LEAVES, each the innermost of the program's functions, and with what they CALL; of so
# many SAMPLES.  Stacks that were cut have none of the OUTERMOST functions with names.
Found = collections.namedtuple("Found", "leaves calls samples")
OUTERMOST = "start_call_main", "clone3"
CUT = 1  # percent of the stacks: if more are, only leaves are compared


# Bytes that perf copies of each stack, and of those whose stacks are larger: its records are as large, too.
DUMP = 16384
DUMPS = {"memcached": 32768, "sqlite3": 65528}

# Threads of these block the signals of alarms: the engine stop looks at them, which comes too late for short work.
BLOCKING = "haproxy",


class Sqlite(servers.Server):
    """One thread that computes without a break."""

    package = "sqlite3"
    programs = ("sqlite3",)

    def begin(self):
        self.pid = self.start("sqlite3", ":memory:", QUERY).pid

    def operations(self):
        return 0


KINDS = {"redis": servers.Redis, "nginx": servers.Nginx, "memcached": servers.Memcached, "haproxy": servers.Haproxy,
         "postgresql": servers.Postgres, "sqlite3": Sqlite}


def plain(name):
    """The name of a function of which NAME is an alias: GDB and perf choose others of several."""
    return re.sub(r"^(__GI_|__libc_|__vdso_|_{2,})+", "", name.split("@")[0]) or name


def stacks(data, pid):
    """The functions of the process PID in each stack that perf has recorded in the file DATA, the innermost first."""
    script = subprocess.Popen(["perf", "script", "-i", data, "--pid=%d" % pid, "--no-inline", "-F", "comm,ip,sym"],
                              text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    stack = []
    with script:
        for line in script.stdout:
            frame = re.match(r"\s+([0-9a-f]+) (\S+)", line)
            if frame and len(frame[1]) < 16:  # addresses of the kernel have 16 digits
                stack.append(plain(frame[2]))
            elif not line.strip():
                yield stack
                stack = []


def peer(files, pid):
    """What perf has found of the process PID, as it has recorded in FILES."""
    leaves, calls, samples = collections.Counter(), collections.Counter(), 0
    for data in files:
        for stack in stacks(data, pid):
            samples += 1
            leaves.update(stack[:1])
            calls.update(set(stack))
    part = 100 / max(samples, 1)
    return Found(*({name: part * count for name, count in table.items()} for table in (leaves, calls)), samples)


def record_peer(server, clock, number, dump):
    """Have perf record SERVER by CLOCK, into a file of this NUMBER, with DUMP bytes of each stack; its name."""
    data = server.at("%s.%d" % (clock, number))
    of = ["-a", "-m", "64M"] if CPUS else ["-p", str(server.pid)]
    subprocess.run(["perf", "record", "-q", "-e", clock, "-F", str(RATE), "--call-graph", "dwarf,%d" % dump,
                    *of, "-o", data, "--", "sleep", str(SECONDS)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS + 60, check=True)
    return data


def in_turn(server, engine, dump):
    """What gdbprof and perf's records, with DUMP bytes of each stack, find, and what GDB has said."""
    def beside(gdb):
        end, used, files = time.monotonic() + LIMIT, 0, []
        while time.monotonic() < end and used * RATE < ENOUGH:
            gdb.say("prof-resume")
            used -= attached.cpu_time(server.pid)
            time.sleep(SECONDS)
            used += attached.cpu_time(server.pid)
            gdb.say("prof-pause")
            files.append([record_peer(server, clock, len(files), dump) for clock in CLOCKS])
        return files

    files, said, (told, table, _) = attached.let_run(
        server, [], "prof-start --rate=%d --engine=%s" % (RATE, engine), beside,
        "prof-stop", "prof-functions --metric=cpu --inline=off --limit=0 --format=csv", "detach")
    leaves, calls = collections.Counter(), collections.Counter()
    for row in rows(table):
        leaves[plain(row["name"])] += float(row["exclusive_percent"] or 0)
        calls[plain(row["name"])] += float(row["inclusive_percent"] or 0)
    samples = re.search(r"^(\d+) samples?", told, re.M)
    ours = Found(leaves, calls, int(samples[1]) if samples else 0)
    return ours, [peer(one, server.pid) for one in zip(*files)], said + told


def chance(share, *counts):
    """The standard deviation, in points, of the difference of SHARES of so many samples each."""
    return math.sqrt(max(share * (100 - share), 100) * sum(1 / max(count, 1) for count in counts))


def is_cut(found):
    """Do stacks end too soon?"""
    return sum(found.calls.get(name, 0) for name in OUTERMOST) < 100 - CUT


def compare(one, other):
    """The functions that have LEAST of both: (name, share, share, how far that is beyond what is allowed)."""
    compared = []
    tables = 1 if is_cut(one) or is_cut(other) else 2
    for mine, theirs in zip(one[:tables], other[:tables]):
        for name, share in theirs.items():
            if share >= LEAST and name in mine and name[0] not in "[<":
                allowed = max(POINTS, CHANCE * chance(share, one.samples, other.samples))
                compared.append((name, mine[name], share, abs(mine[name] - share) - allowed))
    return compared


def worst(compared):
    """By how many points the two that are furthest apart are."""
    return max((abs(mine - share) for _, mine, share, _ in compared), default=0)


def check(name, kind, engine):
    """One test of a server of KIND in a folder of its own.  Returns a line of the table."""
    what = "%s, engine %s" % (name, engine)
    if missing := kind.missing():
        skip(1, what, "%s is not installed" % missing)
        return "%-12s is not installed" % name
    if engine == "stop" and name in BLOCKING:
        skip(1, what, "%s blocks the signals of alarms" % name)
        return "%-12s blocks the signals of alarms" % name
    ours, peers, said = attached.run(kind, lambda server: in_turn(server, engine, DUMPS.get(name, DUMP)))
    compared = compare(ours, peers[0])
    among_peers = worst(compare(peers[0], peers[-1])) if len(peers) > 1 else math.nan
    ok(len(compared) >= 4 and all(beyond <= 0 for *_, beyond in compared),
       "%s: %d shares of functions, %.1f points apart at the most" % (what, len(compared), worst(compared)),
       "%s\n%s" % ("\n".join("%s %.1f %.1f %.1f" % row for row in compared), said))
    return "%-12s %-6s %6d %8d %8d %8.1f %8.1f" % (
        name, engine, len(compared), ours.samples, peers[0].samples, worst(compared), among_peers)


signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))
if not shutil.which("perf"):
    skip_all("perf is not installed")
if "perf" not in engines():
    skip_all("the kernel permits no perf events")
wanted = os.environ.get("PROGRAMS", "").split()
kinds = {name: kind for name, kind in KINDS.items() if not wanted or name in wanted}
if not kinds:
    skip_all("none of these is selected")
plan(2 * len(kinds))
lines = [check(name, kind, engine) for name, kind in kinds.items() for engine in ("perf", "stop")]
print("# %-12s %-6s %6s %8s %8s %8s %8s" % ("of", "engine", "shares", "samples", "perf's", "apart", "perf's"))
print("".join("# %s\n" % line for line in lines), end="")
