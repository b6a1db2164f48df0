#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make check-gdb-suite` compares with, how it bounds what it runs, and how it numbers breakpoints."""

import os
import re
import subprocess
import sys
import tempfile
import time

from tree import TOP, ok, plan, read

SUITE = os.path.join(TOP, "tests", "gdbsuite")
sys.path.insert(0, SUITE)
import results  # noqa: E402

PASSED = "PASS: f.exp: one\nPASS: f.exp: one\nFAIL: f.exp: process 12345 at 0x7ff0\nERROR: tcl\nFAIL: f.exp: two (timeout)\n# of expected passes 1\n"
TABLE = "| file | test |\n|---|---|\n| `gdb.base/f\\.exp` | `stop\\|catch` | `one$` | it is so |\n"


# Runs a script whose children have always ended when it learns that they have begun.
SLOWLY = """import runpy, subprocess, sys, time
class Slow(subprocess.Popen):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        time.sleep(0.5)
subprocess.Popen = Slow
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def bounded(seconds, command, through=()):
    """The exit status of the shell COMMAND, with SECONDS for it, and how long that took; THROUGH runs the script."""
    begin = time.monotonic()
    script = os.path.join(SUITE, "bounded")
    status = subprocess.run([*through, script, str(seconds), "sh", "-c", command], check=False).returncode
    return status, time.monotonic() - begin


def ended(path):
    """Has the process whose number the file PATH holds ended?"""
    with open(path, encoding="ascii") as file:
        return not os.path.exists("/proc/" + file.read().strip())


plan(14)
bare, good = results.read(PASSED), results.read(PASSED.replace("12345", "4321"))
ok(bare == {"f.exp: one": "PASS PASS", "f.exp: process N at N": "FAIL", "tcl": "ERROR", "f.exp: two": "FAIL"}, "reads results", bare)
ok(not results.differences([bare], [good]), "numbers of processes make no difference")
bad = results.read(PASSED.replace("PASS", "FAIL", 1))
found = results.differences([bare, bare], [good, bad])
ok(len(found) == 1 and results.describe(found[0]) == "f.exp: one: FAIL PASS in 1 of 2 runs; without gdbprof PASS PASS",
   "tells what is different, and how often", found)
ok(not results.differences([bare, bad], [bad]), "what happens without gdbprof too is no difference")
ok(results.differences([bare], [{}])[0].found == "nothing", "a test that was not reached is one")
ok(not results.differences([{"one": "FAIL", "two": "ERROR"}], [{"one": "PASS", "more": "PASS"}]),
   "what passes with gdbprof only is no difference")
late = {results.OVERDUE: "ERROR"}
ok(not results.differences([late, bare], [late, good]) and not results.differences([late], [bare]) and
   results.differences([bare], [late]), "a run that takes too long counts where it does not without gdbprof", found)
ok(results.passes(bare) and not results.passes(results.read("XPASS: f.exp: one\nUNTESTED: f.exp: two\n")),
   "a file of which nothing passes is told from others")
known = results.read_known(TABLE)
ok(results.reason(known, "gdb.base/f.exp", "catch", found[0]) == "it is so" and
   not results.reason(known, "gdb.base/f.exp", "trace", found[0]), "knows what is by construction", known)
real = results.read_known(read("doc/gdbsuite.md"))
ok(real and all(re.compile(row.file) and re.compile(row.mode) and re.compile(row.name) and row.why for row in real),
   "so does the list in doc", real)
with tempfile.TemporaryDirectory() as place:
    left = os.path.join(place, "left")
    status, _ = bounded(60, "setsid sh -c 'echo $$ >%s; exec sleep 600' & until [ -s %s ]; do :; done; exit 3" % (left, left))
    ok(status == 3 and ended(left), "what a command leaves running is ended", status)
    status, _ = bounded(60, "setsid sleep 600 & exit 3", through=[sys.executable, "-c", SLOWLY])
    ok(status == 3, "the status of a command that has ended at once is known", status)
    status, taken = bounded(0.2, "echo $$ >%s; exec sleep 600" % left)
    ok(status == 124 and taken < 300 and ended(left), "a command that takes too long is ended", status)
numbers = subprocess.run(
    ["gdb", "-nx", "-batch", "-iex", "source " + os.path.join(SUITE, "numbers.py"),
     "-ex", "python gdb.execute('catch signal SIGURG', to_string=True)", "-ex", "catch fork", "-ex", "catch vfork"],
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
ok(re.findall(r"^Catchpoint (\d+)", numbers, re.M) == ["1", "2"],
   "the suite's breakpoints are numbered as if there were no catchpoint of gdbprof's", numbers)
