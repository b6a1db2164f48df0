#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of MPI that no mpirun has started as they are: spawned ones, a single one, and those of a script."""

import glob
import os
import re
import subprocess
import tempfile

from mpi import BARE, FIGURES, build, figures, launch, libraries
from session import BUILD, Gdb, ok, plan, skip

COMMAND = os.path.join(BUILD, "gdbprof")
RECORD = [COMMAND, "record", "--mpi", "--engine=none"]
SCRIPT = '"$@"; echo "ended with $?"'
TESTS = 3


def test_spawned(library, path):
    """A job that starts another; both have ranks 0 and 1."""
    name = library + ": ranks that a job starts have files of their own, and are another job"
    if launch(library, *[[path, path]] * 2)[2]:
        skip(1, name, "this library cannot start more processes")
        return
    parent = RECORD + ["--output=job.%r.%p.prof", "--", path]
    texts, said, status = launch(library, *[parent + RECORD + ["--output=job.%r.%p.prof", "--", path]] * 2)
    files = sorted(glob.glob("job.*.prof"))
    out = Gdb().run("prof-load " + " ".join(files), FIGURES, "prof-messages", "prof-ranks --metric=.cpu")
    ok(not status and [re.match(r"job\.(\d)\.\d+\.prof", file)[1] for file in files] == ["0", "0", "1", "1"] and
       figures(out[1])[:4] == (2, 8, 2, 8) and "2 ranks on" in re.sub("2 of 2", "2", out[3]) and
       "These are ranks of 2 jobs" in out[3] and "from rank 0 to <Unknown>" in out[2], name,
       "\n".join([str(files), *out, *texts, said]))


plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-launch-"))

for library in libraries(TESTS):
    test_spawned(library, build(library, "spawn.c"))

    ring = build(library, "ring.c")
    done = subprocess.run(RECORD + ["--output=single.%s.prof" % library, "--", ring], env=BARE, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    out = Gdb().run("prof-load single.%s.prof" % library, "prof-messages --format=csv", "prof-ranks")
    ok(not done.returncode and "0,0,10,40,10,40" in out[1] and "No ranks" in out[2],
       library + ": a program without mpirun is rank 0 of its messages, and of no job", "\n".join([done.stdout, *out]))

    record = ["sh", "-c", SCRIPT, "sh", *RECORD, "--output=%s.%%r.prof" % library, "--", ring]
    texts, said, _ = launch(library, record, record)
    out = Gdb().run("prof-load %s.0.prof %s.1.prof" % (library, library), "prof-messages --format=csv", "prof-ranks --metric=.cpu")
    ok(all("ended with 0" in text for text in texts) and "0,1,10,40,10,40" in out[1] and "1,0,10,80,10,80" in out[1] and
       "2 of 2 ranks" in out[2], library + ": a program that a script starts has the script's rank", "\n".join(out + texts) + said)
