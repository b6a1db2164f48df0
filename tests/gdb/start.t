#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-start: without a program it waits for one; a core file cannot be sampled."""

import os
import subprocess
import tempfile

from answers import says
from session import LOADER, Gdb, again, ok, plan, program, total

def test_no_program():
    """As from a .gdbinit, which GDB reads before it knows of a program."""
    out = again(lambda: Gdb().run(
        "shell rm -f early", "prof-start --rate=1000 --output=early", "prof-status", "file %s" % program("shares"),
        "set args 100", "run", "prof-stop", "prof-functions --format=csv", "prof-flame early.svg")[1:],
                lambda out: total(out[6]) > 0)
    ok("no program yet: use file and run, or attach" in out[0], "prof-start without a program", out[0])
    ok("waiting for a program to run" in out[1] and total(out[6]) > 0, "waits for one", "\n".join(out))
    with open("early.svg") as file:
        ok("shares" in file.read(), "and has its name", out[7])
    with open(".gdbinit", "w") as file:
        file.write("source %s\nprof-start --rate=1000\n" % LOADER)
    text = again(lambda: subprocess.run(
        ["gdb", "-q", "-batch", "-ex", "run", "-ex", "prof-stop", "-ex", "prof-functions --format=csv",
         "--args", program("shares"), "100"], env=dict(os.environ, HOME=os.getcwd(), DEBUGINFOD_URLS=""),
        capture_output=True, stdin=subprocess.DEVNULL, text=True, timeout=300).stdout, lambda text: total(text) > 0)
    ok(total(text) > 0, "prof-start in ~/.gdbinit", text)


def test_core():
    Gdb("shares").run("break plain", "run", "generate-core-file core")
    gdb = Gdb(load=True)
    gdb.exe = program("shares")
    out = gdb.run("core-file core", "prof-start", "prof-status", "bt 1", "kill", "prof-start",
                  "prof-stop")
    ok(says(out[1], "core", "run", "attach"), "prof-start with a core file", out[1])
    ok("Nothing has been recorded" in out[2] and "#0" in out[3], "which is still there", out[3])


plan(4 + 2)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    test_no_program()
    test_core()
    os.chdir("/")
