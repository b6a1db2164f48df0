#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever the rate: Ctrl-C comes through at any moment, and GDB answers while the program runs."""

import os
import random
import re
import tempfile
import time

from remote import PROMPT, QUIET, Terminal, gdbserver
from session import MORE, Gdb, lacking, ok, plan, program, skip, wait_until

INTERRUPTS = 30
ANSWERS = 100
LINES = 200000  # so many take seconds to read


def interrupts(what, exe, args, start, rate, engine="stop"):
    """Ctrl-C, many times: what the program does and how often it is sampled is all one."""
    with Terminal(Gdb(exe, args)) as terminal:
        for line in ("set print thread-events off", "set prof max-stopped 100",
                     "prof-start --rate=%d --engine=%s" % (rate, engine), start):
            terminal.type(line)
        check_interrupts("%s at %d Hz, %s" % (what, rate, engine), terminal, rate,
                         least=exe != "/bin/sleep")


def check_interrupts(what, terminal, seed, least=1):
    """Two checks: each Ctrl-C stops the program, which stands still in TERMINAL; there are LEAST
    samples."""
    waits = random.Random(seed)
    texts = [terminal.interrupt(waits.random() / 20) for _ in range(INTERRUPTS)]
    wrong = [text for text in texts if "received signal SIGINT" not in text]
    ok(not wrong, "%s: %d times Ctrl-C" % (what, INTERRUPTS), wrong)
    status = terminal.ask("prof-status")
    for _ in range(INTERRUPTS):
        samples = re.search(r"^(\d+) samples?", status, re.M)
        if samples and int(samples[1]) >= least:
            break
        # On a busy machine all of these moments may pass without a tick.
        terminal.interrupt(0.5)
        status = terminal.ask("prof-status")
    ok("stands still" in status and samples and int(samples[1]) >= least,
       what + ": the recording goes on", status)


def interrupts_nonstop(mode, exe, args, rate):
    """The same over gdbserver in non-stop mode, where Ctrl-C is a packet of its own."""
    what = "%s, %s, at %d Hz, interrupt" % (mode, exe, rate)
    why = lacking("gdbserver")
    if why:
        skip(2, what, why)
        return
    with gdbserver(program(exe), *args) as server, Terminal(Gdb(exe)) as terminal:
        for line in (QUIET, "set sysroot /", "set print thread-events off", mode,
                     "target remote " + server.address, "tbreak main", "continue",
                     "set prof max-stopped 100", "prof-start --rate=%d" % rate):
            terminal.type(line)
        check_interrupts(what, terminal, rate)
        terminal.type("kill")


def answers(threads):
    """Commands while the program runs, at a rate that nobody can keep."""
    with Terminal(Gdb("busy", [str(threads)])) as terminal:
        for line in ("set print thread-events off", "prof-start --rate=20000 --engine=stop", "run &"):
            terminal.type(line)
        began = time.monotonic()
        late = 0
        right = 0
        for i in range(ANSWERS):
            asked = time.monotonic()
            right += "= %d\r\n" % (1000 + i) in terminal.type("print %d" % (1000 + i))
            late = max(late, time.monotonic() - asked)
        print("# %d busy threads: %d answers, on average in %.1f ms, the latest in %.1f ms" % (
            threads, right, 1000 * (time.monotonic() - began) / ANSWERS, 1000 * late))
        ok(right == ANSWERS, "%d busy threads: all commands are answered" % threads, right)
        said = []

        def says_why():
            """The rate is judged every half a second."""
            said.append(terminal.type("prof-status"))
            rate = re.search(r"20000 Hz asked for, ([\d.]+) Hz reached; (\d+) of \d+ ticks lost", said[-1])
            return rate and float(rate[1]) < 20000 and ("lowered to" in said[-1] or int(rate[2]))

        ok(wait_until(says_why) and "the program runs" in said[-1],
           "%d busy threads: prof-status says what was reached, and why" % threads, said[-1])
        os.write(terminal.file, b"interrupt\n")
        text = terminal.expect(rb"received signal SIGINT")
        ok("<<" not in text, "%d busy threads: and it can be stopped" % threads, text)


