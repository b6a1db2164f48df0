# SPDX-License-Identifier: GPL-3.0-or-later
"""Debug sessions that read the same with gdbprof as in a GDB without it."""

import difflib
import functools
import os
import re
import tempfile

from session import Gdb, engines, gdb_version, grown, ok, plan

# What every session does, as a user would at the prompt.  OUTPUT is a file for the program's
# output.  A line with ! is left out with the catch engine: `info signals` shows how it has SIGURG
# handled, its catchpoint tells of a SIGURG of the program's own, one that the user makes for SIGURG
# tells of ticks, and its ticks end a step of one instruction, for GDB takes the catchpoint that they
# hit for its end.  A line with ~ is left out where GDB cannot write vector registers, as GDB 13.1 on a
# machine with AMX: a call that an exception ends leaves it with the stack of two moments then.
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "transcript")

# So many ticks at least are met in each, of threads on a CPU or waiting for one; without an engine, so
# many events are traced.
TICKS = {"stop": 20, "timer": 5, "catch": 30, "perf": 5, "none": 1}

# For "delete" with the catch engine, which would make its catchpoint anew, with another number.
OTHERS = "delete 2-99"


def writes_vectors():
    """Can GDB write vector registers on this machine?"""
    out = Gdb("session", load=False).run("break main", "run > /dev/null", "print $ymm0.v8_int32[0] = 1")
    return "Couldn't write" not in out[2]


# A table of breakpoints without a row, and what GDB says where there is none.
EMPTY = "Num Type Disp Enb Address What\n(gdb)"
NONE = "No breakpoints or watchpoints.\n(gdb)"

# How a session begins: with each engine, the engine stop with CPU timers, and without gdbprof.  The catch engine's catchpoint has
# taken a number: the session that it is held against has done without it.
BEGIN = {
    "stop": ["set prof max-stopped 100", "prof-start --rate=1000 --engine=stop"],
    "timer": ["set prof max-stopped 100", "set prof ticks timer", "prof-start --rate=1000 --engine=stop"],
    "catch": ["set prof max-stopped 100", "prof-start --rate=1000 --engine=catch"],
    "perf": ["prof-start --rate=1000 --engine=perf"],
    "none": ["prof-start --heap --sync=all --engine=none"],
    "calls": ["prof-start"],
}
AS = {
    "stop": [],
    "catch": ["tbreak main", "delete 1", "set $bpnum = (void) 0"],
}


def normal(text):
    """TEXT without what differs between two sessions in any case, and without what is gdbprof's."""
    text = re.sub(r"\b(process|LWP|pid=pid@entry=|pid=) ?\d+", r"\1 N", text)
    # glibc 2.41 and later wait in a function that takes the process, and an address, as mere numbers.
    text = re.sub(r"(__internal_syscall_cancel \(a1=a1@entry=)\d+(, a2=a2@entry=)\d+", r"\1N\2N", text)
    text = re.sub(r"  +", " ", text)  # columns are as wide as what is in them
    # Its own symbol tables are looked for too.
    text = re.sub(r"(Cache (hits|misses) \(this session\):) \d+", r"\1 N", text)
    # Where a thread happens to be that runs meanwhile: only its name is the same.
    text = re.sub(r'(Thread 0x\w+ \(LWP N\)( "\w+")?) .*', r"\1", text)
    text = re.sub(r'\d+ +catchpoint +keep y +signals "SIGURG SIGWINCH SIGSTOP".*\n(\t.*\n)+', "", text)
    text = re.sub(r"(\$_siginfo = ){.*", r"\1", text)
    # Its settings, and its functions.
    text = re.sub(r"^(prof [\w-]+:|\$_prof_\w+ = ).*\n", "", text, flags=re.M)
    # GDB 16 names more kinds of them.
    text = re.sub(r"^No breakpoints, .*", "No breakpoints or watchpoints.", text, flags=re.M)
    return text.replace(EMPTY, NONE)


def left_out(engine):
    """With what the lines begin that are left out with ENGINE."""
    return "!" * (engine == "catch") + "~" * (not VECTORS)


