#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a counter adds up to is what `perf stat' says of the same deterministic program."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

from session import Gdb, engines, ok, plan, program, rows, skip_all  # noqa: E402

COUNTERS = ("page-faults", "minor-faults")
PAGES = (1000, 3000)
BEGIN = 40  # page faults: to execute the program, before its first instruction is
CHANCE = 3  # events: which pages of its libraries the kernel has at hand


def peer(pages):
    """What perf stat says of PAGES, by counter: without address space layout randomization, as in GDB."""
    done = subprocess.run(["setarch", "-R", "perf", "stat", "-x", ",", "-e", ",".join(COUNTERS),
                           program("touches"), str(pages)], capture_output=True, text=True, check=True)
    found = {row[2]: float(row[0]) for row in (line.split(",") for line in done.stderr.splitlines()) if len(row) > 2}
    return [found[name] for name in COUNTERS], done.stderr


def own(pages):
    """The same by gdbprof."""
    out = Gdb("touches", [str(pages)]).run(
        "prof-start --counter=" + ",".join(name + ":1" for name in COUNTERS), "run", "prof-stop", *(
            "prof-functions --format=csv --metric=" + name for name in COUNTERS))
    return [{row["name"]: float(row["inclusive"]) for row in rows(text)}.get("<Total>", 0) for text in out[3:]], out[2]


if not shutil.which("perf"):
    skip_all("perf is not installed")
if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(2 * len(COUNTERS))
theirs, ours = [peer(pages) for pages in PAGES], [own(pages) for pages in PAGES]
for i, counter in enumerate(COUNTERS):
    text = "%s\n%s" % (theirs, ours)
    more = [both[1][0][i] - both[0][0][i] for both in (ours, theirs)]
    ok(abs(more[0] - more[1]) <= CHANCE and more[0] >= 3 * (PAGES[1] - PAGES[0]),
       "%s: %d pages more have %d more, and %d for perf stat" % (counter, 3 * (PAGES[1] - PAGES[0]), *more), text)
    ok(all(0 <= theirs[k][0][i] - ours[k][0][i] <= BEGIN for k in range(2)),
       "%s: %d of %d, but for those of the program's beginning" % (counter, ours[0][0][i], theirs[0][0][i]), text)