def lowered(threads):
    """A limit that each tick goes beyond, however little a stop costs where others want the CPUs."""
    with Terminal(Gdb("busy", [str(threads)])) as terminal:
        for line in ("set print thread-events off", "set prof max-stopped 0.001",
                     "prof-start --rate=20000 --engine=stop", "run &"):
            terminal.type(line)
        text = terminal.type("prof-status")
        end = time.monotonic() + 60
        while "lowered to" not in text and time.monotonic() < end:
            # Ticks are turned away while GDB answers.
            time.sleep(0.5)
            text = terminal.type("prof-status")
        ok("the program runs" in text and "lowered to" in text,
           "%d busy threads: beyond the limit the rate is lowered, and prof-status says so" % threads,
           text)


def answers_in_a_crowd():
    """With a thousand threads, at the usual rate, as without sampling: it is shown, and held
    against what a user would call an answer."""
    for sampled in (False, True):
        with Terminal(Gdb("crowd", ["1000", "600"])) as terminal:
            for line in ("set print thread-events off", "break compute", "run", "delete",
                         *(["prof-start --rate=100"] if sampled else []), "continue &"):
                terminal.type(line)
            took, right = [], 0
            for i in range(ANSWERS):
                asked = time.monotonic()
                right += "= %d\r\n" % (1000 + i) in terminal.type("print %d" % (1000 + i))
                took.append(1000 * (time.monotonic() - asked))
                time.sleep(0.01)
            took.sort()
            print("# 1,000 threads, %ssampled: half of the answers in %.1f ms, nine of ten in %.1f, "
                  "the latest in %.1f" % ("" if sampled else "not ", took[ANSWERS // 2],
                                          took[ANSWERS * 9 // 10], took[-1]))
            ok(right == ANSWERS, "1,000 threads, %ssampled: all commands are answered" % (
                "" if sampled else "not "), right)


def ended(text):
    """Has Ctrl-C ended a command, rather than a line that was begun at the prompt?"""
    return "Quit" in text and "^C(gdb)" not in text


def long_work(folder):
    """Ctrl-C in what takes long: back at the prompt, with what was there before."""
    path = os.path.join(folder, "folded")
    with open(path, "w", encoding="utf-8") as file:
        for i in range(LINES):
            file.write("main;" + ";".join("f%d" % (i * j % 99991) for j in range(1, 30)) + " 1\n")
    # On a dumb terminal nothing tells how far it is.
    with Terminal(Gdb(env={"TERM": "xterm"})) as terminal:
        os.write(terminal.file, b"prof-load %s\n" % path.encode())
        begun = terminal.expect(rb"Reading: ")
        os.write(terminal.file, b"\x03")
        text = terminal.expect(PROMPT)
        ok(begun.endswith("Reading: ") and ended(text), "Ctrl-C ends the reading of a large file", begun + text)
        terminal.type("prof-load " + path)
        # The view may be done before: it is begun anew, and interrupted sooner.
        for wait in (0.1, 0.05, 0.02, 0.01, 0.005, 0.002):
            os.write(terminal.file, b"prof-tree --limit=1 --output=/dev/null\n")
            terminal.expect(rb"/dev/null\r\n")
            time.sleep(wait)
            os.write(terminal.file, b"\x03")
            text = terminal.expect(PROMPT)
            if ended(text):
                break
        ok(ended(text), "and a view that takes long", text)
        text = terminal.type("prof-functions --limit=2")
        ok(re.search(r"%d +100.00 +<Total>" % LINES, text), "and GDB goes on", text)


if __name__ == "__main__":
    plan((6 + 2 * MORE) * 2 + (1 + MORE) * (3 + 1) + 2 + 3)
    interrupts("one thread computes", "busy", ["1"], "start", 1000)
    interrupts("eight threads compute", "busy", ["8"], "start", 5000)
    interrupts("a program sleeps", "/bin/sleep", ["600"], "starti", 5000)
    interrupts("one thread computes", "busy", ["1"], "start", 1000, "catch")
    interrupts_nonstop("set non-stop on", "spin", [], 100)
    interrupts_nonstop("maintenance set target-non-stop on", "busy", ["4"], 100)
    answers(8)
    lowered(8)
    if MORE:
        interrupts("one thread computes", "busy", ["1"], "start", 20000)
        interrupts("eight threads compute", "busy", ["8"], "start", 200, "catch")
        answers(1)
        lowered(1)
    answers_in_a_crowd()
    with tempfile.TemporaryDirectory() as tmp:
        long_work(tmp)
