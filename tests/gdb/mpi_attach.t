#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB attaches to one rank of a job: which rank of which job it is, its samples, and its messages from then on."""

import os
import tempfile
import threading

from mpi import FIGURES, build, figures, launch, libraries
from session import Gdb, ok, plan, rows, wait_until

TESTS = 4
LAST = 100  # exchanges after the end was asked for


class Job:
    """Two ranks that go on until they are told to end."""

    def __init__(self, library):
        self.library, self.stop = library, "stop." + library
        self.texts, self.said, self.status = [], "", None
        self.path = build(library, "until.c")
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        self.texts, self.said, self.status = launch(self.library, *[[self.path, self.stop]] * 2)

    def process(self, rank):
        """The process ID of RANK, once it communicates; 0 if it never does."""
        path = "pid.%d" % rank
        if not wait_until(lambda: os.path.exists(path)):
            return 0
        with open(path, encoding="utf-8") as file:
            return int(file.read())

    def end(self):
        with open(self.stop, "w", encoding="utf-8"):
            pass
        self.thread.join()
        for rank in range(2):
            os.unlink("pid.%d" % rank)


def inclusive(text, name):
    """The samples in the function NAME, of the table of functions TEXT."""
    return sum(float(row["inclusive"]) for row in rows(text) if row["name"] == name)


def record(job, *commands):
    """What GDB prints that attaches to rank 1 of JOB and executes COMMANDS."""
    return Gdb(job.path).run("attach %d" % job.process(1), *commands)


plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-attach-"))

for library in libraries(TESTS):
    job = Job(library)
    out = record(job, "prof-start --rate=1000", "tbreak usleep", "continue", "prof-stop", "prof-ranks --metric=.cpu --format=csv",
                 "prof-status", "detach")
    ok([row["rank"] for row in rows(out[5])][1:2] == ["1"] and "Rank 1 of 2" in out[6],
       library + ": a rank that GDB attaches to is known by its environment", "\n".join(out))
    out = record(job, "prof-start --mpi --rate=1000", "shell touch " + job.stop, "continue", "prof-stop", FIGURES,
                 "prof-messages --format=csv", "prof-functions --format=csv")
    sends, sent, receives, received, _ = figures(out[5]) or (0,) * 5
    ok("exited normally" in out[3] and LAST <= sends <= LAST + 10 and sends == receives and sent == received == 4 * sends,
       library + ": its messages are traced from then on", "\n".join(out))
    ok("1,0,%d,%d,0,0" % (sends, sent) in out[6] and "0,1,0,0,%d,%d" % (receives, received) in out[6] and inclusive(out[7], "work") > 20,
       library + ": who it communicates with is known, and where it has computed", "\n".join(out))
    job.end()
    ok(job.status == 0 and all("until the end" in text for text in job.texts), library + ": the job goes on, and ends as ever",
       "\n".join(job.texts) + job.said)
