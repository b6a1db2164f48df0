#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine pcsr: samples of a Cortex-M that runs on, and what a target says that cannot be sampled so."""

import os
import re
import tempfile

from answers import says
from board import Board
from firmware import TOOLS, build
from remote import QUIET, Terminal, gdbserver
from session import Gdb, lacking, near, ok, plan, program, require, rows, skip, skip_all, wait_until

HOST = "gdb-multiarch"
SHARES = {"heavy": 60, "middle": 30, "light": 10}
READS = 300
BEGIN = [QUIET, "set non-stop on"]
START = "prof-start --rate=1000 --engine=pcsr"


def session(image, way, *commands, reads=READS):
    """What GDB prints for COMMANDS, where the target is a Board of that WAY, and the board."""
    board = Board(image, SHARES, reads, way)
    out = Gdb(image, gdb=HOST).run(*BEGIN, "target remote " + board.address, *commands)
    return out[len(BEGIN) + 1:], board


def check_end(out, what):
    """The user's breakpoint was met as ever."""
    ok("Breakpoint 1, done" in out[2] and not re.search("SIG|Error|internal|<<|unexpected", "".join(out)),
       what + ": the user's breakpoint is met, and nothing else seen", "\n".join(out))


def run(image, way, **options):
    """A session that ends at a breakpoint."""
    return session(image, way, "break done", START, "continue", "prof-status", "info symbol $pc", "prof-stop",
                   "prof-functions --format=csv", "prof-functions", "info registers pc", "info breakpoints", **options)


def test_shares(image, way):
    out, board = run(image, way)
    check_end(out, way)
    found = {row["name"]: float(row["exclusive"]) for row in rows(out[6])}
    total = found.get("<Total>", 0)
    # The last read may be met by the stop.
    ok(READS - 1 <= total <= READS == board.asked and set(found) == {"<Total>", *SHARES},
       way + ": each read is a sample, and no caller is made up", out[6])
    for name, share in SHARES.items():
        ok(near(100 * found.get(name, 0) / max(total, 1), share, total), "%s: the share of %s" % (way, name), out[6])
    ok(out[4].strip().startswith("done") and "0x%x" % board.pc in out[8], way + ": GDB reads what it asks for", out[4] + out[8])
    ok("Stacks have one frame" in out[5] and "Stacks have one frame" in out[7] and
       "kept from running for 0.00 %" in out[5], way + ": headings say that there are no callers, and what it costs",
       out[5] + out[7])
    ok(out[9].count("\n") < 5 and "atchpoint" not in out[9], way + ": no catchpoint is made", out[9])


def test_file(image, place):
    """The file has it too."""
    path = os.path.join(place, "board.prof")
    session(image, "plain", "break done", START + " --output=" + path, "continue", "prof-stop")
    out = Gdb().run("prof-load " + path, "prof-functions")
    ok("Stacks have one frame" in out[1] and "heavy" in out[1], "a recording that was loaded says so as well", out[1])


def test_blank(image):
    out, _ = run(image, "blank", reads=60)
    check_end(out, "blank")
    said = "DWT_PCSR (0xe000101c) has held no program counter"
    ok(said in out[3] and out[5].count(said) == 1 and re.search(r"0 samples.*(6\d|59) of \1 ticks lost", out[5], re.S),
       "a register without an address: all ticks are lost, and why is said", out[3] + out[5])


def test_refused(image, way):
    """It is not asked again."""
    out, board = run(image, way)
    check_end(out, way)
    said = "gdbprof cannot read the target while it runs, so it does not sample the target any more."
    ok(said in out[3] and said in out[5] and board.asked == 1, way + ": it is said, and not asked again",
       "%d\n%s" % (board.asked, out[3] + out[5]))


def test_silent(image):
    """It answers when it is asked to stop, and then answers that."""
    board = Board(image, SHARES, READS, "silent")
    with Terminal(Gdb(image, gdb=HOST)) as gdb:
        for command in (*BEGIN, "target remote " + board.address, START, "continue &"):
            gdb.ask(command)
        refused = wait_until(lambda: "cannot read the target while it runs" in gdb.ask("prof-status"))
        said = [gdb.ask("interrupt")]
        wait_until(lambda: said.append(gdb.ask("info threads")) or "(running)" not in said[-1])
        said += map(gdb.ask, ("prof-stop", "info registers pc", "x/2i $pc"))
    text = "".join(said)
    ok(refused and board.asked == 1 and "Program stopped" in text and re.search(r"pc +0x", text) and "=>" in text and
       not re.search("<<timeout|Error|unexpected|internal|packet", text), "GDB has its own answers only", text)


def test_elsewhere(image):
    out = Gdb("shares").run(START, "break main", "run", START)
    ok(all(says(text, "Cortex-M", "target remote") for text in (out[0], out[3])), "a native process is refused",
       "\n".join(out))
    board = Board(image, SHARES, READS)
    out = Gdb(image, gdb=HOST).run(QUIET, "target remote " + board.address, START)
    ok(says(out[2], "set non-stop on"), "all-stop mode is refused", out[2])
    why = lacking("gdbserver")
    if why:
        skip(1, "another architecture", why)
        return
    with gdbserver(program("shares")) as server:
        out = Gdb("shares").run(*BEGIN, "set sysroot /", "target remote " + server.address, START, "kill")
    ok("reads a register of ARM's Cortex-M, and the target is " in out[4],
       "another architecture is refused: anything may be there", out[4])


require(*TOOLS, HOST, "nm")
with tempfile.TemporaryDirectory() as own:
    path = build("Cortex-M3", own)
    if not path:
        skip_all("clang cannot make an image for a Cortex-M3")
    plan(2 * 8 + 1 + 2 + 2 * 2 + 1 + 3)
    for name in "plain", "busy":
        test_shares(path, name)
    test_file(path, own)
    test_blank(path)
    for name in "error", "late":
        test_refused(path, name)
    test_silent(path)
    test_elsewhere(path)
