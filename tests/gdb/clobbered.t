#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-start warns of a gdbserver that damages vector registers, where it does: on AMD's CPUs with AVX-512."""

import os
import subprocess
import tempfile

from remote import QUIET, Stub
from session import Gdb, ok, plan, program, require

require("cc", "gdbserver")
with open("/proc/cpuinfo") as file:
    cpu = file.read()
if "avx512f" not in cpu:
    print("1..0 # SKIP this CPU has no AVX-512")
    raise SystemExit
plan(4)
WARNING = "gdbserver before version 14 damages AVX-512 registers"


def session(*preload):
    with Stub("env", *preload, "gdbserver", "--once", "127.0.0.1:0", program("busy")) as server:
        return Gdb("busy").run(QUIET, "set sysroot /", "target remote " + server.address, "prof-start",
                               "prof-status", "kill")[3:]


with tempfile.TemporaryDirectory() as folder:
    library = os.path.join(folder, "amd.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clobbered", "amd.c")
    subprocess.run(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, source], check=True)
    out = session("LD_PRELOAD=" + library)
    ok(out[0].count(WARNING) == 1, "prof-start warns", "\n".join(out))
    ok(out[1].count(WARNING) == 1, "so does prof-status", "\n".join(out))
    out = session("A=")
    ok(("AuthenticAMD" in cpu) == (WARNING in out[0]), "not on other CPUs", "\n".join(out))
    out = Gdb("busy").run("break main", "run", "prof-start", "kill")
    ok(WARNING not in out[2], "nor of a native process", "\n".join(out))
