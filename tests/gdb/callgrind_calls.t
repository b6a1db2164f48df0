#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls in their order, as callgrind tells them: each function costs what callgrind's own file says."""

import collections
import os
import subprocess
import tempfile

from answers import says
from session import Gdb, ok, plan, require, rows

SOURCE = """
static int __attribute__((noinline)) h(int n)
{
	volatile int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}
static int __attribute__((noinline)) g(int n) { return h(n) + h(2 * n); }
static int __attribute__((noinline)) f(int n) { return n ? f(n - 1) + g(n) : h(1); }
int main(void) { return f(3) & 1; }
"""

# The stacks of its calls, below main, in their order.
ORDER = ["f", "f;f", "f;f;f", "f;f;f;f", "f;f;f;f;h", "f;f;f;g", "f;f;f;g;h", "f;f;f;g;h", "f;f;g",
         "f;f;g;h", "f;f;g;h", "f;g", "f;g;h", "f;g;h"]


def trace(option, name):
    """Has callgrind tell of the program's calls, in the file NAME, and write its own, NAME.out."""
    subprocess.run(["valgrind", "--tool=callgrind", "--separate-recs=1", option, "--log-file=" + name,
                    "--callgrind-out-file=%s.out" % name, "./program"], check=False, cwd=".",
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def costs(text):
    """By function what it costs itself; several may have the same name."""
    found = collections.Counter()
    for row in rows(text):
        found[row["name"]] += float(row["exclusive"])
    return found


def test_whole():
    trace("--ct-verbose=2", "whole")
    out = Gdb().run("prof-load whole.out", "prof-functions --format=csv", "prof-load whole",
                    "prof-functions --format=csv", "prof-phases")
    expected, found = costs(out[1]), costs(out[3])
    total = expected["<Total>"]
    # The very first function never ends, so that its own few instructions are not told.
    differ = {name for name in expected | found if expected[name] != found[name]} - {"<Total>"}
    ok(total > 10000 and 0 <= total - found["<Total>"] < 100 and len(found) > 50 and len(differ) <= 2,
       "all functions cost what callgrind's file says", "%s\n%s" % (differ, out[3]))
    ok(all(found[name] == expected[name] > 0 for name in "fgh"), "those of the program too",
       "%s\n%s" % (expected, found))
    ok("without an end" in out[4], "what did not end is told of", out[4])


def test_main():
    trace("--ct-verbose2=main", "main")
    out = Gdb().run("prof-load main.out", "prof-functions --format=csv", "prof-load main",
                    "prof-functions --format=csv", "prof-flame --chart", "prof-flame chart.svg --chart")
    lines = [line.rsplit(" ", 1)[0] for line in out[4].strip().split("\n")]
    ok(lines == ["main"] + ["main;" + stack for stack in ORDER], "the calls of one function, in their order",
       out[4])
    expected, found = costs(out[1]), costs(out[3])
    ok(all(found[name] == expected[name] > 0 for name in "fgh"), "cost the same", out[3])
    ok(os.path.exists("chart.svg") and out[5].strip() == "chart.svg is written.", "and are drawn", out[5])


def test_none():
    trace("--ct-verbose=1", "none")
    out = Gdb().run("prof-load none")
    ok(says(out[0], '"none"', "--ct-verbose=2"), "without them it says what to ask for", out[0])


require("valgrind", "cc")
plan(3 + 3 + 1)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    with open("program.c", "w") as file:
        file.write(SOURCE)
    subprocess.run(["cc", "-O1", "-g", "-o", "program", "program.c"], check=True)
    test_whole()
    test_main()
    test_none()
    os.chdir("/")
