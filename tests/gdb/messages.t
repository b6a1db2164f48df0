#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-messages: who sent how much to whom, by ranks in MPI_COMM_WORLD, of each rank and of a job; and who waited for
whom."""

import os
import re
import subprocess
import tempfile

from mpi import build, job, launch, libraries
from session import BUILD, Gdb, ok, plan

COMMAND = os.path.join(BUILD, "gdbprof")
TESTS = 9
LATE = 0.3  # seconds

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-messages-"))


def pairs(text):
    """The csv TEXT: by sender and receiver the sends, bytes, receives and bytes."""
    lines = [line.split(",") for line in text.splitlines()]
    return {(line[0], line[1]): tuple(map(int, line[2:])) for line in lines if len(line) == 6 and line[2].isdigit()}


def waits(text):
    """The csv TEXT of --waits: by cause and both ranks the number, the sum and the longest in seconds."""
    lines = [line.split(",") for line in text.splitlines()]
    return {tuple(line[:3]): (int(line[3]), float(line[4]), float(line[5])) for line in lines
            if len(line) == 6 and line[1].isdigit()}


for library in libraries(TESTS):
    start = ("prof-start --mpi --engine=none", "run", "prof-stop", "prof-messages --format=csv")
    found = [pairs(out[3]) for out in job(library, build(library, "pair.c"), *start)]
    ok(found == [{("0", "1"): (2, 80, 0, 0)}, {("0", "1"): (0, 0, 2, 80)}],
       library + ": each rank knows what it has sent and received", str(found))

    # With ranks of another communicator, which are those of the world backwards.
    found = [pairs(out[3]) for out in job(library, build(library, "kinds.c"), *start)]
    ok(all(set(rank) == {("0", "1"), ("1", "0")} for rank in found) and
       found[0]["0", "1"][:2] == found[1]["1", "0"][:2] and found[0]["1", "0"][2:] == found[1]["0", "1"][2:],
       library + ": ranks are those in MPI_COMM_WORLD", str(found))

    record = [COMMAND, "record", "--mpi", "--engine=none", "--output=job.%r.prof", "--", build(library, "ring.c")]
    texts, said, _ = launch(library, *[record] * 4)
    files = ["job.%d.prof" % rank for rank in range(4)]
    ring = {(str(rank), str((rank + 1) % 4)): (10, 40 * (rank + 1), 10, 40 * (rank + 1)) for rank in range(4)}
    out = Gdb().run("prof-load " + " ".join(files), "prof-messages --format=csv",
                    "prof-messages --matrix --output=matrix.txt", "shell cat matrix.txt")
    ok(pairs(out[1]) == ring, library + ": of a job both sides of each pair are known", "\n".join(out + texts) + said)
    done = subprocess.run([COMMAND, "report", "--view=messages", "--matrix", *files], stdout=subprocess.PIPE, text=True)
    ok(done.stdout.strip() == out[3].strip() and "160               from rank 3" in out[3],
       library + ": gdbprof report prints the same matrix", done.stdout + out[3])
    out = Gdb().run("prof-load " + " ".join(files), "prof-messages --format=svg --output=matrix.svg")
    with open("matrix.svg") as picture:
        cells = set(re.findall("<title>from rank (.) to rank (.): ([0-9]+) bytes in 10 messages</title><rect class=\"b.\"",
                               picture.read()))
    ok(cells == {(sender, receiver, str(row[1])) for (sender, receiver), row in ring.items()},
       library + ": the matrix is drawn", "".join(out) + str(cells))
    for file in files:
        if os.path.exists(file):
            os.unlink(file)

    # Each rank lets the other one wait: it sleeps longer than a message takes.
    path = build(library, "waits.c")
    record[record.index("--") + 1:] = [path, str(int(LATE * 1000))]
    files = ["job.%d.prof" % rank for rank in range(2)]
    texts, said, _ = launch(library, *[record] * 2)
    out = Gdb().run("prof-load " + " ".join(files), "prof-messages --waits", "prof-messages --waits --format=csv",
                    "prof-messages --waits --format=csv --rank=1", "prof-flame --chart --metric=mpi-time chart.svg")
    found = waits(out[2])
    ok("Matched: 25 of 25 messages, 4 of 4 collective operations." in out[1],
       library + ": each message is matched, whatever its tag and communicator", out[1] + said)
    expected = [("late_sender", "1", "0"), ("late_sender", "0", "1"), ("late_receiver", "0", "1"),
                ("late_receiver", "1", "0"), ("barrier", "0", "1"), ("n_x_n", "1", "0"), ("late_broadcast", "1", "0"),
                ("early_reduce", "0", "1")]
    ok(all(key in found and found[key][1] > 0 for key in expected),
       library + ": waits are found by their cause, and who was late", out[1])
    ok(set(waits(out[3])) == {key for key in found if key[1] == "1"},
       library + ": filters choose whose waits are listed", out[2] + out[3])
    with open("chart.svg") as picture:
        arrows = re.findall("<title>rank (.) to rank (.): ([0-9]+) bytes?, tag", picture.read())
    ok(len(arrows) == 25 and ("1", "0", "20") in arrows and ("0", "1", "1048576") in arrows,
       library + ": in a chart messages are arrows", out[4] + str(arrows))
