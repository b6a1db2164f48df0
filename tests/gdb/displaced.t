#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread that executes the instruction of a breakpoint elsewhere is sampled where the breakpoint is."""

from session import Gdb, engines, grown, ok, patches, plan, rows

PLACES = (0, 4, 9, 43, 51)
TRUE = ("visit", "leaf", "main")
# What GDB writes such instructions over, and where a jump from there may come to.
FALSE = ("_start", "_init", "_fini", "frame_dummy", "register_tm_clones",
         "deregister_tm_clones", "__do_global_dtors_aux", "<Unknown>", "<Stack-unwind-failed>", "<Truncated-stack>")


def session(engine, turns):
    """Samples at all, those in functions that come to breakpoints, and those in others; and the output."""
    commands = ["set breakpoint pending on", "set displaced-stepping on", "set prof max-stopped 100",
                "prof-start --rate=5000 --engine=" + engine]
    for place in PLACES:
        commands += ["break *((char *) &visit + %d)" % place, "ignore $bpnum 1000000"]
    out = Gdb("displaced", [str(turns)]).run(*commands, "run", "info breakpoints", "prof-stop",
                                             "prof-functions --format=csv --limit=0")
    table = rows(out[-1])

    def sums(names):
        # What a stack ends with has no time of its own.
        return sum(int(row["inclusive" if row["name"].startswith("<") else "exclusive"])
                   for row in table if row["name"] in names)
    return sums(["<Total>"]), sums(TRUE), sums(FALSE), out


def counted(mode, turns):
    """The same of breakpoints that count calls, in non-stop mode: their instructions are executed where they are; else
    of patches, which have them executed elsewhere."""
    out = Gdb("displaced", [str(turns)]).run(
        mode, "set prof max-stopped 100", "set prof count-limit 100",
        "prof-start --rate=5000 --engine=perf --count=visit", "run", "prof-stop",
        "prof-functions --format=csv --limit=0")
    found = {row["name"]: int(row["inclusive"]) for row in rows(out[-1])}
    return found.get("visit", 0), sum(found.get(name, 0) for name in FALSE if name[0] == "<"), out


ENGINES = [engine for engine in engines() if engine in ("perf", "stop")]
plan(2 * len(ENGINES) + 2 * ("perf" in ENGINES))
for engine in ENGINES:
    total, true, false, out = grown(lambda turns: session(engine, turns), lambda got: got[1] > 50, 300)
    ok("exited normally" in out[-4] and out[-3].count("breakpoint already hit") == len(PLACES),
       engine + ": GDB comes by its breakpoints", "\n".join(out[-4:-2]))
    # The program begins where GDB writes instructions.
    ok(true > 50 and false <= 2 + total / 50, engine + ": samples are in the functions that come to them",
       "%d of %d true, %d false\n%s" % (true, total, false, "\n".join(out[-2:])))
for mode, first in (("set non-stop on", 500), ("set non-stop off", 100000 if patches() else 500)) if "perf" in ENGINES else ():
    # Behind the breakpoint of a function the return address is in either of two places.
    visits, failed, out = grown(lambda turns, mode=mode: counted(mode, turns), lambda got: got[0] > 100, first)
    ok(visits > 100 and failed <= 2 + visits / 50, "perf, %s: so are stacks where calls are counted" % mode,
       "%d of %d failed\n%s" % (failed, visits, "\n".join(out[-2:])))
