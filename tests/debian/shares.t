#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What functions of servers have of the CPU time is what `perf record' finds in the same seconds.

PROGRAMS="redis sqlite3" selects some by name.  Short bursts of work are what servers are made of, and
what a profiler gets wrong that looks at a thread first and stops it then.
"""

import math
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

import attached  # noqa: E402
from servers import Nginx, Redis, Server  # noqa: E402
from session import engines, ok, plan, rows, skip, skip_all  # noqa: E402

RATE = 997
SECONDS = 12
LEAST = 3  # percent: functions that have less are not compared
POINTS = 3  # percent: so far apart they may be, and
CHANCE = 4  # as many standard deviations of what chance does
QUERY = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)"
         " SELECT count(*) FROM n WHERE i % 7 = 3 AND hex(i) LIKE '%9%';\n")


class Sqlite(Server):
    """One thread that computes without a break."""

    package = "sqlite3"
    programs = ("sqlite3",)

    def begin(self):
        self.pid = self.start("sqlite3", ":memory:", QUERY).pid

    def operations(self):
        return 0


KINDS = {"redis": Redis, "nginx": Nginx, "sqlite3": Sqlite}


def peer(server):
    """What perf finds: percents of the samples by function, what it calls included, and their number."""
    data = server.at("perf.data")
    subprocess.run(["perf", "record", "-q", "-e", "task-clock", "-F", str(RATE), "--call-graph", "dwarf,16384",
                    "-p", str(server.pid), "-o", data, "--", "sleep", str(SECONDS)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    report = subprocess.run(["perf", "report", "-i", data, "--stdio", "--children", "--no-inline", "-g", "none",
                             "-F", "overhead_children,sym", "--percent-limit", "1"],
                            capture_output=True, text=True, check=True, timeout=300).stdout
    count = re.search(r"^# Samples: ([0-9.]+)(K?) of event", report, re.M)
    found = re.findall(r"^\s*([0-9.]+)%\s+\[\.\]\s+([A-Za-z_]\S*)", report, re.M)
    return {name: float(share) for share, name in found}, float(count[1]) * (1000 if count[2] else 1) if count else 0


def both(server, engine):
    """The percents that gdbprof and perf find, the number of samples of each, and what GDB has said."""
    def beside(gdb):
        gdb.say("prof-resume")
        found = peer(server)
        gdb.say("prof-pause")
        return found

    (theirs, count), said, (told, table, _) = attached.let_run(
        server, [], "prof-start --rate=%d --engine=%s" % (RATE, engine), beside,
        "prof-stop", "prof-functions --metric=cpu --limit=0 --format=csv", "detach")
    ours = {row["name"]: float(row["inclusive_percent"] or 0) for row in rows(table)}
    samples = re.search(r"^(\d+) samples?", told, re.M)
    return ours, int(samples[1]) if samples else 0, theirs, count, said + told


def check(name, kind, engine):
    """One test of a server of KIND in a folder of its own."""
    what = "%s, engine %s" % (name, engine)
    if missing := kind.missing():
        skip(1, what, "%s is not installed" % missing)
        return
    ours, samples, theirs, count, said = attached.run(kind, lambda server: both(server, engine))
    compared = [(function, ours[function], share) for function, share in theirs.items()
                if share >= LEAST and function in ours]
    worst = max((abs(mine - share) for _, mine, share in compared), default=0)

    def chance(share):
        return 100 * math.sqrt(max(share * (100 - share), 100) / 1e4 * (1 / max(samples, 1) + 1 / max(count, 1)))

    wrong = [row for row in compared if abs(row[1] - row[2]) > POINTS + CHANCE * chance(row[2])]
    ok(len(compared) >= 5 and not wrong, "%s: %d functions, %.1f points apart at the most"
       % (what, len(compared), worst), "%s\n%s\n%s" % (wrong, "\n".join("%s %.1f %.1f" % row for row in compared), said))


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
for name, kind in kinds.items():
    for engine in ("perf", "stop"):
        check(name, kind, engine)
