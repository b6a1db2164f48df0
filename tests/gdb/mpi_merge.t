#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`mpirun gdbprof merge`: eight ranks of a job, of either library, add up by halves what one process does."""

import collections
import filecmp
import os
import subprocess
import tempfile

from mpi import BARE, build, launch, libraries
from session import BUILD, ok, plan, rows

COMMAND = os.path.join(BUILD, "gdbprof")
RANKS = 8
VIEWS = ("messages --format=csv", "ranks --format=csv --metric=.mpi-time,.mpi-sent",
         "functions --format=csv --metric=i.mpi-time,i.mpi-sends,i.mpi-received,i.mpi-other", "intervals --format=csv",
         "threads --format=csv --metric=.mpi-time")
TESTS = 4

plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-mpi-merge-"))


def reports(path):
    """What each view prints of the profile PATH."""
    return [subprocess.run([COMMAND, "report", "--view=" + view.split()[0], *view.split()[1:], path], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False).stdout for view in VIEWS]


def added_up(texts):
    """The values of the csv TEXTS, added up here: by the words of a row that are no numbers, and ranks."""
    sums = collections.defaultdict(float)
    for text in texts:
        for row in rows(text):
            key = tuple(row[name] for name in row if name in ("name", "sender", "receiver"))
            for name in row:
                if name not in ("name", "sender", "receiver"):
                    sums[key, name] += float(row[name])
    return sums


def same(first, second):
    """Are two sums the same?  Times are printed to the ns."""
    return first.keys() == second.keys() and all(abs(first[key] - second[key]) < 1e-6 for key in first)


for library in libraries(TESTS):
    names = ["%s.%d.prof" % (library, rank) for rank in range(RANKS)]
    record = [COMMAND, "record", "--mpi", "--engine=none", "--output=%s.%%r.prof" % library, "--", build(library, "ring.c")]
    texts, said, _ = launch(library, *[record] * RANKS)
    done = subprocess.run([COMMAND, "merge", "-o", library + ".alone.prof", *names], env=BARE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    alone = reports(library + ".alone.prof")
    # Each rank sends to the next one.
    sent = {"%d,%d,10,%d,10,%d" % (rank, (rank + 1) % RANKS, 40 * (rank + 1), 40 * (rank + 1)) for rank in range(RANKS)}
    ok(not done.returncode and set(alone[0].splitlines()[1:]) == sent,
       library + ": one process adds up eight ranks", "\n".join([done.stdout, *alone, *texts, said]))
    each = [reports(name) for name in names]
    ok(all(same(added_up([views[view] for views in each]), added_up([alone[view]])) for view in (0, 2)) and
       len(added_up([alone[2]])) > RANKS,
       library + ": and finds what this script does", "%s\n%s" % (each, alone))
    # A rank of an earlier job, which merged other files a moment ago, has left its part.
    subprocess.run([COMMAND, "merge", "-o", library + ".together.prof", *names[::-1]], check=True,
                   env=dict(BARE, PMI_RANK="1", PMI_SIZE=str(RANKS)))
    before = os.listdir(".")
    texts, said, status = launch(library, *[[COMMAND, "merge", "-o", library + ".together.prof", *names]] * RANKS)
    together = reports(library + ".together.prof")
    ok(not status and together == alone and len(rows(alone[1])) >= RANKS and
       filecmp.cmp(library + ".alone.prof", library + ".together.prof", shallow=False),
       library + ": as many under mpirun write the same file",
       "\n".join([said, *texts, *alone, *together]))
    left = set(os.listdir(".")) - set(before)
    ok({name for name in left if not name.startswith("ranks-")} == {library + ".together.prof"},
       library + ": and leave nothing but the sum", str(os.listdir(".")))
