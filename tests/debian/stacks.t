#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where programs of Debian spend their CPU time, by whole stacks, is the same to the engines perf and stop.

PROGRAMS="xz git" selects some by name.  Perf has a copy of a stack's end and walks it later, stop reads the
stack of a thread that stands still: what differs by more than chance is wrong in one of them.
"""

import collections
import math
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

from session import Gdb, engines, ok, plan, skip, skip_all  # noqa: E402

RATE = 997
ENOUGH = 1000  # samples
LEAST = 3  # percent: what has less is not compared
POINTS = 3  # percent: so far apart shares may be, and
CHANCE = 4  # as many standard deviations of what chance does

CODE = """
import json, re
rows = [{"name": "row %d" % i, "values": list(range(i % 40)), "text": "x" * (i % 17)} for i in range(400)]
for turn in range(2000):
    text = json.dumps(rows)
    found = sorted(json.loads(text), key=lambda row: (len(row["values"]), row["name"]))
    words = re.findall(r"row (\\d+)", text)
    assert len(words) == len(found) == 400
"""
QUERY = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000000)"
         " SELECT count(*) FROM n WHERE i % 7 = 3 AND hex(i) LIKE '%9%';")
SOURCE = "#include <algorithm>\n#include <iostream>\n#include <map>\n#include <regex>\n" \
    "int main() { std::map<std::string, std::regex> all; all[\"a\"] = std::regex(\"a+\"); return (int)all.size(); }\n"


def put(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def python(folder):
    """An interpreter, with a stack of calls within calls."""
    return ["/usr/bin/python3", put(folder, "code.py", CODE)]


def sqlite(folder):
    """A machine that executes instructions of its own."""
    del folder
    return [shutil.which("sqlite3"), ":memory:", QUERY]


def git(folder):
    """The difference of two files that have every third line in common."""
    texts = ["\n".join("%d" % (i if i % 3 == 0 else i * factor % 100003) for i in range(80000)) for factor in (7, 11)]
    return [shutil.which("git"), "diff", "--no-index", "--minimal", "--stat", *(put(folder, "text%d" % i, text)
                                                                              for i, text in enumerate(texts))]


def xz(folder):
    """A compressor, optimized by hand."""
    text = "".join("%d %x " % (i * i, i * 7919 % 65537) for i in range(250000))
    return [shutil.which("xz"), "-T1", "-6", "-k", "-f", put(folder, "text", text)]


def compiler(folder):
    """A large program in C++: the compiler itself."""
    path = subprocess.run(["g++", "-print-prog-name=cc1plus"], capture_output=True, text=True, check=True).stdout.strip()
    ready = os.path.join(folder, "source.ii")
    subprocess.run(["g++", "-E", put(folder, "source.cc", SOURCE), "-o", ready], check=True)
    return [path, "-quiet", "-O2", "-fpreprocessed", ready, "-o", os.path.join(folder, "made")]


PROGRAMS = {"python3": (python, "/usr/bin/python3"), "sqlite3": (sqlite, "sqlite3"), "git": (git, "git"),
            "xz": (xz, "xz"), "cc1plus": (compiler, "g++")}


def record(command, engine, folder):
    """The percents that stacks and functions have, their own calls included, and the number of samples."""
    path = os.path.join(folder, engine)
    out = Gdb(command[0], command[1:]).run(
        "set prof max-stopped 100", "prof-start --engine=%s --rate=%d" % (engine, RATE),
        "run", "prof-stop", "prof-export --format=folded " + path)
    count, all_samples = collections.Counter(), 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, _, samples = line.rpartition(" ")
            names = stack.split(";")
            all_samples += int(samples)
            for part in {tuple(names[:depth]) for depth in range(1, len(names) + 1)} | {(names[-1], "itself")} | \
                    {("anywhere", name) for name in names}:
                count[part] += int(samples)
    return {part: 100 * samples / max(all_samples, 1) for part, samples in count.items()}, all_samples, out[3]


def check(name, make, folder):
    command = make(folder)
    (first, count, said), (second, others, also) = [record(command, engine, folder) for engine in ("perf", "stop")]

    def chance(share):
        return 100 * math.sqrt(max(share * (100 - share), 100) / 1e4 * (1 / max(count, 1) + 1 / max(others, 1)))

    compared = [(first.get(part, 0), second.get(part, 0), part) for part in {*first, *second}
                if max(first.get(part, 0), second.get(part, 0)) >= LEAST]
    wrong = [row for row in compared if abs(row[0] - row[1]) > POINTS + CHANCE * chance((row[0] + row[1]) / 2)]
    worst = max((abs(row[0] - row[1]) for row in compared), default=0)
    ok(min(count, others) > ENOUGH and len(compared) > 5 and not wrong,
       "%s: %d and %d samples, %d stacks and functions, %.1f points apart at the most" % (
           name, count, others, len(compared), worst),
       "%s\n%s\n%s" % ("\n".join("%.1f %.1f %s" % (mine, theirs, ";".join(part)) for mine, theirs, part in wrong),
                       said, also))


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
wanted = os.environ.get("PROGRAMS", "").split()
chosen = {name: row for name, row in PROGRAMS.items() if not wanted or name in wanted}
if not chosen:
    skip_all("none of these is selected")
plan(len(chosen))
for name, (make, needed) in chosen.items():
    if not shutil.which(needed):
        skip(1, name, "%s is not installed" % needed)
        continue
    with tempfile.TemporaryDirectory() as place:
        check(name, make, place)