def session(exe, script, engine, sampled, counted="", masked=False):
    """What a session of SCRIPT prints, SAMPLED by ENGINE or not, then what its program did; and
    the number of ticks.  All calls of the functions COUNTED are counted, at any cost, or, with the engine "calls",
    recorded; MASKED, the program blocks the ticks' signals."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "output")
        with open(os.path.join(SCRIPTS, script), encoding="utf-8") as file:
            lines = [line.rstrip("\n").lstrip("!~").replace("OUTPUT", output)
                     for line in file if line[0] not in left_out(engine)]
        if engine == "catch":
            lines = [OTHERS if line == "delete" else line for line in lines]
        # GDB before 12 knows no values at entry in a program that was executed, once it was asked for its lines,
        # nor what a caller gave to a function that has changed it.
        begin = ["set print entry-values no"] * (gdb_version() < 12) + (BEGIN if sampled else AS)[engine]
        if sampled and counted:
            begin = ["set prof count-limit 100", "set prof calls-limit 100", *begin[:-1], begin[-1] + (" --calls=" if engine == "calls" else " --count=") + counted]
        text = Gdb(exe, load=sampled, masked=masked).talk(
            *begin, "echo begun\\n", *lines, "echo ended\\n",
            *["prof-stop"] * sampled)
        match = re.search(r"\nbegun\n(.*\nended\n)(?:.*(?:of|;) (\d+) (?:ticks|events?))?", text, re.S)
        if not match or not os.path.exists(output):
            return "<<no whole session>>" + text, 0
        with open(output, encoding="utf-8") as file:
            text = normal(match[1].replace(output, "OUTPUT")) + file.read()
        if gdb_version() < 12:
            text = re.sub(r"^raise \(sig=.*?\) at", "raise () at", text, flags=re.M)
        # Where these stand among all variables tells which breakpoint was the first.
        hits = sorted(re.findall(r"^\$_hit_\w+ = .*\n", text, re.M))
        text = re.sub(r"^\$_hit_\w+ = .*\n", "", text, flags=re.M) + "".join(hits)
        return text, int(match[2] or 0)


def elsewhere(text):
    """TEXT without where a program's libraries and its stack are, which are elsewhere with the agent in it, and
    without the agent and libdl, which it needs of glibc before 2.34."""
    text = re.sub(r"0x.*(libprofagent\.so|libdl\.so\.2)\n", "", text)
    return re.sub(r"\b0x(0000)?7[0-9a-f]{11}\b", "0x7...", text)


@functools.lru_cache(None)
def unsampled(exe, script, catches, masked):
    """What a session of SCRIPT prints in a GDB without gdbprof, to be held against one that CATCHES signals, or
    against those of all other engines."""
    return session(exe, script, "catch" if catches else "stop", False, masked=masked)[0]


VECTORS = writes_vectors()


def check_all(sessions):
    """Two tests of each of SESSIONS, with each of its engines: what it is, its program, its script, its engines, and
    the file whose calls are counted."""
    permitted = engines() + ("timer",) * (os.uname().machine == "x86_64")
    rows = [(what, exe, script, engine, counted)
            for what, exe, script, names, counted in sessions for engine in names.split()
            if engine in ("none", *permitted)]
    plan(2 * len(rows))
    for what, exe, script, engine, counted in rows:
        # GDB may have no CPU while the program has one.
        found, ticks = grown(lambda _, row=(exe, script, engine, True, counted, "masked" in what): session(*row),
                             lambda got, engine=engine: got[1] >= TICKS[engine], 1)
        wanted = unsampled(exe, script, engine == "catch", "masked" in what)
        if engine == "none":
            found, wanted = elsewhere(found), elsewhere(wanted)
        difference = difflib.unified_diff(
            wanted.splitlines(), found.splitlines(), "unsampled", "sampled",
            lineterm="")
        ok(found == wanted and "<<" not in found,
           "%s, the engine %s" % (what, engine), "\n".join(difference))
        ok(ticks >= TICKS[engine],
           "%s, the engine %s: it was sampled" % (what, engine), ticks)
