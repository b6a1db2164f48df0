#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Flame graphs and those who made them known: flamegraph.pl draws what is folded here, each box in its
place, and perf folds its own recordings as they are folded here."""

import collections
import html
import os
import re
import shutil
import subprocess
import tempfile

from session import Gdb, ok, plan, program, rows

# The script, and the command by which Debian's ruby-stackprof has it.
DRAW = shutil.which("stackprof-flamegraph.pl") or shutil.which("flamegraph.pl")

# As C++ has them, and as nobody should: what ends in a number could be taken for weights.
NAMES = ["w", "h", "operator new(unsigned long)", "std::map<int, char*>::operator[](int&&)",
         "a&b \"c\" 'd'", "phase 2", "phase 1.5", "phase 7.", "#\xe9;\x1b[2J 5", " g", "123"]

MARGIN, ROOM, HEIGHT = 10, 1180, 16  # of a picture of flamegraph.pl's, in pixels

BOX = re.compile(r'<title>(.*) \(([\d,]+) samples, ([\d.]+)%\)</title>'
                 r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"')

Box = collections.namedtuple("Box", "depth begin weight name")


def write_events():
    """A list of calls, in two threads: up to 12 deep, and equal stacks come again and again."""
    tick, depth = 0, 0
    with open("events", "w", encoding="utf-8") as file:
        for i in range(600):
            tick += i * i % 7
            if depth and (i * 31 % 5 < 2 or depth == 12):
                file.write("ret %d %.1f\n" % (tick, tick))
                depth -= 1
            else:
                name = NAMES[(depth + i // 50) % len(NAMES)].replace('"', '\\"')
                file.write('call "%s" %d %.1f\n' % (name, tick, tick))
                depth += 1
        file.write("thread 2\ncall w 5000 5000\nret 5500 5500\n")


def weights(path):
    """The stacks of the folded text PATH, as lists of names, each with its weight."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in file]
    return [(stack.split(";"), int(weight)) for stack, weight in lines]


def boxes(stacks):
    """The boxes of STACKS one beside the other: neighbours share those of what they begin with."""
    found, current, time = [], [], 0
    for stack, weight in stacks + [([], 0)]:
        same = 0
        while same < min(len(stack), len(current)) and stack[same] == current[same][0]:
            same += 1
        found += [Box(depth, begin, time - begin, name)
                  for depth, (name, begin) in enumerate(current) if depth >= same]
        current = current[:same] + [(name, time) for name in stack[same:]]
        time += weight
    return sorted(box for box in found if box.weight)


def drawn(picture, total):
    """The boxes in flamegraph.pl's PICTURE of TOTAL, without the one below all others, and whether
    their percents and widths are those of their weights."""
    found = [(html.unescape(name), int(samples.replace(",", "")), float(percent), float(x), float(y),
              float(width)) for name, samples, percent, x, y, width in BOX.findall(picture)]
    bottom = max((y for _, _, _, _, y, _ in found), default=0)
    right = all(abs(percent - 100 * samples / total) <= 0.0051 and
                abs(width - ROOM * samples / total) <= 0.11 for _, samples, percent, _, _, width in found)
    return sorted(Box(round((bottom - y) / HEIGHT) - 1, round((x - MARGIN) * total / ROOM),
                      samples, name) for name, samples, _, x, y, _ in found if samples and y != bottom), right


def agree(file, options):
    """Has flamegraph.pl draw FILE; does it draw all, and where it belongs?"""
    run = subprocess.run([DRAW, "--minwidth=0"] + options + [file], capture_output=True, text=True)
    stacks = weights(file)
    # Without --flamechart it sorts the lines.
    expected = boxes(stacks if options else sorted(
        stacks, key=lambda one: ("%s %d" % (";".join(one[0]), one[1])).encode()))
    total = sum(weight for _, weight in stacks)
    found, right = drawn(run.stdout, total)
    near = len(found) == len(expected) and all(
        (a.depth, a.weight, a.name) == (b.depth, b.weight, b.name) and
        abs(a.begin - b.begin) <= 0.051 * total / ROOM + 1 for a, b in zip(found, expected))
    details = "%s\n%s\n%s" % (run.stderr, found[:20], expected[:20])
    title = " ".join([file] + options)
    ok(run.returncode == 0 and not run.stderr, title + ": no line is ignored", details)
    ok(expected and near, title + ": all boxes are there, with their names and weights", details)
    ok(right, title + ": as wide as their weights, and with the same percents", details)
    return {box.name for box in expected}


def test_flamegraph():
    write_events()
    out = Gdb().run("prof-load events", "prof-flame --output=graph", "prof-flame --chart --output=chart",
                    "prof-flame --metric=wall --output=times", "prof-functions --format=csv")
    names = agree("graph", [])
    ok(agree("chart", ["--flamechart"]) == names, "the graph and the chart have the same names", names)
    agree("times", [])
    spent = {row["name"]: int(row["exclusive"]) for row in rows(out[4])}
    for file in ("graph", "chart"):
        sums = collections.Counter()
        for stack, weight in weights(file):
            sums[stack[-1]] += weight
        ok(sorted(sums.values()) == sorted(value for name, value in spent.items() if name[0] != "<"),
           "the sums of the %s are those of prof-functions" % file, "%s\n%s" % (sums, out[4]))


def recorded():
    """Has perf record a program, if it may; is there a recording?"""
    if not shutil.which("perf"):
        return False
    return subprocess.run(["perf", "record", "-e", "cpu-clock:u", "-g", "-F", "997", "-o", "data", "--",
                           program("shares"), "300"], capture_output=True).returncode == 0


def test_perf():
    name = "perf script report stackcollapse folds the same"
    if not recorded():
        ok(True, name + " # SKIP perf is not installed, or may not record")
        return
    folded = subprocess.run(["perf", "script", "report", "stackcollapse", "-i", "data"],
                            capture_output=True, text=True)
    if folded.returncode or not folded.stdout:
        ok(True, name + " # SKIP this perf runs no scripts")
        return
    with open("script", "wb") as file:
        subprocess.run(["perf", "script", "-i", "data"], stdout=file, stderr=subprocess.DEVNULL, check=True)
    Gdb().run("prof-load script", "prof-flame --output=stacks")
    # There the root is the command; spaces in it could be others'.  And code without a name has another.
    theirs = sorted(line.split(";", 1)[1].replace("[unknown]", "<Unknown>") for line in folded.stdout.splitlines())
    with open("stacks", encoding="utf-8") as file:
        ours = sorted(file.read().splitlines())
    ok(ours and ours == theirs, name, "\n".join(ours + ["and theirs:"] + theirs))


plan(3 * 3 + 3 + 1)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    if DRAW:
        test_flamegraph()
    else:
        for _ in range(3 * 3 + 3):
            ok(True, "flamegraph.pl # SKIP it is not installed")
    test_perf()
    os.chdir("/")
