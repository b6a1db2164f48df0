#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines: each samples, and leaves GDB as it was; loading gdbprof changes nothing at all."""

import os
import re
import shutil
import subprocess
import tempfile

from answers import has_catchpoint, is_sentence, says
from session import LOADER, TOP, Gdb, engines, grown, hides_catchpoints, ok, plan, rows, skip, total

ENOUGH = 50  # samples

# All of GDB that sampling could touch, in the order in which it is asked.
STATE = ["info breakpoints", "info signals", "info display", "info inferiors", "info threads",
         "frame", "info watchpoints", "output $bpnum", "output $_", "output $_exitcode",
         "show history size", "show convenience", "show values", "info auxv", "show stop-on-solib-events",
         "show non-stop", "show scheduler-locking", "show unwindonsignal", "info checkpoints"]

# With a user's own breakpoint, display, values and selected frame.
BEFORE = ["handle SIGURG nostop print pass", "break plain if $_streq(\"a\", \"b\")", "break plain",
          "run", "display sink", "print 42", "set $mine = 7", "up", "delete 2"]


def plain(texts):
    """TEXTS without what differs from run to run."""
    text = "\n".join(texts)
    text = re.sub(r"process \d+|LWP \d+|already hit \d+ times?", "", text)
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def test_same(engine):
    """A whole recording between two looks at GDB, while the program stands at the same place."""
    out = Gdb("shares", args=["400"]).run(
        *BEFORE, *STATE, "prof-start --rate=1000 --engine=" + engine, "prof-pause", "prof-resume",
        "prof-mark", "prof-status", "prof-stop", "prof-functions", "prof-tree", *STATE)
    before = out[len(BEFORE):len(BEFORE) + len(STATE)]
    after = out[-len(STATE):]
    for what, old, new in zip(STATE, before, after):
        ok(old == new, "%s: %s is as before" % (engine, what), old + "\n--\n" + new)


def test_samples(engine):
    """The same while it runs, with breakpoints met on the way."""
    run = ["prof-start --rate=1000 --engine=" + engine, "delete", "continue", "prof-stop"]
    out = grown(lambda amount: Gdb("shares", args=[str(amount)]).run(
        "set prof max-stopped 100", *BEFORE, *run, "info breakpoints", "info signals SIGURG",
        "output $bpnum", "show values", "break main", "prof-functions --format=csv"),
                lambda out: total(out[-1]) >= ENOUGH, 60)
    signals, number, values, breakpoint, functions = out[-5:]
    table = {row["name"]: row for row in rows(functions)}
    ok(table.get("main") and float(table["main"]["inclusive_percent"]) > 80 and
       total(functions) >= ENOUGH, engine + ": samples", functions)
    ok("exited normally" in out[1 + len(BEFORE) + 2], engine + ": the program ends as ever",
       out[1 + len(BEFORE) + 2])
    ok("No breakpoints" in out[-6], engine + ": no breakpoint is left", out[-6])
    ok(re.search(r"SIGURG\s+No\s+Yes\s+Yes", signals), engine + ": SIGURG is handled as before",
       signals)
    ok(number.strip() == "2" and values.strip() == "$1 = 42",
       engine + ": $bpnum and the value history are as before", number + values)
    ok("Breakpoint" in breakpoint, engine + ": breakpoints can be set", breakpoint)


def test_deleted():
    """The user's delete and disable mean all breakpoints, and so the catch engine's too."""
    for command in "delete", "delete 1-3", "disable", "condition 2":
        out = grown(lambda amount: Gdb("shares", args=[str(amount)]).run(
            "set prof max-stopped 100", "tbreak plain", "prof-start --rate=1000 --engine=catch",
            "run", "prof-functions --format=csv", command, "continue", "prof-status", "prof-stop",
            "prof-functions --format=csv", "info breakpoints", "info signals SIGURG"),
                    lambda out: total(out[9]) > 10 + total(out[4]), 60)
        ok(total(out[9]) > 10 + total(out[4]) and "exited normally" in out[6] and
           "SIGURG" not in out[6], "catch: samples after " + command, "\n".join(out))
        ok(re.search(r"SIGURG\s+No\s+No\s+Yes", out[11]) and "$_prof_tick" not in out[10],
           "catch: nothing is left after %s and prof-stop" % command, out[10] + out[11])
        ok(all(text.count("has been made again") == 1 for text in out[7:9]) and
           not any("made again" in text for text in out[:7]),
           "catch: that %s has been mended is said once, when asked" % command, "\n".join(out))


def test_commands():
    """Without a number they are for the user's last breakpoint, and so is a condition by $bpnum."""
    if hides_catchpoints():
        skip(2, "catch: commands are for the user's breakpoint", hides_catchpoints())
        return
    text = Gdb("shares", args=["400"]).talk(
        "break plain", "prof-start --rate=100 --engine=catch", "commands", "print 40 + 2", "end",
        "condition $bpnum sink >= 0", "info breakpoints", "run", "prof-stop", "info breakpoints",
        "kill")
    before, after = text.split("+run")
    ok(re.search(r"1 +breakpoint .*\n\tstop only if sink >= 0\n +print 40 \+ 2\n2 +catchpoint", before),
       "catch: commands and $bpnum are for the user's breakpoint", text)
    ok("Breakpoint 1, plain" in after and "$1 = 42" in after and not has_catchpoint(after),
       "catch: which has them", text)


