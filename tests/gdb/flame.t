#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls and returns: lists of them are read, and flame graphs and phases show what was spent."""

import os
import re
import tempfile

from answers import obeyed, says
from session import Gdb, grown, ok, plan, rows, total

# f calls g, which calls h; in each tick 0.1 s pass.
NESTED = "call f 0 0\ncall g 10 1\ncall h 30 3\nret 60 6\nret 100 10\nret 160 16\n"

# f calls g, h, and g again.
REPEATED = "call f 0\ncall g 5\nret 15\ncall h 20\nret 30\ncall g 35\nret 50\nret 60\n"

THREADS = """# two threads, one after the other and again
thread 7 main
call decode 0
ret 10
call run 10
call "operator new(unsigned long)" 20
thread 9 "the worker"
call wait 1000
ret 1005
thread 7
ret 25
ret 40
call run 40
ret 41
thread 9
ret 1006
call wait 1006
call poll 1007
"""

# Damaged lists, and what is said of each.
DAMAGED = [
    ("call f 0\nrte 5\n", "line 2", '"rte"', "call, ret, left or thread"),
    ("call f 0\ncall operator new 5\n", "line 2", '"new"', "tick"),
    ("call f 10\n\n# comment\nret 5\n", "line 4", "goes back", "10 to 5"),
    ("call f 0 1\nret 5\n", "line 2", "no time"),
    ("call f -5\n", "line 1", '"-5"', "tick"),
    ("call f 99999999999999999999\n", "line 1", "tick"),
    ('call "f 0\n', "line 1", "quote"),
    ("call f 0\0\n", "line 1", "NUL"),
    ("call f 0\nthread x\n", "line 2", '"x"', "id"),
]

LINE = re.compile(r"[^ ].* [0-9]+")


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def read(name):
    with open(name) as file:
        return file.read()


def weights(text):
    """The stacks of folded text with their weights; None where a line is no such."""
    lines = text.strip().split("\n")
    if not all(LINE.fullmatch(line) for line in lines):
        return None
    return [(line.rsplit(" ", 1)[0], int(line.rsplit(" ", 1)[1])) for line in lines]


def list_of(text):
    """Number, thread, name and samples of each phase in a list as CSV."""
    return [(row["phase"], row["thread"], row["name"], row["samples"]) for row in rows(text)]


def test_nested():
    whole = "f 70\nf;g 60\nf;g;h 30"
    out = Gdb().run("prof-load nested", "prof-flame", "prof-flame --chart", "prof-flame --max-depth=1",
                    "prof-flame --chart --max-depth=0", "prof-flame --metric=cpu",
                    "prof-phases --format=csv", "prof-functions --format=csv",
                    "prof-tree --format=csv", "prof-flame --function=h", "prof-flame --time=2s-",
                    "prof-flame --leaf=nobody", "prof-phases")
    ok(out[0].strip() == "" and out[1].strip() == whole and out[2].strip() == whole,
       "each call has what was spent in it alone", "".join(out[:3]))
    ok(out[3].strip() == "f 70\nf;g 60\n# Left out, deeper than 1: 30 samples, 18.75 % of all.",
       "--max-depth says what it leaves out", out[3])
    ok(out[4].strip() == "f 70\n# Left out, deeper than 0: 90 samples, 56.25 % of all.",
       "that of a chart too", out[4])
    ok(out[5].strip() == "f 7000000000\nf;g 6000000000\nf;g;h 3000000000",
       "time goes with the ticks", out[5])
    phases = rows(out[6])
    ok(len(phases) == 2 and phases[1] == {
        "phase": "1", "thread": "0", "name": "f", "samples": "160", "wall": "16",
        "samples_percent": "100", "wall_percent": "100"}, "prof-phases sums up", out[6])
    functions = {row["name"]: (row["exclusive"], row["inclusive"]) for row in rows(out[7])}
    ok(functions == {"<Total>": ("160", "160"), "f": ("70", "160"), "g": ("60", "90"),
                     "h": ("30", "30")}, "all views work on it", out[7])
    tree = [(row["level"], row["name"], row["in_only"]) for row in rows(out[8])]
    ok(tree == [("1", "f", "70"), ("2", "g", "60"), ("3", "h", "30")], "the tree too", out[8])
    ok(out[9].strip() == "f;g;h 30\n# Filter: --function=h (1 of 3 records).",
       "a filter is told of", out[9])
    ok(out[10].strip() == "f;g;h 30\n# Filter: --time=2s- (1 of 3 records).",
       "a call has the time at which it began", out[10])
    ok("nobody" in out[11] and "Traceback" not in out[11], "one that names nothing too", out[11])
    ok("Thread time" in out[12] and re.search(r"160 +100.00 +16.000 +100.00 +1 +0  f\n", out[12]),
       "prof-phases as text", out[12])


