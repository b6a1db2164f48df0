#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`set prof annotate`: shares of samples in backtraces, and views at the selected frame."""

import os
import re
import subprocess
import tempfile

from session import Gdb, again, ok, plan, program

PROGRAM = program("session")
STOP = ("prof-start --rate=1000", "break factorial", "run")
# Another filter, with a decorator of its own.
OTHER = """
import gdb, itertools
from gdb.FrameDecorator import FrameDecorator
class Loud(FrameDecorator):
    def function(self):
        name = super().function()
        return name.upper() if isinstance(name, str) else name
class Filter:
    name, enabled, priority = "loud", True, 10
    def filter(self, frames):
        return map(Loud, frames)
gdb.frame_filters["loud"] = Filter()
"""


def normal(text):
    """TEXT without addresses, which GDB may read from elsewhere each time."""
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def shares(text):
    return [int(share) for share in re.findall(r"^#\d+ .*:\d+ \[(\d+) %\]$", text.replace("\n    at", " at"), re.M)]


def test_backtrace(place):
    script = os.path.join(place, "other.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(OTHER)
    out = again(lambda: Gdb(PROGRAM).run(
        *STOP, "bt", "set prof annotate on", "bt", "bt 1", "bt full", "info frame-filter", "source " + script, "bt",
        "with prof annotate off -- bt", "set prof annotate off", "bt", "info frame-filter", "show prof annotate", "frame 1")[3:],
                lambda out: shares(out[2]))
    ok(shares(out[2]) == [max(shares(out[2]))], "a function with samples has its share", out[2])
    ok(normal(re.sub(r" \[<?\d+ %\]", "", out[2])) == normal(out[0]) and "%]" not in out[0], "the rest is as it is", out[:3])
    ok(len(out[3].splitlines()) == 1 and "%]" not in out[3] and "%]" in out[4],
       "options of backtrace work, and a function without samples has no share", out[3:5])
    ok("gdbprof" in out[5] and "gdbprof" not in out[11], "it is a frame filter, which is taken away", (out[5], out[11]))
    ok("MAIN" in out[7] and re.search(r"^#1 .*MAIN.*\[\d+ %\]$", out[7], re.M), "another filter goes on working", out[7])
    ok(normal(out[8]) == normal(out[10]) and "MAIN" in out[10] and "%]" not in out[10], "and is there when this one is gone", out[8:11])
    ok("in backtraces is off" in out[12], "the setting is shown", out[12])


def test_front_end():
    """What front ends read is as without it, even where they ask for filters."""
    gdb = Gdb(PROGRAM)
    lines = ['-interpreter-exec console "set prof annotate on"', '-interpreter-exec console "prof-start --rate=1000"',
             "-enable-frame-filters", "-break-insert factorial", "-exec-run", "-stack-list-frames", "-gdb-exit"]
    out = subprocess.run(gdb.command("-i=mi3"), input="".join(line + "\n" for line in lines), env=gdb.env,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False).stdout
    ok('line="' in out and " %]" not in out, "MI has the frames as they are", out)


def test_selected_frame():
    out = again(lambda: Gdb(PROGRAM).run(
        *STOP, "up", "prof-disas", "set prof annotate on", "prof-disas", "prof-source", "prof-source burn")[4:],
                lambda out: "burn" in out[0])
    ok("<Function: main>" not in out[0] and "<Function: main>" in out[2] and "<Function: main>" in out[3] and
       "<Function: burn>" in out[4], "where it is on, prof-disas and prof-source are at the selected frame", out)


plan(7 + 1 + 1)
with tempfile.TemporaryDirectory() as folder:
    test_backtrace(folder)
test_front_end()
test_selected_frame()
