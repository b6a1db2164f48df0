#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Code that a program has generated has the names that it lists for perf, whenever it lists them."""

import glob
import os
import re
import shutil
import tempfile

from session import Gdb, engines, lacking, ok, plan, rows, skip, total

NAME = "made while it runs a.js:1"
UNITS = "20000"
ENGINES = [engine for engine in ("perf", "stop", "catch") if engine in engines()]

SCRIPT = """
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
for (let i = 0; i < 20; i++) fibonacci(32);
"""


def share(text, name):
    """What the functions whose names contain NAME have of all samples, inclusive and exclusive."""
    found = [row for row in rows(text) if name in row["name"]]
    return [sum(float(row[column]) for row in found) / max(total(text), 1) for column in ("inclusive", "exclusive")]


def clean(text):
    """Removes the lists of the processes in TEXT."""
    for process in re.findall(r"process (\d+)", text):
        for path in glob.glob("/tmp/perf-%s.map" % process):
            os.unlink(path)


def record(when, engine, *commands):
    out = Gdb("perf_map", [when, UNITS]).run(
        "set prof max-stopped 100", "break main", "run", "info inferiors", "prof-start --rate=500 --engine=" + engine,
        *commands)
    clean(out[3])
    return out[5:]


def test_listed(engine):
    """At a stop, and when the program has ended."""
    out = record("FIRST", engine, "break over", "continue", "prof-functions --format=csv", "continue", "prof-stop",
                 "prof-functions --format=csv")
    for at, when in ((2, "at a stop"), (5, "at the end")):
        inclusive, exclusive = share(out[at], NAME)
        ok(inclusive > 0.8 and exclusive < 0.1 and "old" not in out[at], "%s, listed first, %s" % (engine, when), out[at])
    out = record("LAST", engine, "continue", "prof-stop", "prof-functions --format=csv")
    ok(share(out[2], NAME)[0] > 0.8, "%s, listed last" % engine, out[2])


def test_unlisted():
    """At a stop before the list is written: there is no name, and it stays so."""
    out = record("LAST", ENGINES[0], "break over", "continue", "prof-functions --format=csv", "kill", "prof-stop",
                 "prof-tree --format=csv")
    ok("<Unknown>" in out[2] and NAME not in out[2], "without a list there are no names", out[2])
    ok("warning" not in "".join(out), "nor a complaint", out)


def test_node():
    missing = lacking("node")
    if missing:
        skip(1, "node lists its functions", missing)
        return
    with tempfile.NamedTemporaryFile("w", suffix=".js") as script:
        script.write(SCRIPT)
        script.flush()
        out = Gdb(shutil.which("node"), ["--perf-basic-prof", "--no-logfile-per-isolate", "--logfile=/dev/null", script.name]).run(
            "break main", "run", "info inferiors", "delete", "prof-start --rate=200 --engine=" + ENGINES[0], "continue",
            "prof-stop", "prof-functions --format=csv")
    clean(out[2])
    ok(share(out[7], "fibonacci " + script.name)[1] > 0.5, "node lists its functions", out[7])


plan(3 * len(ENGINES) + 3)
for each in ENGINES:
    test_listed(each)
test_unlisted()
test_node()