def test_repeated():
    out = Gdb().run("prof-load repeated", "prof-flame", "prof-flame --chart", "prof-save saved",
                    "prof-load saved", "prof-flame --chart", "prof-load repeated nested",
                    "prof-flame", "prof-flame --chart", "prof-phases --format=csv --metric=.samples")
    ok(out[1].strip() == "f 25\nf;g 25\nf;h 10", "equal stacks are added up", out[1])
    ok(out[2].strip() == "f 25\nf;g 10\nf;h 10\nf;g 15", "and kept in a chart", out[2])
    ok(out[5] == out[2], "a saved list is the same", out[5])
    ok(out[7].strip() == "f 95\nf;g 85\nf;g;h 30\nf;h 10", "lists can be added up", out[7])
    ok(out[8].strip() == out[2].strip() + "\nf 70\nf;g 60\nf;g;h 30", "and follow each other", out[8])
    ok(list_of(out[9]) == [("", "", "<Total>", "220"), ("1", "0", "f", "60"), ("2", "0", "f", "160")],
       "with phases of their own", out[9])


def test_threads():
    out = Gdb().run("prof-load threads", "prof-flame --chart", "prof-flame --thread=9",
                    "prof-phases --format=csv", "prof-threads --format=csv", "prof-phases",
                    "prof-phases --format=csv --leaf=poll", "prof-phases --format=json --limit=2")
    new = "operator new(unsigned long)"
    ok(weights(out[1]) == [("decode", 10), ("run", 25), ("run;" + new, 5), ("run", 1), ("wait", 5),
                           ("wait", 1), ("wait;poll", 0)], "thread by thread", out[1])
    ok(out[2].strip() == "wait 6\nwait;poll 0\n# Filter: --thread=9 (3 of 7 records).",
       "one of them", out[2])
    phases = [("", "", "<Total>", "47"), ("1", "7", "decode", "10"), ("2", "7", "run", "30"),
              ("3", "7", "run", "1"), ("4", "9", "wait", "5"), ("5", "9", "wait", "1")]
    ok(list_of(out[3]) == phases, "phases in order, not merged by name", out[3])
    threads = [(row["thread"], row["name"], row["samples"]) for row in rows(out[4])]
    ok(threads == [("", "<Total>", "47"), ("7", "main", "41"), ("9", "the worker", "6")],
       "threads have their names", out[4])
    ok("Left out: 1 end without a call.\n" in out[5] and
       "last event: 2 calls without an end.\n" in out[5], "what was amiss is said", out[5])
    ok(list_of(out[6]) == [("", "", "<Total>", "0"), ("5", "9", "wait", "0")],
       "phases are filtered", out[6])
    ok('"phase": 1, "thread": 7, "name": "decode"' in out[7] and '"run"' not in out[7],
       "and limited", out[7])


