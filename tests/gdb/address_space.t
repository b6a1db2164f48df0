#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where GDB's address space is limited (ulimit -v), gdbprof records or refuses in a sentence, and GDB lives."""

from session import Gdb, ok, plan

STEP = 20  # MB
PROGRAM = "shares"


class Limited(Gdb):
    """A GDB that has so many MB of address space."""

    def __init__(self, megabytes, **words):
        super().__init__(PROGRAM, **words)
        self.limit = megabytes << 20

    def command(self, *first):
        # Each thread would take another 64 MB, if it comes while there is room.
        return ["env", "MALLOC_ARENA_MAX=1", "prlimit", "--as=%d:%d" % (self.limit, self.limit)] + super().command(*first)


def lives(gdb):
    return gdb.status == 0 and not any(word in gdb.text for word in (
        "internal-error", "Fatal signal", "Traceback", "Python Exception", "not reached"))


def bare_ends(megabytes):
    """Whether GDB without gdbprof runs the program in that much."""
    gdb = Limited(megabytes, load=False)
    return "exited normally" in gdb.run("run")[0] and lives(gdb)


plan(5)
least = next(size for size in range(100, 2000, STEP) if bare_ends(size))

# GDB's own needs vary by some MB from run to run, and gdbprof's libraries take some.
for more in (60, 100, 160):
    gdb = Limited(least + more)
    out = gdb.run("prof-start", "run", "prof-stop", "prof-functions", "prof-status")
    ok(lives(gdb) and ("ulimit -v" in out[0] or "samples in" in out[2]),
       "%d MB more than GDB needs: GDB lives, and prof-start works or says why not" % more, gdb.text)

out = Limited(least + 400).run("prof-start", "run", "prof-stop", "prof-functions")
ok("samples in" in out[2], "with 400 MB more the program is recorded", out[2])
ok("<Total>" in out[3] and "unit" in out[3], "and functions have names", out[3])
