#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ranks of a parallel job: each is recorded by itself, and all are looked at together."""

import csv
import io
import os
import re
import signal
import subprocess
import tempfile

from session import BUILD, Gdb, ok, plan, program, rows, wait_until

COMMAND = os.path.join(BUILD, "gdbprof")
LAUNCHERS = ("OMPI_", "PMI_", "PMIX_", "SLURM_")
BARE = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHERS)}
RANKS = 3
MANY = 8

def launch(directory, environment, ranks=RANKS):
    """Records the ranks of a job as a launcher starts them, side by side; rank N works N + 1 times as long."""
    started = [subprocess.Popen(
        [COMMAND, "record", "--rate=1000", "--output=job.%r.prof", "--", program("callback"), str(240 * (rank + 1) // ranks)],
        cwd=directory, env=dict(BARE, **environment(rank)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
               for rank in range(ranks)]
    return [process.communicate(timeout=300)[0] for process in started]

def open_mpi(rank):
    return {"OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": str(RANKS), "PMIX_NAMESPACE": "7"}

def mpich(rank, size=RANKS):
    return {"PMI_RANK": str(rank), "PMI_SIZE": str(size)}


def of_many(rank):
    return mpich(rank, MANY)

def numbers(text, column):
    return [row[column] for row in csv.DictReader(io.StringIO(text)) if row[column]]

plan(21)
here = tempfile.mkdtemp()
said = launch(here, open_mpi)
one = os.path.join(here, "job.1.prof")
out = Gdb().run("prof-load " + one, "prof-ranks", "prof-load %s/job.*.prof" % here, "prof-ranks", "prof-ranks --format=csv --metric=.cpu",
                "prof-threads --format=csv --metric=.samples --sort=first", "prof-intervals",
                "prof-functions --rank=1-2 --format=csv --metric=i.samples:e.samples", "prof-functions --rank=3",
                "prof-save %s/sum.prof" % here, "prof-load %s/sum.prof" % here, "prof-ranks --format=csv --metric=.cpu",
                "prof-threads --rank=0 --format=csv --metric=.samples", "prof-export --format=json %s/sum.json" % here,
                "prof-export --format=speedscope %s/sum.speedscope" % here)
ok("Rank 1 of 3 on the host " in out[1], "a file knows its rank", out[1] + "".join(said))
ok("3 of 3 ranks on the host " in out[3] and "Imbalance, the maximum above the mean: samples " in out[3],
   "several files are the ranks of a job", out[3])
cpu = {row["rank"] or row["host"]: float(row["cpu"]) for row in rows(out[4])}
ok(1.5 * cpu["0"] < cpu["1"] < 3 * cpu["0"] and 2.2 * cpu["0"] < cpu["2"] < 4.5 * cpu["0"],
   "each has what it did", out[4])
ok(abs(sum(cpu[str(rank)] for rank in range(RANKS)) - cpu["<Total>"]) < 1e-6 and cpu["<Minimum>"] == cpu["0"] and
   cpu["<Maximum>"] == cpu["2"] and abs(cpu["<Mean>"] - cpu["<Total>"] / 3) < 1e-6,
   "minimum, mean and maximum are those of the ranks", out[4])
ok(numbers(out[5], "rank") == ["0", "1", "2"], "threads tell their rank", out[5])
# They ran side by side: the last one began before the first one ended.
times = [(mark.group(1), mark.group(2)) for mark in re.finditer(r"rank (\d): (start|end)", out[6])]
ok({"rank %s: %s" % mark for mark in times} >= {"rank %d: %s" % (rank, mark) for rank in range(RANKS)
                                             for mark in ("start", "end")} and
   max(i for i, mark in enumerate(times) if mark[1] == "start") < max(i for i, mark in enumerate(times) if mark[1] == "end"),
   "their marks lie on one time line", out[6])
whole = {row["name"]: float(row["samples_inclusive"]) for row in rows(out[7])}
threads = {row["rank"]: float(row["samples"]) for row in rows(out[5])}
ok(whole["<Total>"] == threads["1"] + threads["2"], "a filter selects ranks", out[7])
ok('The experiment has no rank "3"; see prof-ranks.' in out[8], "one that is not there is refused", out[8])
ok(out[11] == out[4], "all of that is saved", out[11])
ok([row["rank"] for row in rows(out[12]) if float(row["samples"])] == ["", "0"], "and filtered then", out[12])
with open(os.path.join(here, "sum.json"), encoding="utf-8") as file:
    ok('"ranks":[' in file.read(), "json has the ranks")
with open(os.path.join(here, "sum.speedscope"), encoding="utf-8") as file:
    ok("rank 2: callback (" in file.read(), "other tools see whose a thread is")
# MPICH gives jobs no names: what ran at the same time is one.
second = tempfile.mkdtemp()
launch(second, mpich)
out = Gdb().run("prof-load " + " ".join(os.path.join(second, "job.%d.prof" % rank) for rank in (2, 0)), "prof-ranks",
                "prof-intervals")
ok("2 of 3 ranks" in out[1] and "rank 2: start .. rank 0: start" in out[2] or
   "rank 0: start .. rank 2: start" in out[2], "of MPICH's jobs too", "".join(out))

# A launcher may start several that add up together: what comes of it is what one of them makes.
TEXT = ["--view=functions --format=csv --metric=e.samples:i.samples", "--view=ranks --format=csv --metric=.cpu",
        "--view=intervals --format=csv", "--view=threads --format=csv --metric=.samples --sort=first"]


def execute(words, environment=None):
    return subprocess.run([COMMAND] + words, cwd=here, env=dict(BARE, **(environment or {})), timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def merge(ranks, names):
    """What RANKS of a job that add up the files NAMES print, and their statuses."""
    started = [subprocess.Popen([COMMAND, "merge", "-o", "together.prof"] + names, cwd=here, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True,
                                env=dict(BARE, **mpich(rank, ranks))) for rank in range(ranks)]
    printed = [process.communicate(timeout=300)[0] for process in started]
    return printed, [process.returncode for process in started]


here = tempfile.mkdtemp()
launch(here, of_many, MANY)
job = ["job.%d.prof" % rank for rank in (2, 0, 1, 7, 5, 6, 3, 4)]
execute(["merge", "-o", "alone.prof"] + job)
alone = [execute(["report"] + view.split() + ["alone.prof"]).stdout for view in TEXT]
for ranks in 8, 3:
    printed, statuses = merge(ranks, job)
    together = [execute(["report"] + view.split() + ["together.prof"]).stdout for view in TEXT]
    ok(not any(statuses) and together == alone and "work" not in printed and len(alone[0]) > 100 and
       not [name for name in os.listdir(here) if name.startswith("together.prof.")],
       "%d ranks add up what one does" % ranks, "%s\n%s\n%s" % (printed, alone, together))
printed, statuses = merge(4, job[:7] + ["nowhere"])
ok(statuses == [1, 0, 1, 1] and "nowhere" in printed[3] and "Rank 2 could not" in printed[0] and
   not [name for name in os.listdir(here) if name.endswith(".failed")],
   "where one fails, those that wait for it fail too", repr((printed, statuses)))
printed, statuses = merge(2, [program("callback"), "job.0.prof"])
ok(statuses[0] == 1 and "is a program: run gdbprof merge without a launcher" in printed[0],
   "a program is refused", repr((printed, statuses)))

refused = execute(["record", "--debug-rank=x", "--", program("callback"), "1"], mpich(0)).stdout
ok('"x" is not the number of a rank: give one' in refused, "a rank to be debugged is a number", refused)
refused = execute(["record", "--debug-rank=0", "--", program("callback"), "1"]).stdout
ok("No rank can be debugged, because no launcher" in refused, "and of a job", refused)

# Without GDB the program would get what a launcher passes on: SIGALRM as well, which prterun forwards.
# A handler must not print while print() is interrupted.
SCRIPT = """import os, signal
def end(number, frame):
    os.write(1, b"got %d\\n" % number)
    raise SystemExit(7)
signal.signal(signal.SIGALRM, end)
os.write(1, b"ready\\n")
signal.sigtimedwait((), 60)"""


def begin(words):
    return subprocess.Popen([COMMAND, "record", "--output=signals.%p.prof", "--"] + words, cwd=here, text=True,
                            env=dict(BARE, **mpich(0, 1)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


with begin(["/usr/bin/python3", "-c", SCRIPT]) as rank:
    rank.stdout.readline()
    rank.send_signal(signal.SIGALRM)
    printed = rank.communicate(timeout=120)[0]
ok("got %d" % signal.SIGALRM in printed and "sample" in printed and rank.returncode == 7,
   "a rank gets the signals that its launcher sends", "%r %r" % (printed, rank.returncode))


def has_gdb():
    """Has the process that RANK is a child that is GDB, which has not started the program yet?"""
    with open("/proc/%d/task/%d/children" % (rank.pid, rank.pid), encoding="ascii") as list_of:
        children = list_of.read().split()
    if not children:
        return False
    with open("/proc/%s/comm" % children[0], encoding="utf-8") as name:
        return name.read() == "gdb\n"


with begin([program("callback"), "1"]) as rank:
    met = wait_until(has_gdb)
    rank.send_signal(signal.SIGUSR1)
    printed = rank.communicate(timeout=120)[0]
ok(met and "sample" in printed and rank.returncode == 0, "one that comes before the program does not end GDB",
   "%r %r" % (printed, rank.returncode))
