#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an impatient user does to a remote target that is sampled: each is as it would be without.

impatient.t [ROUNDS] does all of it ROUNDS times, once if it is not said.
"""

import os
import re
import signal
import sys

from answers import has_catchpoint, state
from remote import PROMPT, QUIET, Terminal, gdbserver
from session import Gdb, gdb_version, ok, plan, program, require, skip, wait_until

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
SEEN = "_prof_tick|Catchpoint|internal-error|Python|<<timeout>>|Give up"


def connect(gdb, server, how="target remote "):
    return "".join(gdb.type(command) for command in (
        QUIET, "set sysroot /", how + server.address, "set prof max-stopped 100"))


def process_of(gdb):
    return int(re.search(r"process (\d+)", gdb.type("info inferiors")).group(1))


def sampled(gdb):
    """Has what it is now given samples?"""
    found = re.search(r"(\d+) samples", gdb.type("prof-status"))
    return bool(found) and int(found.group(1)) > 0


def interrupt(gdb):
    """Continue until it was sampled, with Ctrl-C after moments; what is printed."""
    text = gdb.interrupt(0.1)
    while not sampled(gdb) and len(text) < 20000:
        text += gdb.interrupt(0.1)
    return text


def after(gdb, server, command):
    """COMMAND after Ctrl-C in the middle; then prof-stop, of which nothing may be left."""
    text = connect(gdb, server) + gdb.type("prof-start --rate=500") + interrupt(gdb)
    right = sampled(gdb) and "received signal SIGINT" in text
    process = process_of(gdb)
    text += gdb.type(command) + gdb.type("prof-stop")
    # With no process left there is nothing to wait for.
    right = right and wait_until(lambda: not has_catchpoint(gdb.type("info breakpoints")))
    return right, text, process


def test_after(command, ends):
    """The target after COMMAND: it has ended, if ENDS, or goes on."""
    with gdbserver(program("spin")) as server, Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
        right, text, process = after(gdb, server, command)
        if ends:
            right = right and wait_until(lambda: state(process) in ("", "Z"))
        else:
            right = right and state(process) in ("R", "S")
            os.kill(process, signal.SIGKILL)
        return right and not re.search(SEEN, text), text


def test_disconnect():
    """gdbserver waits for another GDB, which finds the program as it was left."""
    with gdbserver("--multi") as server:
        texts = ""
        for i in range(2):
            with Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
                texts += connect(gdb, server, "target extended-remote ")
                if i == 0:
                    gdb.type("set remote exec-file " + program("spin"))
                    texts += gdb.type("break turn") + gdb.type("run") + gdb.type("delete")
                texts += gdb.type("prof-start --rate=500") + interrupt(gdb)
                right = sampled(gdb)
                texts += gdb.type("disconnect" if i == 0 else "kill") + gdb.type("prof-stop")
        return right and texts.count("received signal SIGINT") >= 2 and not re.search(SEEN, texts), texts


def test_again():
    """One program after the other, each killed in the middle."""
    with gdbserver("--multi") as server, Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
        text = connect(gdb, server, "target extended-remote ")
        gdb.type("set remote exec-file " + program("spin"))
        gdb.type("prof-start --rate=500")
        count = 0
        for _ in range(3):
            gdb.type("tbreak turn")
            text += gdb.type("run") + interrupt(gdb)
            count += sampled(gdb)
            text += gdb.type("kill")
        text += gdb.type("prof-stop")
        left = gdb.type("info breakpoints")
        return (count == 3 and not has_catchpoint(left) and not re.search(SEEN, text) and
                text.count("received signal SIGINT") >= 3), text + left


def test_death():
    """The program is killed while GDB waits for it.  gdbserver 10 may fail an assertion then."""
    with gdbserver(program("spin")) as server, Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
        connect(gdb, server)
        text = gdb.type("prof-start --rate=500") + interrupt(gdb)
        process = process_of(gdb)
        os.write(gdb.file, b"continue\n")
        gdb.expect(rb"Continuing\.")
        os.kill(process, signal.SIGKILL)
        text += gdb.expect(PROMPT) + gdb.type("prof-stop")
        ended = "SIGKILL" in text or gdb_version() < 12 and "Remote connection closed" in text
        right = ended and wait_until(
            lambda: not has_catchpoint(gdb.type("info breakpoints")))
        return right and not re.search(SEEN, text), text


def test_lost():
    """gdbserver is killed while the program stands still: in the middle of a tick, as in that of
    any condition, GDB 13.1 does not always survive it."""
    with gdbserver(program("spin")) as server, Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
        connect(gdb, server)
        text = gdb.type("prof-start --rate=500") + interrupt(gdb)
        process = process_of(gdb)
        server.process.kill()
        server.process.wait()
        text += gdb.type("continue") + gdb.type("prof-stop") + gdb.type("print 6 * 7")
        right = "= 42" in text and " samples in " in text and wait_until(
            lambda: not has_catchpoint(gdb.type("info breakpoints")))
        if state(process):
            os.kill(process, signal.SIGKILL)
        return right and not re.search(SEEN, text), text


def test_pending():
    """`detach` at a breakpoint, with an interrupt on its way to the program, does not end it."""
    for i in range(6):
        with gdbserver(program("spin")) as server:
            out = Gdb("spin").run(
                QUIET, "set sysroot /", "target remote " + server.address, "break turn",
                "continue", "set prof max-stopped 100", "prof-start --rate=2000",
                "ignore 1 %d" % (40 + i), "continue", "info inferiors", "detach", "prof-stop")
            process = int(re.search(r"process (\d+)", out[9]).group(1))
            if state(process) not in ("R", "S"):
                return False, "\n".join(out)
            os.kill(process, signal.SIGKILL)
    return True, ""


def test_background(mode):
    """prof-start while the program runs in the background: it is sampled at once."""
    with gdbserver(program("spin")) as server, Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
        gdb.type(mode)
        text = "".join([connect(gdb, server), gdb.type("tbreak turn"), gdb.type("continue"),
                        gdb.type("continue&"), gdb.type("prof-start --rate=100")])
        right = wait_until(lambda: sampled(gdb))
        os.write(gdb.file, b"interrupt\n")
        # In non-stop mode GDB may have read a tick's report, and not yet dealt with it.
        tick = b"|received signal SIGPRIO" * mode.endswith("non-stop on")
        text += gdb.expect(rb"received signal SIGINT|(Program|Thread 1 .*) stopped" + tick)
        text += gdb.type("prof-stop")
        right = right and wait_until(
            lambda: not has_catchpoint(gdb.type("info breakpoints")))
        gdb.type("kill")
        return right and not re.search(SEEN, text), text


TESTS = [
    ("detach", lambda: test_after("detach", False)),
    ("kill", lambda: test_after("kill", True)),
    ("monitor exit", lambda: test_after("monitor exit", True)),
    ("prof-stop in the middle, then kill", lambda: test_after("prof-stop\nkill", True)),
    ("disconnect, and another GDB", test_disconnect),
    ("run again", test_again),
    ("the program is killed", test_death),
    ("gdbserver is killed", test_lost),
    ("detach with an interrupt pending", test_pending),
    ("prof-start while it runs", lambda: test_background("set non-stop off")),
    ("prof-start while it runs, in non-stop mode", lambda: test_background("set non-stop on")),
]

require("gdbserver")
plan(len(TESTS))
for name, test in TESTS:
    if test == test_lost and gdb_version() < 11:
        skip(1, name, "GDB 10 does not survive it without gdbprof either")
        continue
    wrong = [answer[1] for answer in (test() for _ in range(ROUNDS)) if not answer[0]]
    ok(not wrong, "%s: %d of %d times" % (name, ROUNDS - len(wrong), ROUNDS),
       "\n----\n".join(wrong))
