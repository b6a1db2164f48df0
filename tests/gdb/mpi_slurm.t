#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of Slurm, by `srun` and `sbatch`, in a cluster of its own: ranks, jobs, and how they end."""

import os
import subprocess
import tempfile

from mpi import BARE, FIGURES, build, figures, libraries
from session import BUILD, Gdb, ok, plan, program, require, skip_all, total, wait_until
from slurm import Cluster

COMMAND = os.path.join(BUILD, "gdbprof")
PROTOCOLS = {"openmpi": "pmix", "mpich": "pmi2"}
RANKS = 4
TESTS = 4
# What stands in a batch script: one program without srun, and two steps of two ranks.
BATCH = """#!/bin/sh
%(record)s -o script.prof -- %(ring)s
for step in 1 2
do
srun --mpi=%(protocol)s -n 2 %(record)s -o step.$step.%%r.prof -- %(ring)s
done
"""


def report(view, *words):
    return subprocess.run([COMMAND, "report", "--view=" + view, *words], env=BARE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False).stdout


def test_library(cluster, library):
    """Ranks of LIBRARY."""
    srun = ["srun", "--mpi=" + PROTOCOLS[library]]
    record = [COMMAND, "record", "--mpi", "--engine=none"]
    ring = build(library, "ring.c")
    names = ["%s.%d.prof" % (library, rank) for rank in range(RANKS)]
    said, status = cluster.run(*srun, "-n", str(RANKS), *record, "-o", library + ".%r.prof", "--", ring)
    messages = report("messages", "--format=csv", *names)
    sent = {"%d,%d,10,%d,10,%d" % (rank, (rank + 1) % RANKS, 40 * (rank + 1), 40 * (rank + 1)) for rank in range(RANKS)}
    ok(not status and set(messages.splitlines()[1:]) == sent and
       "%d of %d ranks on the host %s.\n" % (RANKS, RANKS, os.uname().nodename) in report("ranks", "--metric=.mpi-sent", *names),
       library + ": srun's ranks are found, with their number and host", said + messages)
    alone = report("messages", "--format=csv", *names)
    merged = cluster.run(*srun, "-n", str(RANKS), COMMAND, "merge", "-o", library + ".sum.prof", *names)
    ok(not merged[1] and report("messages", "--format=csv", library + ".sum.prof") == alone,
       library + ": they add their files up", "%s %s" % merged)

    with open("batch.sh", "w", encoding="utf-8") as file:
        file.write(BATCH % {"record": " ".join(record), "ring": ring, "protocol": PROTOCOLS[library]})
    said, status = cluster.run("sbatch", "--wait", "-n", "2", "-o", "batch.out", "batch.sh")
    steps = ["step.%d.%d.prof" % (step, rank) for step in (1, 2) for rank in (0, 1)]
    with open("batch.out", encoding="utf-8", errors="replace") as file:
        said += file.read()
    ranks = report("ranks", "--metric=.mpi-sent", *steps)
    ok(not status and "These are ranks of 2 jobs" in ranks and "2 of 2 ranks" in ranks and
       "No ranks" in report("ranks", "script.prof") and "ranks of 2 jobs" not in report("ranks", "--metric=.mpi-sent", *steps[:2]),
       library + ": each srun of a batch script is a job, and the script is none", said + ranks)
    for name in ["script.prof", *steps]:
        os.unlink(name)

    ends = build(library, "ends.c")
    said, status = cluster.run(*srun, "--kill-on-bad-exit=1", "-n", "2", COMMAND, "record", "--mpi", "-o", "crash.%r.prof", "--",
                               ends, "crash")
    whole = wait_until(lambda: all(figures(report("functions", "--format=csv", FIGURES.split()[-1], "crash.%d.prof" % rank))[:4] ==
                                   (1, 4, 1, 4) for rank in (0, 1)), 20)
    ok(status and whole and "Traceback" not in said, library + ": profiles are whole where a rank crashes", "%s %s" % (status, said))


def test_cancelled(cluster):
    """A job that scancel ends while it computes."""
    job = subprocess.Popen(["srun", "-n", "2", COMMAND, "record", "-o", "cancelled.%r.prof", "--", program("busy"), "2"],
                           env=dict(BARE, **cluster.environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace")
    names = ["cancelled.%d.prof" % rank for rank in (0, 1)]
    begun = wait_until(lambda: all(os.path.exists(name) and total(report("functions", "--format=csv", name)) > 20 for name in names))
    cluster.run("scancel", cluster.run("squeue", "-h", "-o", "%i")[0].split()[0])
    said = job.communicate(timeout=120)[0]
    out = Gdb().run("prof-load cancelled.*.prof", "prof-ranks")
    ok(begun and job.returncode and "Traceback" not in said and said.count("gdbprof: ") == 2 and "2 of 2 ranks" in out[1],
       "scancel ends the program, and GDB prints what it has recorded", "%s %s" % (said, out))


require("srun", "slurmctld", "slurmd")
os.chdir(tempfile.mkdtemp(prefix="gdbprof-slurm-"))
here = Cluster()
try:
    if not here.start():
        skip_all("no cluster of Slurm can be started here: %s" % (here.log().splitlines() or [""])[-1])
    plan(2 * TESTS + 1)
    test_cancelled(here)
    for each in libraries(TESTS):
        test_library(here, each)
finally:
    here.stop()
