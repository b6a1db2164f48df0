#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenMP: work, wait and idle time of a loop whose imbalance is known, and the stacks of its user."""

import os
import shutil
import tempfile

from openmp import COMPILERS, build, column
from session import Gdb, grown, near, ok, plan, rows, skip

METRICS = "--format=csv --metric=wall,cpu,omp-work,omp-wait,omp-idle,omp-serial"
TREE = "prof-tree " + METRICS
TESTS = 15
ENOUGH = 300  # samples
RATE = 500  # Hz
COARSE = 15  # percent: less than between equal shares and the greatest


def record(made, threads, rounds, file):
    """What GDB prints of MADE, recorded into FILE."""
    if os.path.exists(file):
        os.unlink(file)
    return Gdb(made, [str(rounds), str(threads)]).run(
        "prof-start --rate=500 --output=" + file, "run", "prof-stop", TREE,
        "prof-functions --format=csv", "prof-threads --format=csv --metric=samples,omp-work,omp-wait",
        "prof-functions --stacks=machine " + METRICS, TREE + " --state=user,system")


def samples(out):
    """How many there are."""
    table = rows(out[5])
    return float(table[0]["samples"]) if table else 0


def total(text):
    """By metric, what a table of functions TEXT has in all."""
    whole = [row for row in rows(text) if row.get("name") == "<Total>"]
    return {name: float(whole[0][name + "_inclusive"]) for name in ("wall", "omp-work", "omp-wait", "omp-idle",
                                                                     "omp-serial")} if whole else {}


def region(text):
    """The row of the region in a tree, its only one, or None."""
    found = [row for row in rows(text) if " (parallel at triangle.c:" in row["name"]]
    return found[0] if len(found) == 1 else None


def near_enough(a, b, share=1e-6):
    """Are A and B the same but for SHARE of them?"""
    return abs(a - b) <= share * max(abs(a), abs(b), 1e-6)


def under(row, name):
    """What ROW of a tree has of the metric NAME in it or under it."""
    return float(row[name + "_in_or_under"] or 0)


def shares(out):
    """The shares of work of the threads that have any, in percent, the least first."""
    work = column([row for row in rows(out[5]) if row["thread"]], "thread", "omp-work")
    return sorted(100 * value / max(sum(work.values()), 1e-9) for value in work.values() if value)


def near_shares(out, expected):
    """Are the shares as EXPECTED?  Less so where the heading says that short work is partly counted for waits: threads
    work for milliseconds here, and wait for each other."""
    found = shares(out)
    work = column(rows(out[5]), "name", "omp-work").get("<Total>", 0) * RATE
    return len(found) == len(expected) and all(
        near(a, b, work) or ("short work between two waits" in out[2] and abs(a - b) < COARSE)
        for a, b in zip(found, expected))


def enough(out, expected):
    """Are there samples enough to see shares as EXPECTED?  Threads that wait for a CPU run in few, long turns, and
    all samples of a turn are alike: there must be more of them then than their number says."""
    return samples(out) > ENOUGH and near_shares(out, expected)


def has_waits(out):
    """Does the tree have work, barriers and idle threads?  A thread that yields its CPU at a barrier, where others want
    it, uses so little of it that there may be no sample there."""
    return {"burn", "<OMP-implicit_barrier>", "<OMP-idle>"} <= {row["name"] for row in rows(out[3])}


def test_tree(out):
    """The user's stacks."""
    row = region(out[3])
    names = [each["name"] for each in rows(out[3])]
    ok(row and has_waits(out) and
       not any("start_thread" in name or "omp_" in name or "kmp" in name or "<static>" in name for name in names),
       "workers are below the region, and the runtime is not shown", out[3])
    ok(row and near_enough(under(row, "wall"), under(row, "omp-work") + under(row, "omp-wait")),
       "work and wait are the time in the region", out[3])
    row = region(out[7])
    ok(row and near_enough(under(row, "cpu"), under(row, "omp-work") + under(row, "omp-wait")),
       "and on a CPU the CPU time", out[7])


def test_times(out):
    """The times."""
    machine = total(out[6])
    ok(machine and near_enough(machine["wall"], sum(machine[name] for name in machine if name != "wall")) and
       "(parallel" not in out[6], "work, wait, idle and serial time are all there is", out[6])
    work = column([row for row in rows(out[5]) if row["thread"]], "thread", "omp-work")
    wait = column([row for row in rows(out[5]) if row["thread"]], "thread", "omp-wait")
    first, last = sorted(work, key=work.get)[0], sorted(work, key=work.get)[-1]
    ok(sum(wait.values()) >= 0.85 * (work[last] - work[first]), "they wait for as long as one has more work", out[5])
    ok(machine["omp-idle"] > 0 and machine["omp-serial"] > 0,
       "a worker is idle while the other thread is on its own", out[6])


