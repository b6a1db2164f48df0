#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module gdbprof reads experiment files as the views show them, without GDB."""

import collections
import importlib.util
import os
import sqlite3
import subprocess
import sys
import tempfile

from session import BUILD, TOP, ok, plan, program, rows, skip

COMMAND = os.path.join(BUILD, "gdbprof")
CORPUS = os.path.join(TOP, "tests", "fuzz", "corpus")
FOLDED = 'main;work;step 5\nmain;work 2.5\nmain;work 1.000001\nmain 1\n"\\;</script>;\u00e4 7\n'
# How ten experiments come about: what is recorded, with which options, or which files are read.
RECORDED = {"plain": [os.path.join(BUILD, "examples", "recursion")],
            "wall": ["--clock=wall", program("threads")],
            "inlined": ["--engine=stop", program("templates")],
            "counted": ["--counter=page-faults:1", program("faults")]}
READ = {"stacks": ["stacks.folded"], "both": ["plain.prof", "inlined.prof"],
        "perf": ["perf/small"], "pprof": ["pprof/plain"], "speedscope": ["speedscope/evented"],
        "calls": ["events/calls"]}
EXACT = 1e-9  # numbers in csv have nine digits behind the point

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "python"))
import gdbprof  # noqa: E402


def execute(*words):
    """What the shell command prints; it must succeed, but a program that it records may end as it likes."""
    done = subprocess.run((COMMAND, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode == 0 or words[0] == "record", done
    return done.stdout


def make(name):
    """Make the experiment NAME, and return its path."""
    path = name + ".prof"
    if name in RECORDED:
        execute("record", "-o", path, "--rate=500", *RECORDED[name])
    else:
        execute("merge", "-o", path, *(file if "." in file else os.path.join(CORPUS, file) for file in READ[name]))
    return path


def report(path, view, *options):
    return rows(execute("report", "--view=" + view, "--format=csv", *options, path))


def same(one, other):
    """Do the values of two {key: numbers} agree, where what is missing is 0?"""
    return all(abs(a - b) <= EXACT * max(1, abs(a)) for key in set(one) | set(other)
               for a, b in zip(one.get(key, (0, 0)), other.get(key, (0, 0))))


def added_up(found):
    """The sums of (key, number, number) by key."""
    sums = collections.defaultdict(lambda: (0, 0))
    for key, *values in found:
        sums[key] = tuple(a + b for a, b in zip(sums[key], values))
    return sums


def wrong_functions(path, experiment):
    """The metrics of which functions have other values than in the view."""
    found = []
    totals = {row["name"]: row for row in report(path, "metrics")}
    lines = report(path, "functions", "--stacks=machine", "--names=full",
                   "--metric=" + ",".join("ei." + metric for metric in experiment.metrics()))
    # Columns of counters have their names.
    for number, metric in enumerate(experiment.metrics()):
        shown = added_up((row["name"], *map(float, list(row.values())[1 + 2 * number:3 + 2 * number]))
                         for row in lines if row["name"] != "<Total>")
        read = added_up((row.name, row.exclusive, row.inclusive) for row in experiment.functions(metric))
        name = experiment.events[int(metric[6:]) - 1] if metric.startswith("event-") else metric
        total = (float((totals.get(name) or totals[metric])["total"]), sum(stack.value for stack in experiment.stacks(metric)))
        if not same(shown, read) or abs(total[0] - total[1]) > EXACT * max(1, total[0]):
            found.append("%s: %s, and in the view %s" % (metric, dict(read), dict(shown)))
    return found


def wrong_rest(path, experiment):
    """What else differs from views: samples by thread, marks, stacks."""
    found = []
    metric = "samples"
    threads = {thread.id: thread.tid for thread in experiment.threads()}
    read = added_up((str(threads[sample.thread]), sample.values.get(metric, 0), 0) for sample in experiment.samples())
    shown = added_up((row["thread"], float(row[metric]), 0) for row in report(path, "threads", "--metric=" + metric)
                     if row["thread"])
    if not same(shown, read):
        found.append("threads: %s, and in the view %s" % (dict(read), dict(shown)))
    labels = [mark.label for mark in experiment.marks()]
    shown = [row["start_label"] for row in report(path, "intervals")]
    if labels[:len(shown)] != shown:
        found.append("marks: %s, and in the view %s" % (labels, shown))
    lines = [line.rpartition(" ") for line in execute("export", "--stacks=machine", path).splitlines()]
    shown = added_up((len(stack.split(";")), float(value), 0) for stack, _, value in lines)
    # Names are changed there, which a line could not have.
    read = added_up((len(stack.functions), stack.value, 0) for stack in experiment.stacks())
    if not same(shown, read):
        found.append("stacks: %s, and exported %s" % (dict(read), dict(shown)))
    return found


def refused(path):
    """The sentence with which the file PATH is refused."""
    try:
        with gdbprof.open(path):
            return ""
    except gdbprof.Error as error:
        return str(error)


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    with open("stacks.folded", "w", encoding="utf-8") as file:
        file.write(FOLDED)
    plan(2 * len(RECORDED) + 2 * len(READ) + 7)
    for name in (*RECORDED, *READ):
        path = make(name)
        with gdbprof.open(path) as experiment:
            wrong = wrong_functions(path, experiment)
            ok(not wrong, "%s: each metric of each function is that of the view" % name, "\n".join(wrong))
            wrong = wrong_rest(path, experiment)
            ok(not wrong, "%s: so are threads, marks and stacks" % name, "\n".join(wrong))

    with gdbprof.open("stacks.prof") as experiment:
        top = experiment.stacks()[0]
        ok(top == (('"\\', "</script>", "\u00e4"), 7) or top.value == 7, "names are as in the file", top)
        try:
            experiment.functions("nothing")
            said = ""
        except gdbprof.Error as error:
            said = str(error)
        ok('no metric "nothing"' in said and "wall" in said, "an unknown metric is refused, and others are named", said)
        if importlib.util.find_spec("pandas"):
            table = gdbprof.frame(experiment.functions())
            ok(list(table.columns) == ["name", "module", "exclusive", "inclusive"] and table.exclusive.sum() == 16.500001,
               "rows become a data frame", table)
        else:
            try:
                gdbprof.frame(experiment.functions())
                said = ""
            except gdbprof.Error as error:
                said = str(error)
            ok("python3-pandas" in said, "without pandas, a data frame is refused", said)
    execute("merge", "-o", "callgrind.prof", os.path.join(CORPUS, "callgrind", "small"))
    with gdbprof.open("callgrind.prof") as experiment:
        try:
            said = str(experiment.functions())
        except gdbprof.Error as error:
            said = str(error)
    ok("no stacks" in said, "costs of calls without stacks are refused", said)
    ok("is not an experiment" in refused(COMMAND) or "cannot be read" in refused(COMMAND), "another file is refused",
       refused(COMMAND))
    file = sqlite3.connect("stacks.prof")
    file.execute("PRAGMA user_version = 99")
    file.commit()
    file.close()
    ok("has version 99" in refused("stacks.prof"), "a newer version is refused", refused("stacks.prof"))
    file = sqlite3.connect("plain.prof")
    file.execute("UPDATE sample_block SET packed = substr(packed, 1, length(packed) - 1)")
    file.commit()
    file.close()
    with gdbprof.open("plain.prof") as experiment:
        try:
            said = str(experiment.functions())
        except gdbprof.Error as error:
            said = str(error)
    ok("truncated" in said, "a damaged file is an error", said)
    os.chdir(TOP)
