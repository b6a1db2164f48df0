#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Firefox's profiler itself, by its command line, reads what is written for it."""

import json
import os
import shutil
import subprocess
import tempfile

import npm
from mpi import build, launch, libraries
from session import BUILD, Gdb, ok, plan, rows, skip_all, wait_until

RANKS = 2
HOSTILE = "main;<img/src=x/onerror=alert(1)> 2\nmain;</script>\\x1b[2J 3\nmain;\xe9\" 0.5\n"


def ask(*words):
    """What the tool answers: a process of its own keeps the file that it has loaded."""
    return subprocess.run(["node", tool, *words], capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, HOME=os.getcwd()))


def told(*words):
    """What the tool answers, or {} if it never does: on a busy machine the process that keeps the file may
    still be at its beginning when `load` has given up waiting for it."""
    answers = []

    def answered():
        try:
            answers.append(json.loads(ask(*words, "--json").stdout))
        except ValueError:
            return False
        return True

    return answers[-1] if wait_until(answered) else {}


def add(found, name, own, total):
    """Adds to what FOUND has of NAME: several threads, and functions, may have the same."""
    one, other = found.get(name, (0, 0))
    found[name] = (one + own, other + total)


def shown(file):
    """By function what the tool shows of FILE, (itself, in all), of all threads; and its marks."""
    found, marks = {}, []
    loaded = ask("load", file)
    for thread in told("thread", "list", "--limit", "100").get("threads", []):
        handle = ("--thread", thread["threadHandle"])
        for row in told("thread", "functions", "--include-idle", "--limit", "1000", *handle).get("functions", []):
            add(found, row["name"], row["selfSamples"], row["totalSamples"])
        marks += [mark["name"] for mark in
                  told("thread", "markers", "--list", "--limit", "1000", *handle).get("flatMarkers", [])]
    ask("stop", "--all")
    return found, marks, loaded.stdout + loaded.stderr


def figures(text, units=1):
    """The same of the list TEXT of prof-functions, where there is anything."""
    found = {}
    for row in rows(text)[1:]:
        if float(row["inclusive"]):
            add(found, row["name"], float(row["exclusive"]) * units, float(row["inclusive"]) * units)
    return found


def near(one, other):
    return one.keys() == other.keys() and all(
        abs(a - b) < 1e-5 for name in one for a, b in zip(one[name], other[name]))


def test_recorded():
    out = Gdb("threads", args=["100"]).run(
        "tbreak main", "run", "prof-start --rate=1000", "prof-mark early", "continue", "prof-mark late",
        "prof-stop", "prof-functions --format=csv", "prof-functions --format=csv --metric=cpu",
        "prof-export --format=firefox samples.json", "prof-export --format=firefox --metric=cpu times.json")
    found, marks, said = shown("samples.json")
    ok(near(found, figures(out[7])) and len(found) > 5, "a recording: all functions, as prof-functions has them",
       "%s\n%s\n%s" % (said, found, out[7]))
    ok(marks[:2] == ["start", "early"] and marks[-2:] == ["late", "end"],
       "all marks, those too that no sample is before or behind", marks)
    found, _, said = shown("times.json")
    ok(near(found, figures(out[8], 1000)), "times are in ms", "%s\n%s\n%s" % (said, found, out[8]))


def test_hostile():
    with open("hostile", "w", encoding="utf-8") as file:
        file.write(HOSTILE)
    out = Gdb().run("prof-load hostile", "prof-functions --format=csv", "prof-export --format=firefox hostile.json")
    found, _, said = shown("hostile.json")
    ok(near(found, figures(out[1])) and len(found) == 4, "names are what they are", "%s\n%s" % (said, found))


def test_messages():
    here = libraries(1)
    if not here:
        return
    library = here[0]
    record = [os.path.join(BUILD, "gdbprof"), "record", "--mpi", "--engine=none", "--output=job.%r.prof", "--",
              build(library, "ring.c")]
    _, said, _ = launch(library, *[record] * RANKS)
    out = Gdb().run("prof-load job.0.prof job.1.prof", "prof-export --format=firefox --metric=mpi-time job.json")
    _, marks, told_of = shown("job.json")
    with open("job.json", encoding="utf-8") as file:
        threads = json.load(file)["threads"]
    flows = [[(row["type"], thread["stringArray"][row["flow"]]) for row in thread["markers"]["data"] if row]
             for thread in threads]
    kinds = [{flow for kind, flow in ends if kind == wanted} for ends in flows for wanted in ("MpiSend", "MpiReceive")]
    ok(marks.count("send") == marks.count("receive") == 10 * RANKS and len(kinds) == 4 and
       kinds[0] == kinds[3] and kinds[1] == kinds[2] and len(kinds[0]) == len(kinds[1]) == 10,
       "messages are markers, and connect them", "%s\n%s\n%s\n%s\n%s" % (marks, kinds, told_of, out, said))


tool = npm.fetch("@firefox-devtools/profiler-cli", "0.10.0", "dist/profiler-cli.js")
if not tool or not shutil.which("node"):
    skip_all("npm cannot be reached for Firefox's profiler")
plan(5)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    if ask("--version").returncode:
        for _ in range(5):
            ok(True, "Firefox's profiler # SKIP this node does not run it")
    else:
        test_recorded()
        test_hostile()
        test_messages()
    os.chdir("/")
