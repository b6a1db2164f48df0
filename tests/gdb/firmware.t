#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine interrupt with images that have no operating system, on QEMU's machines."""

import tempfile

from firmware import MACHINES, TOOLS, board, build
from proxy import Reads
from remote import QUIET
from session import Gdb, grown, lacking, near, ok, plan, rows, skip

HOST = "gdb-multiarch"
CHECKS = 7
TRUST = "show trust-readonly-sections"
# Samples: the share of light, 10 %, is then known to within 10 points.
ENOUGH = 150


def samples(functions):
    """The inclusive samples of the table FUNCTIONS by name."""
    return {row["name"]: float(row["inclusive"]) for row in rows(functions)}


def session(machine, image, rounds):
    """What GDB prints, and the addresses that it has read while the image ran."""
    with board(machine, image) as stub:
        proxy = Reads(stub.port)
        out = Gdb(image, gdb=HOST).run(
            QUIET, "target remote " + proxy.address, "set var rounds = %d" % rounds, "break done",
            "set prof max-stopped 100", "prof-start --rate=200", "continue", "backtrace", TRUST, "prof-stop",
            "prof-functions --format=csv", "delete", "info breakpoints", "kill")
    return out[5:], proxy.reads


def test(machine, image):
    out, reads = grown(lambda rounds: session(machine, image, rounds),
                       lambda got: samples(got[0][5]).get("main", 0) >= ENOUGH, 60)
    said = "\n".join(out)
    found = samples(out[5])
    total = found.get("main", 0)
    ok("engine interrupt, the best" in out[0], machine + ": auto takes the engine interrupt", out[0])
    ok("Breakpoint 1, done" in out[1] and "SIGINT" not in out[1] and "main" in out[2],
       machine + ": it stops at the user's breakpoint, and nowhere else", said)
    for name, share in ("heavy", 60), ("middle", 30), ("light", 10):
        ok(total >= ENOUGH and near(100 * found.get(name, 0) / max(total, 1), share, total),
           "%s: the share of %s" % (machine, name), said)
    code = [address for address in reads if MACHINES[machine][3] <= address < MACHINES[machine][4]]
    ok(len(code) < total / 2, machine + ": GDB does not read code from a target that is sampled",
       "%d reads of code, %d in all, %d samples" % (len(code), len(reads), total))
    ok("is off" in out[3] and "No breakpoints" in out[7], machine + ": GDB is left as it was", said)


plan(len(MACHINES) * CHECKS)
for name, (emulator, *_) in MACHINES.items():
    why = lacking(*TOOLS, HOST, emulator)
    if why:
        skip(CHECKS, name, why)
        continue
    with tempfile.TemporaryDirectory() as own:
        path = build(name, own)
        if path:
            test(name, path)
        else:
            skip(CHECKS, name, "clang cannot make an image for it")