def test_damaged():
    for number, row in enumerate(DAMAGED):
        write("damaged%d" % number, row[0])
    out = Gdb().run("prof-load nested", *("prof-load damaged%d" % i for i in range(len(DAMAGED))),
                    "prof-flame --max-depth=0", "prof-flame --chart=3", "prof-flame --max-depth=x",
                    "prof-flame --metric=cpu,wall", "prof-flame file", "prof-flame --output=/no/file",
                    "complete prof-flame --", "complete prof-flame --metric=w", "complete prof-ph")
    for number, row in enumerate(DAMAGED):
        ok(says(out[1 + number], '"damaged%d"' % number, *row[1:]), "damage: " + " ".join(row[1:]),
           out[1 + number])
    rest = out[1 + len(DAMAGED):]
    ok(rest[0].startswith("f 70\n"), "what was there stays", rest[0])
    wrong = [("--chart",), ("--max-depth", '"x"'), ("--metric",), ('"file"',), ('"/no/file"',)]
    ok(all(says(answer, *words) for words, answer in zip(wrong, rest[1:])), "wrong options are told",
       "".join(rest[1:6]))
    ok("prof-flame --chart" in rest[6] and "prof-flame --max-depth" in rest[6] and
       "prof-flame --metric=wall" in rest[7] and "prof-phases" in rest[8], "words are completed",
       "".join(rest[6:]))


def test_hostile():
    write("hostile", 'call "#x;y" 0\ncall "\x1b[2J 5" 1\ncall "\xe9\x01" 3\nret 9\nret 9\nret 9\n')
    out = Gdb().run("prof-load hostile", "prof-flame", "prof-flame --chart --output=out",
                    "prof-phases", "prof-phases --format=csv", "prof-load out", "prof-flame")
    ok(len(weights(out[1])) == 3 and out[1].strip().startswith("\\x23x:y 1\n"),
       "hostile names stay in their lines", out[1])
    ok(not any(obeyed(text) for text in out), "and nothing in them is obeyed", "".join(out))
    ok(sorted(out[6].strip().split("\n")) == sorted(out[1].strip().split("\n")),
       "what was written can be read", out[6])


def test_recorded():
    out = grown(lambda rounds: Gdb("shares", [str(rounds)]).run(
        "prof-start --rate=1000", "run", "prof-stop", "prof-functions --format=csv", "prof-flame",
        "prof-flame --chart", "prof-export exported", "prof-flame --output=graph --max-depth=5",
        "prof-phases --format=csv", "prof-flame --metric=cpu --output=times",
        "prof-functions --metric=cpu --format=csv"), lambda out: total(out[3]) > 20, 150)
    count = total(out[3])
    graph, chart = weights(out[4]), weights(out[5])
    ok(count > 20 and graph and chart and sum(value for _, value in graph) == count and
       sum(value for _, value in chart) == count, "a recording: all samples are there", out[4])
    ok([stack for stack, _ in graph] == sorted({stack for stack, _ in chart},
                                               key=lambda stack: stack.encode()),
       "the graph has each stack of the chart once, sorted", out[4])
    ok(all(a[0] != b[0] for a, b in zip(chart, chart[1:])), "neighbours are added up", out[5])
    ok(sorted(weights(read("exported"))) == sorted(graph), "it is what prof-export writes", out[4])
    cut = weights(read("graph"))
    left = re.fullmatch(r"Left out, deeper than 5: (\d+) samples, ([\d.]+) % of all.", out[7].strip())
    ok(cut is not None and all(stack.count(";") <= 5 for stack, _ in cut) and left and
       sum(value for _, value in cut) + int(left[1]) == count,
       "a file has the graph alone; what was left out is told", out[7])
    ok(sum(int(row["samples"]) for row in rows(out[8])[1:]) == count, "phases of samples", out[8])
    seconds = sum(value for _, value in weights(read("times"))) / 1e9
    ok(abs(seconds - total(out[10])) < 1e-6, "times are in ns", out[10])


plan(11 + 6 + 7 + len(DAMAGED) + 3 + 3 + 7)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    write("nested", NESTED)
    write("repeated", REPEATED)
    write("threads", THREADS)
    test_nested()
    test_repeated()
    test_threads()
    test_damaged()
    test_hostile()
    test_recorded()
    os.chdir("/")
