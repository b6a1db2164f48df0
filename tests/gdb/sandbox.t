#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that opens no more files cannot load the agent: each command says so, and nothing else."""

from session import Gdb, ok, plan

plan(4)
REFUSED = "cannot load the agent"
START = "prof-start --heap --engine=none"

out = Gdb("sandbox").run("break work", "run", START, "prof-status", "continue", "prof-stop")
ok(REFUSED in out[2] and "waits for a program" not in "".join(out), "prof-start says why", "\n".join(out))
ok(out[3].count(REFUSED) == 1, "so does prof-status", out[3])
ok("exited normally" in out[4] and out[5].count(REFUSED) == 1,
   "so does prof-stop, when the program is gone", out[4] + out[5])
out = Gdb("sandbox").run(START, "run", "prof-stop")
ok("; 2000 events" in out[2] and REFUSED not in "".join(out), "from the start on it is traced",
   "\n".join(out))
