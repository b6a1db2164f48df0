#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""On a CPU with more vector registers than GDB knows the agent gets into processes all the same."""

import os
import subprocess
import tempfile

from session import Gdb, grown, ok, plan, program, require

require("cc")
plan(3)
with tempfile.TemporaryDirectory() as folder:
    library = os.path.join(folder, "large.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xstate", "large.c")
    subprocess.run(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, source], check=True)

    def attach(rounds):
        """What GDB prints, and what the program does, which makes so many rounds, and its exit status."""
        with subprocess.Popen([program("heaps"), "2", str(rounds)], stdout=subprocess.PIPE) as heaps:
            out = Gdb(program("heaps"), env={"LD_PRELOAD": library}).run(
                "attach %d" % heaps.pid, "prof-start --heap --engine=none", "prof-status", "detach")
            return out, heaps.communicate(timeout=300)[0].decode(), heaps.returncode

    # On a busy machine it may be over before GDB has come to it.
    out, printed, status = grown(attach, lambda got: "zombie" not in got[0][0] and "No such" not in got[0][0], 300000)
    ok("takes the calls" in out[1] and "extended state" not in "".join(out), "attached to", "\n".join(out))
    ok(printed.startswith("right") and not status, "the program comes to a right end", printed)
    # What the user calls is GDB's own matter, and as it is without gdbprof.
    calls = [Gdb("heaps", load=load, env={"LD_PRELOAD": library}).run(
        "unset environment LD_PRELOAD", "break main", "run", "print labs(-3)")[-1]
             for load in (False, True)]
    ok(calls[0] == calls[1] and calls[0], "calls of the user's are as without", "\n".join(calls))
