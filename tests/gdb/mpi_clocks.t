#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks of hosts that differ are moved by what messages show, the job's own or a handshake's, up to the bound that the heading reports."""

import os
import re
import sqlite3
import subprocess
import tempfile

from mpi import BARE, build, launch, libraries
from session import BUILD, Gdb, ok, plan, rows

COMMAND = os.path.join(BUILD, "gdbprof")
TESTS = 9
RANKS = 4
AHEAD = 3000000  # ns
HOSTS = {2: "another", 3: "another"}

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-clocks-"))


def name(rank):
    return "%s%s.%d.prof" % (library, kind, rank)


def move(rank, host, ahead):
    """As if RANK had been on the machine HOST, whose clock is AHEAD by so many ns."""
    with sqlite3.connect(name(rank)) as file:
        file.execute("UPDATE string SET text = ? WHERE id = (SELECT kernel FROM rank)", (host,))
        file.execute("UPDATE rank SET realtime = realtime + ?", (ahead,))


def load():
    """The heading, and the times of the marks of each rank in seconds, by name."""
    out = Gdb().run("prof-load " + " ".join(map(name, range(RANKS))), "prof-ranks", "prof-intervals --format=csv")
    times = {row["start_label"]: float(row["start"]) for row in rows(out[2])}
    return out[1], times, "".join(out)


def figure(heading, pattern):
    found = re.search(pattern, heading)
    return float(found.group(1)) if found else -1


def check_moved(heading, what, why):
    """The HEADING reports that clocks were moved as far as they were wrong, up to the bound, which it returns."""
    moved = figure(heading, r"moved the clocks of hosts by up to ([0-9.]+) s")
    bound = figure(heading, r"differ from that of rank 0 by at most ([0-9.]+) s")
    ok(0 < moved and bound > 0 and abs(moved - AHEAD / 1e9) <= bound + 1e-6, what, why)
    return bound


def merge(path, size=1):
    """What the marks of the sum PATH of all files are, which as many processes make as a launcher has started."""
    command = [COMMAND, "merge", "-o", path, *map(name, range(RANKS))]
    started = [subprocess.Popen(command, env=dict(BARE, PMI_RANK=str(rank), PMI_SIZE=str(size)) if size > 1 else BARE)
               for rank in range(size)]
    for process in started:
        process.wait(timeout=200)
    return subprocess.run([COMMAND, "report", "--view=intervals", path], capture_output=True, text=True, check=False).stdout


for library in libraries(TESTS):
    kind = ""
    record = [COMMAND, "record", "--mpi", "--engine=none", "--output=%s.%%r.prof" % library, "--", build(library, "ring.c")]
    texts, said, _ = launch(library, *[record] * RANKS)
    heading, right, text = load()
    ok("on the host" in heading and "clock" not in heading, library + ": of one host no clock is moved",
       text + said + "\n".join(texts))
    for other, host in HOSTS.items():
        move(other, host, AHEAD)
    heading, times, text = load()
    bound = check_moved(heading, library + ": the heading reports how far a clock was moved, to the bound", text)
    ok(len(times) == len(right) > RANKS and all(abs(times[mark] - right[mark]) <= bound + 2e-6 for mark in right),
       library + ": all marks are where they were, to the bound", "%s\n%s\n%s" % (right, times, text))
    apart = [max(t[m] for m in t if "rank 3" in m) - max(t[m] for m in t if "rank 2" in m) for t in (right, times)]
    ok(abs(apart[0] - apart[1]) < 2e-6, library + ": the ranks of a host move together", "%s\n%s" % (apart, text))
    alone, together = merge("%s.alone.prof" % library), merge("%s.together.prof" % library, 3)
    ok("moved the clocks" in alone and alone == together, library + ": those who add up together find the same",
       alone + together)
    # Rank 3 is on a third machine, and nothing is known of what it has sent and received.
    move(3, "third", 0)
    with sqlite3.connect(name(3)) as opened:
        opened.execute("DELETE FROM operation")
    heading, times, text = load()
    ok("may differ by more" in heading or "only roughly" in heading, library + ": a clock without messages is reported", text)
    left = [times[mark] - right[mark] for mark in right if "rank 3" in mark]
    ok(left and all(abs(seconds - AHEAD / 1e9) < 2e-6 for seconds in left), library + ": and stays as it was",
       "%s\n%s" % (left, text))
    # Ranks that send each other nothing.
    kind = ".silent"
    record = [COMMAND, "record", "--mpi=handshake", "--engine=none", "--output=%s.silent.%%r.prof" % library, "--",
              build(library, "silent.c")]
    texts, said, _ = launch(library, *[record] * RANKS)
    for other, host in HOSTS.items():
        move(other, host, AHEAD)
    heading, _, text = load()
    check_moved(heading, library + ": a handshake shows how clocks differ where there are no messages",
                text + said + "\n".join(texts))
    out = Gdb().run("prof-load " + " ".join(map(name, range(RANKS))), "prof-messages --format=csv", "prof-messages --waits")
    ok(not rows(out[1]) and "Matched: 0 of 0 messages" in out[2], library + ": its messages are not the program's",
       "".join(out))