def test_file(made, file, out):
    """The file alone, after the program is gone."""
    os.rename(made, made + ".gone")
    again = Gdb().run("prof-load " + file, TREE)
    os.rename(made + ".gone", made)
    ok(rows(again[1]) == rows(out[3]) and rows(out[3]), "the file says the same where the program is not",
       again[1] + out[3])


def test_scripts(compiler, file):
    """Scripts see the stacks that views show."""
    script = (
        "import prof; user = prof.stacks('wall'); machine = prof.stacks('wall', '--stacks=machine'); "
        "some = prof.stacks('wall', '--stacks=user --state=lock,user'); "
        "print('idle', any('<OMP-idle>' in s for s in user), any('<OMP-idle>' in s for s in machine)); "
        "print('thread', any('start_thread' in s for s in user), any('start_thread' in s for s in machine)); "
        "print('sum', *(abs(sum(user.values()) - other) < 1e-6 * other for other in "
        "(sum(machine.values()), sum(prof.values('wall')), sum(prof.values('wall', '--stacks=machine'))))); "
        "print('samples', set(user) <= {s.stack for s in prof.samples()}, "
        "set(machine) <= {s.stack for s in prof.samples('--stacks=machine')}, set(some) <= set(user))")
    out = Gdb().run(
        "prof-load " + file, "python " + script, 'print $_prof_inclusive("<OMP-idle>", "omp-idle")',
        'print $_prof_exclusive("start_thread")', "prof-functions --format=csv --metric=wall,omp-idle",
        "set prof filter --stacks=machine", "python import prof; prof.stacks('wall', '--stacks=other')")
    idle = column(rows(out[4]), "name", "omp-idle_inclusive")
    ok("idle True False" in out[1] and "thread False True" in out[1] and "sum True True True" in out[1] and
       "samples True True True" in out[1], compiler + ": objects have the stacks that are asked for", out[1])
    ok(idle.get("<OMP-idle>", 0) > 0 and near_enough(float(out[2].split("=")[1]), idle["<OMP-idle>"]) and
       float(out[3].split("=")[1]) == 0, compiler + ": and functions those of the user", "".join(out))
    ok("stacks" in out[5] and "user" in out[6] and "machine" in out[6],
       compiler + ": the filter of the setting has none, and others are mistakes", out[5] + out[6])


def test_attached(made):
    """Nothing is needed from the start."""
    out = grown(lambda rounds: Gdb(made, [str(rounds), "2"]).run(
        "break burn if steps > 1000000", "run", "delete", "prof-start --rate=500", "continue", "prof-stop", TREE),
                lambda out: region(out[6]), 60)
    ok(region(out[6]), "a recording may begin later", "".join(out))


def test_tasks(compiler, folder):
    """Tasks belong to their region."""
    made, _ = build("tasks", compiler, folder)
    out = grown(lambda times: Gdb(made, [str(37 + times.bit_length()), "2"]).run(
        "prof-start --rate=500", "run", "prof-stop",
        "prof-functions --format=csv --metric=omp-work,omp-wait", "prof-regions --format=csv"),
                lambda out: "(task at tasks.c:18)" in out[3] and "main (parallel at tasks.c:" in out[3], 1)
    work = column(rows(out[3]), "name", "omp-work_inclusive")
    main = [name for name in work if name.startswith("main (parallel at tasks.c:")]
    tasks = [name for name in work if "(task at tasks.c:" in name]
    listed = rows(out[4])
    ok(len(main) == 1 and len(tasks) == 2 and work[main[0]] >= 0.95 * work["<Total>"] and
       any(work[name] >= 0.5 * work["<Total>"] for name in tasks) and
       [row["region"] for row in listed if row["kind"] == "parallel"] == main, "tasks are in their region", "".join(out))


def test_compiler(compiler, folder):
    """All of COMPILER."""
    made, why = build("triangle", compiler, folder)
    if not made:
        skip(TESTS, compiler, why)
        return
    file = os.path.join(folder, compiler + ".prof")
    out = grown(lambda rounds: record(made, 2, rounds, file), lambda out: enough(out, (25, 75)) and has_waits(out), 60)
    ok(samples(out) > ENOUGH and "exited normally" in out[1], "%s: there are enough samples" % compiler,
       "".join(out[:3]))
    ok(near_shares(out, (25, 75)), "two threads have one and three quarters of the work", out[5])
    test_tree(out)
    test_times(out)
    test_file(made, file, out)
    test_scripts(compiler, file)
    out = grown(lambda rounds: record(made, 4, rounds, file), lambda out: enough(out, (6.25, 18.75, 31.25, 43.75)), 60)
    ok(near_shares(out, (6.25, 18.75, 31.25, 43.75)), "four threads have 1, 3, 5 and 7 sixteenths", out[5])
    test_attached(made)
    test_tasks(compiler, folder)


plan(len(COMPILERS) * TESTS)
scratch = tempfile.mkdtemp(prefix="gdbprof-openmp-")
for each_compiler in COMPILERS:
    test_compiler(each_compiler, scratch)
shutil.rmtree(scratch)