def test_saved():
    """`save breakpoints` saves ours too, which nothing but the condition's function needs."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "saved")
        Gdb("shares").run("break plain", "prof-start --engine=catch", "save breakpoints " + path)
        out = Gdb("shares", args=["400"]).run("source " + path, "info breakpoints", "run", "kill")
    ok("plain" in out[1] and "Breakpoint 1, " in out[2], "catch: breakpoints saved meanwhile work",
       "\n".join(out))


def test_traced(engine):
    """`set trace-commands on` puts each command before its output, ours too."""
    out = grown(lambda rounds: Gdb("shares", args=[str(rounds)]).run(
        "set prof max-stopped 100", "set trace-commands on", "info signals SIGURG",
        "prof-start --rate=1000 --engine=" + engine, "run", "prof-stop", "prof-functions",
        "info signals SIGURG", "show prof rate", "show prof", "set trace-commands off"),
                lambda out: "main" in out[6], 60)
    ok("main" in out[6] and "info symbol" not in out[6], engine + ": names while commands are traced",
       out[6])
    ok(re.search(r"SIGURG\s+No\s+No\s+Yes", out[7]) and "rate:  The sampling rate" in out[9],
       engine + ": GDB's answers are understood while commands are traced", out[7] + out[9])


def test_choice():
    out = Gdb("shares").run("prof-start --engine=stop --unwinder=gdb", "prof-status",
                            "prof-start --engine=catch --unwinder=cfi", "info breakpoints",
                            "prof-start --unwinder=gdb", "prof-stop", "print $_prof_tick()",
                            "info breakpoints")
    ok(says(out[0], "stop", "gdb", "cfi") and "Nothing has been recorded" in out[1],
       "an engine that cannot walk so", out[0])
    ok(says(out[2], "catch", "gdb", "cfi") and "No breakpoints" in out[3],
       "an engine that cannot walk so leaves nothing", out[2] + out[3])
    ok("engine catch" in out[4], "the unwinder chooses the engine", out[4])
    ok(out[6].strip() == "$1 = 0" and "No breakpoints" in out[7], "$_prof_tick() alone does nothing",
       out[6])


def test_loading():
    """Loading adds commands, settings and functions $_prof_..., nothing else."""
    commands = BEFORE + STATE + ["continue"]
    without = Gdb("shares", args=["20"], load=False).run(*commands)
    loaded = Gdb("shares", args=["20"]).run(*commands)
    ours = r"\$_prof_(\w+) = <internal function _prof_\1>\n"
    ok(set(re.findall(ours, "".join(loaded))) ==
       {"control_signal", "exclusive", "inclusive", "live_bytes", "mark", "samples", "seconds", "since", "tick"},
       "loading adds functions", "".join(loaded))
    for what, old, new in zip(commands, without, loaded):
        if what in ("info auxv", "info display", "show convenience"):
            continue
        ok(plain([old]) == plain([new]), "loading leaves alone: " + what, old + "\n--\n" + new)
    index = commands.index("show convenience")
    ok(sorted(plain([without[index]]).split("\n")) ==
       sorted(plain([re.sub(ours, "", loaded[index])]).split("\n")),
       "loading leaves alone: show convenience", without[index] + "\n--\n" + loaded[index])


def load_with(build, loader=LOADER):
    """What GDB says when it loads LOADER with the module in BUILD, and goes on."""
    gdb = Gdb(load=False, env={"GDBPROF_BUILD": build} if build else {})
    if not build:
        gdb.env.pop("GDBPROF_BUILD", None)
    return gdb.run("source " + loader, "print 6 * 7", "prof-start")


def test_module(directory):
    """A module that is missing or foreign: one sentence, and GDB is usable."""
    build = os.path.join(directory, "build")
    os.mkdir(build)
    module = os.path.join(build, "_prof.abi3.so")
    foreign = os.path.join(directory, "foreign.c")
    with open(foreign, "w") as file:
        file.write("int foreign;\n")

    def junk():
        with open(module, "wb") as file:
            file.write(b"\x7fELF\x1b]0;x\x07" + os.urandom(5000))

    def empty():
        open(module, "wb").close()

    def truncated():
        real = os.path.join(os.environ.get("GDBPROF_BUILD", os.path.join(TOP, "build")),
                            "_prof.abi3.so")
        with open(real, "rb") as whole, open(module, "wb") as file:
            file.write(whole.read(3000))

    def library():
        subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", module, foreign],
                       check=True)

    def folder():
        os.mkdir(module)

    for make in junk, empty, truncated, library, folder:
        make()
        out = load_with(build)
        ok(is_sentence(out[0]) and module in out[0] and "\x1b" not in out[0] and
           "= 42" in out[1] and "prof-start" in out[2],
           "a module that is no such: " + make.__name__, "\n".join(out))
        if os.path.isdir(module):
            os.rmdir(module)
        else:
            os.unlink(module)

    # A copy of the loader, so that the module of this tree is not found either.
    loader = os.path.join(directory, "scripts", "prof.py")
    os.mkdir(os.path.dirname(loader))
    shutil.copy(LOADER, loader)
    for where in build, None:
        out = load_with(where, loader)
        ok(is_sentence(out[0]) and "_prof.abi3.so" in out[0] and "make" in out[0] and
           "= 42" in out[1], "no module, GDBPROF_BUILD=%s" % (where and "build"), "\n".join(out))
    twice = Gdb().run("source " + LOADER, "prof-status")
    ok(not twice[0].strip() and "begin with prof-start" in twice[1], "loaded twice is loaded once",
       "\n".join(twice))


ENGINES = engines()
plan((len(STATE) + 6 + 2) * len(ENGINES) + 4 * 3 + 2 + 1 + 4 + 1 + len(BEFORE + STATE) + 1 - 3 + 1 + 5 + 3)
for name in ENGINES:
    test_same(name)
    test_samples(name)
    test_traced(name)
test_deleted()
test_commands()
test_saved()
test_choice()
test_loading()
with tempfile.TemporaryDirectory() as place:
    test_module(place)
