#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine interrupt with another architecture: an AArch64 program in QEMU's user mode."""

import os
import re
import subprocess
import tempfile

from remote import QUIET, Terminal, check_shares, qemu
from session import TOP, Gdb, ok, plan, require, skip_all

COMPILER = "aarch64-linux-gnu-gcc"
EMULATOR = "qemu-aarch64"
HOST = "gdb-multiarch"


def build(folder, name):
    """The test program NAME for the other architecture, or None."""
    path = os.path.join(folder, name)
    done = subprocess.run(
        [COMPILER, "-O1", "-g", "-static", "-fno-omit-frame-pointer",
         "-fno-optimize-sibling-calls", "-o", path,
         os.path.join(TOP, "tests", "programs", name + ".c")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return path if done.returncode == 0 else None


def test_shares(path):
    with qemu(EMULATOR, path, "800") as stub:
        out = Gdb(path, gdb=HOST).run(
            QUIET, "target remote " + stub.address, "set prof max-stopped 60", "break plain",
            "prof-start --rate=100", "continue", "backtrace", "finish", "delete", "continue",
            "prof-stop", "prof-functions --format=csv", "info breakpoints")
    ok("engine interrupt" in out[4], "auto takes it", out[4])
    ok("Breakpoint 1, plain" in out[5] and "main" in out[6] and "main" in out[7],
       "the user's own stops stay stops", "\n".join(out[5:8]))
    ok("exited normally" in out[9] and "SIGINT" not in out[9], "the program ends as ever", out[9])
    check_shares(out[11], 50, out[10])
    ok("No breakpoints" in out[12], "nothing is left", out[12])


def test_ctrl_c(path):
    with qemu(EMULATOR, path) as stub, Terminal(Gdb(path, gdb=HOST)) as gdb:
        for command in (QUIET, "target remote " + stub.address, "set prof max-stopped 80",
                        "prof-start --rate=50"):
            gdb.type(command)
        texts = [gdb.interrupt(0.05 + 0.017 * i) for i in range(10)]
        wrong = [text for text in texts
                 if "received signal SIGINT" not in text or re.search("Quit|Give up|Error", text)]
        ok(not wrong, "Ctrl-C stops the program while it is sampled", "\n".join(wrong))
        gdb.type("kill")


require(COMPILER, EMULATOR, HOST)
with tempfile.TemporaryDirectory() as own:
    shares, spin = build(own, "shares"), build(own, "spin")
    if not shares or not spin:
        skip_all("%s cannot link programs" % COMPILER)
    plan(10)
    test_shares(shares)
    test_ctrl_c(spin)
