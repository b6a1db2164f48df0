#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every sample walked both ways: GDB's walk and gdbprof's agree on real programs."""

import os
import re
import tempfile

from agreement import verify, workloads
from session import MORE, Gdb, grown, ok, plan

NAMES = ["python3", "throws"] + ["perl", "xz"] * MORE
ENOUGH = 1000  # stacks: a single one that is cut is less than a frame in a thousand
AMOUNT = 60    # of work, at the least


def test_status():
    """prof-status tells of it; what it takes is there only meanwhile."""
    out = Gdb("threads", ["60"]).run(
        "prof-start --verify=1", "info breakpoints", "tbreak main", "run", "prof-status", "continue",
        "prof-status", "prof-stop", "info breakpoints", "info signals SIGURG", "output $bpnum",
        "prof-start", "info breakpoints", "prof-start --engine=catch", "prof-stop", "delete",
        "prof-start --engine=catch --verify=1", "prof-status", "prof-stop")
    ok("$_prof_tick" in out[1] and "Temporary breakpoint 2" in out[2] and "main" in out[3],
       "while verifying there is a catchpoint", out[1] + out[2])
    ok("Verified: " in out[6] and "Verified: " in out[7], "prof-status and prof-stop tell of it",
       out[6] + out[7])
    ok("Verified: 0 " not in out[4], "nothing is said of nothing", out[4])
    ok("No breakpoints" in out[8] and "Yes" in out[9] and out[10].strip() == "2",
       "it is gone after prof-stop", out[8] + out[9] + out[10])
    ok("No breakpoints" in out[12], "and is not there without", out[12])
    ok("because this engine walks all stacks with GDB" in out[17] and "Recording" in out[16],
       "an engine that has GDB walk anyway says so", out[16] + out[17])


def test_deleted():
    """The user's delete means the catchpoint too: then nothing shows, and it is made again."""
    out = Gdb("deep", ["20", "30000"]).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --verify=1", "break bottom", "run",
        "delete", "continue", "prof-stop", "prof-functions --format=csv")
    ok("exited normally" in out[5] and "SIGURG" not in "".join(out[3:6]) and "Verified: " in out[6],
       "verifying goes on after the user's delete", "\n".join(out))


def test_own_signal():
    """The program's own SIGURG stops it while verifying, if the user has said so."""
    script = "import os, signal; [os.kill(os.getpid(), signal.SIGURG) for i in range(3)]"
    for handle, stops in (("stop print", 3), ("nostop noprint", 0)):
        out = Gdb("/usr/bin/python3", ["-S", "-c", script]).run(
            "handle SIGURG %s pass" % handle, "prof-start --rate=200 --verify=1", "run", "continue",
            "continue", "continue")
        text = "".join(out[2:])
        ok(text.count("signal SIGURG") == stops and "exited normally" in text,
           "a program that sends itself SIGURG, with handle SIGURG " + handle, text)


def test_seldom():
    """Every seventh: ticks that are no samples, as the thread waited for a CPU, count as well."""
    out = Gdb("shares", ["200"]).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --verify=7", "run", "prof-stop",
        "python import prof; print('%d times' % sum(value > 0 for value in prof.values()))")
    found = [re.search(pattern, out[3] + out[4]) for pattern in
             (r"^(\d+) samples", r"(?m)^(\d+) times", r"of (\d+) ticks", r"Verified: (\d+) of \1 stacks")]
    samples, times, ticks, compared = [int(match[1]) if match else 0 for match in found]
    # A tick that is late is several samples of one stack.
    ok(samples > 100 and 0.8 * times / 7 - 1 <= compared <= ticks / 7,
       "verify 7 compares every seventh stack", out[3] + out[4])


plan(10 + 2 * len(NAMES))
test_status()
test_deleted()
test_own_signal()
test_seldom()
with tempfile.TemporaryDirectory() as folder:
    for name in NAMES:
        equal, stacks, percent, frames, said = grown(
            lambda amount: verify(workloads(folder, amount)[name]), lambda got: got[1] >= ENOUGH,
            AMOUNT)
        ok(stacks >= ENOUGH and percent >= 99.9, "%s: 99.9 %% of frames are equal" % name,
           "%d stacks, %s %% of %d frames\n%s" % (stacks, percent, frames, said))
        ok("exited " in said and "No breakpoints" in said, "%s runs to its end" % name, said)
