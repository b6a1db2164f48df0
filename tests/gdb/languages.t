#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever language GDB speaks: engines that need a catchpoint begin, sample, and leave nothing; so
they do where GDB refuses it."""

import re

from remote import QUIET, gdbserver
from answers import has_catchpoint
from session import MORE, Gdb, grown, lacking, ok, plan, program, rows, skip

LANGUAGES = ["c", "objective-c", "c++", "d", "go", "fortran", "modula-2", "asm", "pascal", "opencl",
             "rust", "minimal", "ada"]
# Over gdbserver: one of each kind of syntax.
REMOTE = LANGUAGES if MORE else ["c", "fortran", "rust", "ada"]
ENGINES = ["--engine=catch", "--engine=stop --verify=3"]
NUMBER = "python value = gdb.convenience_variable('bpnum'); print(value and (value.type.name, int(value)))"

# One that never applies.
UNWINDER = ("python import gdb.unwinder; gdb.unwinder.register_unwinder("
            "None, type('None', (gdb.unwinder.Unwinder,), {'__call__': lambda self, frame: None})('no'))")

# A hook of the user's that has the command condition fail.
REFUSE = "python gdb.execute('define hook-condition\\nrefuse\\nend')"
REFUSED = 'Undefined command: "refuse".'


def names(functions):
    """Does the table FUNCTIONS have the program's, by name?"""
    found = {row["name"] for row in rows(functions)}
    return "main" in found and "unit" in found


def parts(out, size):
    """OUT in pieces of SIZE, one for each language."""
    return {name: out[i * size:(i + 1) * size] for i, name in enumerate(LANGUAGES)}


def test_first(start):
    """Before there is any breakpoint, or a program."""
    out = Gdb("shares").run(*[command for name in LANGUAGES for command in (
        "set language " + name, "prof-start " + start, NUMBER, "prof-stop", NUMBER, "info breakpoints")])
    for name, said in parts(out, 6).items():
        ok("Recording" in said[1] and said[2].strip() == said[4].strip() == "None" and
           "No breakpoints" in said[5], "%s, %s: no breakpoint before" % (name, start), "\n".join(said))


def test_native(start):
    """With one of the user's, at which the program stops again."""
    def run(turns):
        return Gdb("shares", ["1000000"]).run(
            "set prof max-stopped 100", "break unit", "run", *[command for name in LANGUAGES for command in (
                "set language " + name, "prof-start --rate=1000 " + start, NUMBER, "ignore 1 %d" % turns,
                # A tick may be under way still, to be met as the program goes on: the catchpoint is for that.
                "continue", "prof-stop", "prof-functions --format=csv", "ignore 1 10", "continue",
                "info breakpoints")], "kill")[3:]

    def sampled(said):
        return names(said[6]) and ("verify" not in start or "Verified: " in said[5])

    out = grown(run, lambda out: all(sampled(said) for said in parts(out, 10).values()), 100)
    for name, said in parts(out, 10).items():
        what, text = "%s, %s" % (name, start), "\n".join(said)
        ok("Recording" in said[1] and said[2].strip() == "('int', 1)" and "Breakpoint 1, " in said[4] and
           names(said[6]) and not has_catchpoint(said[9]), what + ": it is sampled, and no catchpoint left", text)
        ok("verify" not in start or re.search(r"Verified: (\d+) of \1 ", said[5]),
           what + ": GDB's walks are compared", text)


def test_remote(language):
    why = lacking("gdbserver")
    if why:
        skip(1, language + ", gdbserver", why)
        return

    def run(amount):
        with gdbserver(program("shares"), str(amount)) as server:
            return Gdb("shares").run(
                QUIET, "set sysroot /", "target remote " + server.address, "set language " + language,
                "set prof max-stopped 100", "prof-start --rate=100", NUMBER, "prof-stop",
                "tbreak main", "prof-start --rate=100", NUMBER, "continue", "continue", "prof-stop",
                "prof-functions --format=csv", "info breakpoints")

    out = grown(run, lambda out: names(out[14]), 50)
    ok("engine interrupt" in out[5] and out[6].strip() == "None" and "engine interrupt" in out[9] and
       out[10].strip() == "('int', 2)" and "main" in out[11] and "exited normally" in out[12] and
       names(out[14]) and "No breakpoints" in out[15], language + ", gdbserver", "\n".join(out))


def refused(what, *commands):
    """Is there nothing left when prof-start fails, the last but one of COMMANDS?"""
    out = Gdb("shares", ["20"]).run(
        REFUSE, *commands[:-1], "info breakpoints", NUMBER, commands[-1])
    ok(REFUSED in out[-4] and "No breakpoints" in out[-3] and out[-2].strip() == "None" and
       "exited normally" in out[-1],
       what + ": no catchpoint is left after a refused prof-start", "\n".join(out))


def test_refused():
    for start in ENGINES:
        refused(start, "prof-start " + start, "run")
    why = lacking("gdbserver")
    if why:
        skip(1, "gdbserver", why)
        return
    with gdbserver(program("shares"), "20") as server:
        refused("gdbserver", QUIET, "set sysroot /", "target remote " + server.address,
                "prof-start", "continue")


def test_refused_later():
    """The catchpoint is made by `run`, as GDB has got to know an unwinder; a command that fails then
    has GDB go on with the program in the background."""
    out = Gdb("shares", ["20"]).run(
        REFUSE, "prof-start --engine=stop", UNWINDER, "run", "info breakpoints", "prof-status",
        "prof-stop")
    ok("SIGURG" not in out[3] and "No breakpoints" in out[4],
       "no catchpoint is left where one is refused later", "\n".join(out))
    ok(all(text.count("gdbprof cannot make the catchpoint for it: " + REFUSED) == 1 for text in out[5:]),
       "which prof-status and prof-stop say, once", out[5] + out[6])


if __name__ == "__main__":
    plan(len(LANGUAGES) * 3 * len(ENGINES) + len(REMOTE) + len(ENGINES) + 1 + 2)
    for engine in ENGINES:
        test_first(engine)
        test_native(engine)
    for name in REMOTE:
        test_remote(name)
    test_refused()
    test_refused_later()
