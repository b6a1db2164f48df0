#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and arguments: a wrong one gets one sentence that names it, and nothing happens."""

from answers import is_sentence, says
from session import Gdb, ok, plan

RATE = "is not a sampling rate"

# What is typed, and what the one sentence must hold.
WRONG = [
    ("prof-start --rate", "--rate needs a value"),
    ("prof-start --rate=", '""', RATE),
    ("prof-start --rate=abc", '"abc"', RATE),
    ("prof-start --rate=0", '"0"', RATE),
    ("prof-start --rate=-1", '"-1"', RATE),
    ("prof-start --rate -1", '"-1"', RATE),
    ("prof-start --rate=1e9", '"1e9"', RATE),
    ("prof-start --rate=inf", '"inf"', RATE),
    ("prof-start --rate=nan", '"nan"', RATE),
    ("prof-start --rate=100x", '"100x"', RATE),
    ("prof-start --interval=0", '"0"', RATE),
    ("prof-start --interval=-1ms", '"-1ms"', RATE),
    ("prof-start --interval=5h", '"5h"', RATE),
    ("prof-start --interval=1ns", '"1ns"', RATE),
    ("prof-start --rate=50 --interval=5", "--rate", "--interval", "not both"),
    ("prof-start --engine=steam", '"steam"', "--engine", "stop", "catch"),
    ("prof-start --unwinder=x", '"x"', "--unwinder", "cfi"),
    ("prof-start --max-depth=0", '"0"', "100000"),
    ("prof-start --max-depth=-5", '"-5"', "100000"),
    ("prof-start --max-depth=100001", '"100001"', "100000"),
    ("prof-start --bogus", '"--bogus"', "help prof-start"),
    ("prof-start -bogus=3", '"-bogus=3"', "help prof-start"),
    ("prof-start -x", '"-x"', "help prof-start"),
    ("prof-start extra", '"extra"', "no argument"),
    ("prof-start -- --rate=5", '"--rate=5"', "no argument"),
    ("prof-stop now", '"now"', "prof-stop"),
    ("prof-pause now", '"now"', "prof-pause"),
    ("prof-resume now", '"now"', "prof-resume"),
    ("prof-status now", '"now"', "prof-status"),
    ("info prof now", '"now"', "info prof"),
    ("prof-stop --now", '"--now"', "help prof-stop"),
    ("prof-tree --m", '"--m"', "ambiguous", "--metric", "--max-level", "--min-percent"),
    ("prof-tree --m=3", '"--m=3"', "ambiguous"),
    ("prof-tree -m 3", '"-m"', "ambiguous"),
    ("prof-gprof --f", '"--f"', "--flat", "--format"),
    ("prof-gprof --flat=3", "--flat takes no value"),
    ("prof-gprof --fla=3", "--flat takes no value"),
    ("prof-tree --collapse", "--collapse needs a value"),
    ("prof-tree --collapse=", '""', "--collapse"),
    ("prof-tree --collapse=some", '"some"', "conservative"),
    ("prof-tree --columns=x", '"x"', "--columns"),
    ("prof-tree --sort=size", '"size"', "inclusive"),
    ("prof-functions --sort=size", '"size"', "inclusive"),
    ("prof-tree --metric=joules", '"joules"', "samples", "cpu"),
    ("prof-tree --metric=cpu,joules", '"joules"', "samples", "cpu"),
    ("prof-tree --metric=cpu,wall --columns=all", "--metric", "--columns"),
    ("prof-gprof --metric=cpu,wall", "one value", '"cpu,wall"', "lock"),
    ("prof-callers --metric=joules", '"joules"', "samples", "cpu"),
    ("prof-flame --metric=cpu,wall", "one value", '"cpu,wall"', "lock"),
    ("prof-flame --max-depth=-1", '"-1"', "--max-depth"),
    ("prof-gprof --style=x", '"x"', "--style"),
    ("prof-tree --format=xml", '"xml"', "text", "csv", "json"),
    ("prof-tree --limit=-1", '"-1"', "--limit"),
    ("prof-tree --limit=many", '"many"', "--limit"),
    ("prof-tree --limit=99999999999999999999", "99999999999999999999", "--limit"),
    ("prof-tree --max-level=0", '"0"', "--max-level"),
    ("prof-tree --min-percent=101", '"101"', "--min-percent"),
    ("prof-tree --min-percent=nan", '"nan"', "--min-percent"),
    ("prof-tree work", '"work"', "no argument"),
    ("prof-tree -", '"-"', "no argument"),
    ("prof-functions work", '"work"', "no argument"),
    ("prof-callers nobody", '"nobody"'),
    ("prof-callers -- --format=csv", '"--format=csv"', "stack"),
    ("prof-load", "prof-load FILE"),
    ("prof-load one two", '"one"', "cannot be read"),
    ("prof-save", "prof-save FILE"),
    ("prof-save one two", '"two"', "prof-save FILE"),
    ("prof-export", "FILE"),
    ("prof-export --format=pdf out", '"pdf"', "folded"),
    ("prof-export --metric=joules out", '"joules"', "samples"),
]

# What means the same; the first of each row is the plainest.
SAME = [
    ("prof-tree --collapse=direct", "prof-tree --collapse direct", "prof-tree -collapse direct",
     "prof-tree -coll=dir", "prof-tree --collapse=none --collapse=direct"),
    ("prof-functions --format=csv --limit=2", "prof-functions --fo csv --li 2",
     "prof-functions -limit 2 -format csv --"),
    ("prof-functions --metric=samples,cpu,lock", "prof-functions --metric=samples --metric=cpu,lock",
     "prof-functions --metric samples -metric cpu --metric=lock"),
    ("prof-callers work", "prof-callers -- work", "prof-callers work --limit=0",
     "prof-callers 'work'"),
]

FOLDED = "work;work;rest 3\nmain;work 5\n"


def prepare(directory):
    path = directory + "/small.folded"
    with open(path, "w") as file:
        file.write(FOLDED)
    return path


def main(directory):
    path = prepare(directory)
    load = "prof-load " + path

    plan(len(WRONG) + 1 + len(SAME) + 2)
    before = ["cd " + directory, load, "prof-tree"]
    gdb = Gdb("shares")
    out = gdb.run(*before, *(row[0] for row in WRONG), "prof-tree")
    for row, answer in zip(WRONG, out[len(before):]):
        ok(says(answer, *row[1:]), row[0], answer)
    ok(out[-1] == out[len(before) - 1] and "work" in out[-1] and gdb.status == 0,
       "what was loaded stays, and GDB goes on", out[-1])

    for row in SAME:
        answers = Gdb().run(load, *row)[1:]
        ok(len(set(answers)) == 1 and "work" in answers[0] and not is_sentence(answers[0]),
           "the same: " + "; ".join(row), "\n".join(answers))

    out = Gdb("shares").run("prof-start -r lo -e=st", "prof-status", "prof-stop")
    ok("10 Hz asked" in out[1] and "engine stop" in out[0], "options can be abbreviated", out)
    out = Gdb("shares").run("prof-start --interval=2ms", "prof-status")
    ok("500 Hz asked" in out[1], "an interval is a rate", out)


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory() as place:
        main(place)
