#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread that is let go on alone stands still again before GDB goes on, and gets its signals where it got them."""

import re

from session import Gdb, gdb_version, ok, plan, skip_all

# Breakpoints at the system call within the function that the thread stands in, or within the one that makes it
# for that since glibc 2.41.
AT_CALL = """
from gdb import execute, parse_and_eval, selected_frame
def begin(name):
    try:
        return [int(parse_and_eval("(long) &" + name))]
    except Exception:
        return []
frame = selected_frame()
for start in [frame.pc()] + begin("__internal_syscall_cancel"):
    for one in frame.architecture().disassemble(start, start + 200):
        if one["asm"].startswith("syscall"):
            execute("break *%d" % one["addr"])
"""

if gdb_version() < 13:
    skip_all("GDB before 13 does not tell where breakpoints are, so no thread is let go on while one is set")
plan(3)

# The step over the breakpoint is a second's sleep.
out = Gdb("/usr/bin/sleep", ["1"]).run(
    "set breakpoint pending on", "tbreak clock_nanosleep", "run", "python exec(%r)" % AT_CALL, "continue", "x/i $pc",
    "prof-start --heap --engine=none", "print $pc", "delete", "continue", "prof-stop")
ok("syscall" in out[5] and re.search(r"<\w*(clock_nanosleep|syscall_cancel)", out[7]) and "No such process" not in "".join(out),
   "a thread at a breakpoint before a system call stands still after it", "".join(out))
ok("exited normally" in out[9] and "Traced: the heap" in out[10], "and goes on as always", "".join(out[8:]))

# It stands in raise(), and gets the signal there.
out = Gdb("signals", ["raise"]).run("run", "prof-start --heap --engine=none", "continue", "prof-stop")
ok("SIGUSR1" in out[0] and "1 handled before raise() returned" in out[2] and
   "it got a signal, which it handles when it continues" in out[1],
   "a thread that has stopped by a signal does not go on before it gets it", "".join(out))
