#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-tbreak: a performance breakpoint that is gone after its first stop."""

from session import Gdb, ok, plan

plan(2)
out = Gdb("misbehaves", ["slow"]).run(
    "prof-tbreak --call=serve --longer=1s", "info prof-breaks", "run", "info prof-breaks", "maint info breakpoints",
    "set var released = 1", "continue")
ok("(temporary)" in out[1] and "Performance breakpoint 1, serve has run for " in out[2], "it stops once", "\n".join(out))
ok("no performance breakpoints" in out[3] and "serve" not in out[4] and "exited normally" in out[6],
   "and nothing is left of it", "\n".join(out[3:]))
