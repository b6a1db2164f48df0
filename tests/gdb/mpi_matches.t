#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages are matched across ranks whatever communicator they were sent by, and whatever function received them."""

import os
import tempfile

from mpi import build, launch, libraries
from session import BUILD, Gdb, ok, plan

COMMAND = os.path.join(BUILD, "gdbprof")
TESTS = 5
RANKS = 3

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-matches-"))


def examine(source):
    """Record the ranks of SOURCE; whether the job ends well, what it has said, and what is known of its messages."""
    name = "%s.%s" % (source, library)
    record = [COMMAND, "record", "--mpi", "--engine=none", "--output=%s.%%r.prof" % name, "--", build(library, source)]
    texts, said, status = launch(library, *[record] * RANKS)
    out = Gdb().run("prof-load " + " ".join("%s.%d.prof" % (name, rank) for rank in range(RANKS)),
                    "prof-messages --waits", "prof-messages --format=csv")
    return status == 0 and "<<timeout>>" not in said, said + "\n".join(texts), out


for library in libraries(TESTS):
    well, said, out = examine("matched.c")
    lines = [line.split(",") for line in out[2].splitlines()]
    found = {(line[0], line[1]): tuple(map(int, line[2:])) for line in lines if len(line) == 6 and line[2].isdigit()}
    ok(well, library + ": the job ends well", said)
    # The barrier of two groups is no operation of one.
    ok("Matched: 9 of 9 messages, 2 of 2 collective operations." in out[1],
       library + ": all messages are matched", out[1] + said)
    ok(found == {("0", "1"): (1, 11, 1, 11), ("0", "2"): (3, 60, 3, 60), ("2", "1"): (1, 50, 1, 50),
                 ("2", "0"): (2, 47, 2, 47), ("1", "0"): (2, 11, 2, 11)},
       library + ": and both of their ranks are known", out[2])
    well, said, out = examine("comms.c")
    ok(well, library + ": communicators are made in many ways", said)
    # Open MPI 4 has no MPI_Isendrecv.
    messages = 14 + 5 * ("mpich" in library)
    ok("Matched: %d of %d messages, 14 of 14 collective operations." % (messages, messages) in out[1],
       library + ": and all messages by them are matched", out[1] + said)
