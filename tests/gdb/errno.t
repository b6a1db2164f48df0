#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""errno is GDB's: it looks at it after a ptrace() that has succeeded."""

import os
import subprocess
import tempfile

from session import Gdb, ok, plan, program, require

require("cc")
plan(5)
with tempfile.TemporaryDirectory() as folder:
    library = os.path.join(folder, "change.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "errno", "change.c")
    subprocess.run(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, source], check=True)
    for what, more in (("threads", ("set prof engine stop",)), ("verified", ("set prof verify 3",)),
                       ("threads, not stopped", ())):
        out = Gdb("threads", ["60"], env={"LD_PRELOAD": library}).run(
            "unset environment LD_PRELOAD", *more, "prof-start --rate=1000", "tbreak both", "run",
            "next", "continue", "prof-stop")
        ok("both" in out[-4] and "exited normally" in out[-2], what + ": it runs and ends",
           "\n".join(out[-4:]))
    out = Gdb("family", ["fork"], env={"LD_PRELOAD": library}).run(
        "unset environment LD_PRELOAD", "prof-start --rate=1000 --engine=stop", "tbreak first", "run",
        "add-inferior -exec " + program("shares"), "inferior 2", "unset environment LD_PRELOAD",
        "tbreak plain", "run 100", "continue")
    ok("plain" in out[-2] and "exited normally" in out[-1], "a second program beside the first",
       "\n".join(out[-4:]))
    with subprocess.Popen([program("leaving"), "spin"], stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        out = Gdb(env={"LD_PRELOAD": library}).run(
            "attach %d" % process.pid, "prof-start --rate=1000 --engine=stop", "tbreak before", "continue",
            "detach", "prof-stop")
        ok("before" in out[3] and "detached" in out[4], "attached, let go", "\n".join(out))
        process.kill()
