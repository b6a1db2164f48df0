#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages are matched across ranks whatever communicator they were sent by, and whatever function received them."""

import os
import tempfile

from mpi import build, launch, libraries
from session import BUILD, Gdb, ok, plan

COMMAND = os.path.join(BUILD, "gdbprof")
TESTS = 3
RANKS = 3

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-matches-"))

for library in libraries(TESTS):
    record = [COMMAND, "record", "--mpi", "--engine=none", "--output=%s.%%r.prof" % library, "--",
              build(library, "matched.c")]
    texts, said, status = launch(library, *[record] * RANKS)
    out = Gdb().run("prof-load " + " ".join("%s.%d.prof" % (library, rank) for rank in range(RANKS)),
                    "prof-messages --waits", "prof-messages --format=csv")
    lines = [line.split(",") for line in out[2].splitlines()]
    found = {(line[0], line[1]): tuple(map(int, line[2:])) for line in lines if len(line) == 6 and line[2].isdigit()}
    ok(status == 0 and "<<timeout>>" not in said, library + ": the job ends well", said + "\n".join(texts))
    # The barrier of two groups is no operation of one.
    ok("Matched: 9 of 9 messages, 2 of 2 collective operations." in out[1],
       library + ": all messages are matched", out[1] + said)
    ok(found == {("0", "1"): (1, 11, 1, 11), ("0", "2"): (3, 60, 3, 60), ("2", "1"): (1, 50, 1, 50),
                 ("2", "0"): (2, 47, 2, 47), ("1", "0"): (2, 11, 2, 11)},
       library + ": and both of their ranks are known", out[2])
