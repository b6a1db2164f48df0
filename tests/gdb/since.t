#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program did since a stop, in any view; and which views there are."""

from session import Gdb, again, ok, plan, rows

AT = ["break inner", "break factorial", "run"]


def names(text):
    return {row["name"] for row in rows(text)}


def test_stops():
    """The program stops in inner 8 times, then in factorial, and ends."""
    out = again(lambda: Gdb("session").run(
        "prof-start --rate=1000", *AT, "prof-since", "delete 1", "continue", "prof-since --format=csv",
        "prof-tree --since=stop --format=csv", "prof-since 2 functions --format=csv", "prof-since prof-tree --format=csv",
        "delete", "continue", "prof-since func --format=csv", "prof-stop", "prof-since functions --format=csv",
        "prof-functions --since=stop:3 --format=csv", "prof-functions --format=csv")[4:],
                lambda out: "inner" in names(out[3]) and "count" in names(out[9]))
    ok("Filter: --since=stop:1 (" in out[0], "the filter shows what is seen", out[0])
    # A tick may come at the entry of factorial, before the breakpoint there.
    last = {row["name"]: float(row["inclusive"]) for row in rows(out[3])}
    ok("inner" in last and last.get("factorial", 0) <= 1, "at a stop it is since the stop before", out[3])
    ok(out[6] == out[4] and out[4] != out[3], "other views are named with prof- and without, and have the filter", out[3:7])
    ok("inner" in names(out[5]), "further stops are counted", out[5])
    ok("count" in names(out[9]) and "inner" not in names(out[9]), "behind a stop it is since that", out[9])
    ok(out[11] == out[9] and out[12] == out[13], "after the recording it is the same, and the recording begins as a stop does",
       out[9:])


def test_running():
    """While the program runs, the last time is that which goes on."""
    out = Gdb("session").run(
        "prof-start", "break factorial", "run", "set mi-async on", "delete", "continue &", "prof-since intervals",
        "prof-since 2 intervals", "interrupt")
    ok("Filter: --since=stop:0 (" in out[6], "while the program runs it is since the last stop", out)
    ok("Filter: --since=stop:1 (" in out[7], "and the stop before is counted from there", out)


def test_completion():
    out = Gdb("session").run("complete prof-since t", "complete prof-since 3 tree --coll", "complete prof-since --form",
                             "complete prof-since tree --collapse=f", "complete prof-since prof-t", "complete prof-since 2 ")
    ok(out[0].split("\n")[:3] == ["prof-since threads", "prof-since traces", "prof-since tree"], "views are completed", out[0])
    ok("prof-since 3 tree --collapse=full" in out[1] and "prof-since --format=csv" in out[2] and
       "prof-since tree --collapse=full" in out[3], "and their options", out)
    ok("prof-since 2 tree" in out[5] and "mark-at" not in out[5], "behind a number, too", out[5])


def test_heap():
    """main() has a block from before lose(), which allocates one that stays."""
    out = Gdb("blocks").run("prof-start --heap", "break lose", "break half", "run", "continue",
                            "prof-since leaks --format=csv", "prof-leaks --format=csv")
    since, all_leaks = [[int(row["bytes"]) for row in rows(text)] for text in out[5:]]
    ok(since == [77] and sorted(all_leaks) == [77, 1000], "of the heap it shows what came since, and is there still", out[5:])


WRONG = [
    ("prof-since", "nothing to show", "prof-start"),
    ("prof-since 0", "from 1"), ("prof-since nix", '"nix"', "tree"), ("prof-since t", '"t"'),
    ("prof-since 3 mark", '"mark"'), ("prof-since -1", "-1"), ("prof-since tree --nix", "--nix"),
]


def test_wrong():
    out = Gdb("session").run(*(row[0] for row in WRONG), "prof-start", "prof-since", "run", "prof-since 99",
                             "set prof mark-stops off", "prof-since 2")
    for row, answer in zip(WRONG, out):
        ok(all(word in answer for word in row[1:]) and "Python" not in answer, row[0], answer)
    ok("has not run since" in out[-5], "without a stop there is none", out[-5])
    ok("There is no stop 99 stops ago: the recording began 1 stop ago." in out[-3], "no more than there were", out[-3])


plan(6 + 2 + 3 + 1 + len(WRONG) + 2)
test_stops()
test_running()
test_completion()
test_heap()
test_wrong()
