#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-mark-at: silent breakpoints mark each pass of a place, and what they would leave behind is told."""

import os
import re
import subprocess
import tempfile

from marks import LIST, QUIET, labels
from session import TOP, Gdb, ok, plan, program, wait_until

def test_location():
    """Silent breakpoints that mark."""
    out = Gdb("marks").run(
        *QUIET, "prof-mark-at lots 'a pass' if turn >= 3 && turn != 5", "prof-mark-at marks.c:nope",
        "prof-mark-at -function three", "prof-mark-at nosuch", "info breakpoints", "run",
        "prof-status", "prof-start", "run", "prof-stop", LIST, "info prof", "delete 1", "info prof",
        "break main", "delete", "info prof")[2:]
    ok("Breakpoint 1" in out[0] and "(marks.c:nope) pending" in out[1] and
       "Breakpoint 3 at" in out[2],
       "locations are GDB's", out[:4])
    ok("not defined" in out[3] and "pending" in out[3], "one that does not resolve is pending",
       out[3])
    ok("Breakpoint" not in out[5] and "if turn >= 3 && turn != 5: 6 so far" in out[6],
       "nothing stops, and nothing is recorded before prof-start", out[6])
    found = labels(out[10])
    ok(found.count("a pass") == 6 and sum(label.startswith("three") for label in found) == 1 and
       "exited normally" in out[8], "each pass leaves a mark, in a new run too", found)
    ok("12 so far" in out[11] and out[11].count("marks each pass") == 4 and
       out[13].count("marks each pass") == 3 and "marks each pass" not in out[16],
       "info prof lists them until they are deleted", "%s\n%s" % (out[11], out[13]))
    out = Gdb("marks").run(
        *QUIET, "prof-mark-at lots if nosuch > 1", "prof-mark-at lots x if turn ==",
        "prof-mark-at nolots if nosuch ==", "prof-mark-at lots late if *(int *)0 == turn",
        "run", "info prof", "info breakpoints", "maint info breakpoints")[2:]
    ok(out[0].strip() == 'No symbol "nosuch" in current context.' and
       out[1].strip().startswith("A syntax error in expression") and "1 (nolots) pending" in out[2]
       and "Breakpoint 2 at" in out[3],
       "a condition is checked as that of a breakpoint is", out[:4])
    ok("0 so far; GDB could not evaluate the condition 10 times." in out[5] and
       out[5].count("evaluate") == 1, "one that fails later is told of", out[5])
    ok(out[6].count("keep y") == 2 and not re.search(r"\n-\d+ +breakpoint", out[7]),
       "no other breakpoint is left of that", out[7])


WAITING = """
#include <gdbprof.h>
#include <unistd.h>
int main(void)
{
	for (;;) {
		gdbprof_mark("waits");
		usleep(1000);
	}
}
"""


def begin(path):
    """A process of the program PATH."""
    process = subprocess.Popen([path])
    wait_until(lambda: os.readlink("/proc/%d/exe" % process.pid) == os.path.realpath(path))
    return process


def test_attached():
    """What a killed GDB would leave in a program that it has attached to is told."""
    told = " stand in a process that GDB has attached to: if GDB is\nkilled, the process ends by SIGTRAP"
    process = begin(program("spin"))
    out = Gdb().run("attach %d" % process.pid, "prof-mark-at nosuch", "prof-start", "prof-mark-at main",
                    "prof-status", "prof-stop", "delete", "prof-status", "detach")
    process.kill()
    process.wait()
    ok("SIGTRAP" not in out[1] + out[2] and all("for prof-mark-at" + told in text for text in (out[3], out[4])) and
       "SIGTRAP" not in out[7], "by prof-mark-at and prof-status", "\n".join(out))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "waiting")
        subprocess.run(["gcc", "-x", "c", "-", "-I", os.path.join(TOP, "include"), "-o", path],
                       input=WAITING, text=True, check=True)
        process = begin(path)
        out = Gdb().run("attach %d" % process.pid, "prof-start", "prof-stop", "detach")
        process.kill()
        process.wait()
    ok("for the program's own marks" + told in out[1] and "SIGTRAP" not in out[2],
       "by prof-start, of a program with marks", "\n".join(out))
    out = Gdb("marks").run("prof-mark-at main", "prof-start")
    ok("SIGTRAP" not in "".join(out), "a program that GDB has started ends with it", "\n".join(out))


plan(8 + 3)
test_location()
test_attached()
