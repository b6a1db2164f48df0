#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several processes in one recording: a view of them, and a filter."""

import os
import re
import tempfile

from answers import says
from session import Gdb, ok, plan, rows

VIEW = "prof-processes --format=csv"
FUNCTIONS = "prof-functions --format=csv --limit=0"


def names(text):
    """The functions in TEXT that have samples."""
    return {row["name"] for row in rows(text) if float(row["inclusive"])}


def test_children(place):
    """A process and its child, that GDB keeps both."""
    file = os.path.join(place, "file")
    out = Gdb("family", ["fork"]).run(
        "set prof max-stopped 100", "set detach-on-fork off", "set schedule-multiple on",
        "prof-start --rate=1000", "run", "inferior 2", "continue", "inferior 1", "continue", "prof-stop", VIEW,
        "prof-threads --format=csv", "prof-save " + file)
    table = {row["process"]: row for row in rows(out[10]) if row["process"]}
    total = rows(out[10])[0]
    ok(len(table) == 2 and all(row["name"] == "family" for row in table.values()) and
       sum(float(row["samples"]) for row in table.values()) == float(total["samples"]),
       "each process has a row", out[3:11])
    # The child was made last.
    parent, child = list(table) if len(table) == 2 else ("0", "0")
    out = Gdb().run("prof-load " + file, VIEW, FUNCTIONS + " --process=" + child,
                    FUNCTIONS + " --process=" + parent, FUNCTIONS + " --process=%s,%s" % (child, parent),
                    FUNCTIONS + " --process=1", "prof-functions --process=" + child,
                    "prof-export --format=json %s/json" % place)
    ok({row["process"] for row in rows(out[1])} == {"", parent, child}, "in a file too", out[1])
    found = [names(text) & {"first", "parent", "child"} for text in out[2:5]]
    ok({"child"} in found[:2] and {"first", "parent"} in found[:2] and
       found[2] == {"first", "parent", "child"}, "processes can be chosen", found)
    ok(says(out[5], 'no process "1"', "prof-processes") and "--process=" + child in out[6],
       "one that there is not is named", out[5:7])
    with open(os.path.join(place, "json"), encoding="utf-8") as text:
        ok(re.search('"process": ?' + child, text.read()) is not None, "all of it is exported", out[7])


def test_one():
    """One process needs no id."""
    out = Gdb("shares").run("prof-start --rate=1000", "run", "prof-stop", VIEW, "prof-functions --process=5")
    table = rows(out[3])
    ok([(row["process"], row["name"]) for row in table] == [("", "<Total>"), ("", "shares")],
       "one process is the program", out[3])
    ok(says(out[4], 'no process "5"'), "and is not chosen", out[4])


plan(5 + 2)
with tempfile.TemporaryDirectory() as scratch:
    test_children(scratch)
test_one()
