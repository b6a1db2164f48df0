#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks of a remote program: their figures are those that its own machine has of it."""


from remote import QUIET, gdbserver
from session import Gdb, ok, plan, program, require, rows

GROWING = ("user", "system", "minor_faults", "major_faults", "voluntary_switches",
           "involuntary_switches", "block_input", "block_output", "char_input", "char_output")
LEVELS = ("resident", "peak", "threads")
STEPS = ["break two", "break unseen", "break three", "continue", "prof-start --rate=100", "continue",
         "continue", "prof-mark-at lots pass if turn == 3", "break make_child", "continue",
         "prof-stop", "prof-overview --format=csv", "prof-functions --format=csv", "delete",
         "set prof mark-stops off", "prof-start --mark-period=20ms", "continue", "prof-stop",
         "prof-overview --format=csv", "print 1 + 1"]


def session(*commands):
    with gdbserver(program("marks")) as server:
        return Gdb("marks").run(QUIET, "set sysroot /", "target remote " + server.address,
                                "set prof max-stopped 50", "handle SIGUSR2 nostop noprint",
                                *commands)[5:]


require("gdbserver")
plan(6)
out = session(*STEPS)
table = {row["end_label"].split(" at ")[0]: row for row in rows(out[11]) if row["interval"]}
total = rows(out[11])[0]
two = table.get("phase-2", total)
said = out[11]
ok(list(table) == ["phase-2", "pause (program)", "resume (program)", "breakpoint 3, three", "pass",
                   "breakpoint 6, make_child", "end"], "a remote program has its marks", said)
ok(all(row[name] for row in [total, *table.values()] for name in GROWING + LEVELS),
   "at each of them its figures are known", said)
ok(int(two["minor_faults"]) >= 3000 and int(two["char_output"]) >= 100000 and
   int(two["peak"]) >= 3000 * 4096 and int(total["threads"]) == 1 and int(two["threads"]) == 1 and
   0.1 < float(two["user"]) + float(two["system"]) < 10, "and are those of what it did", said)
ok(all(abs(sum(float(row[name]) for row in table.values()) - float(total[name])) < 1e-6
       for name in GROWING) and "two" in out[12], "they add up, as samples do", said + out[12])
ended = rows(out[18])
periodic = [row for row in ended if row["end_label"] == "periodic"]
ok(ended[0]["user"] == "" and ended[0]["threads"] == "0" and
   all(row["user"] == row["resident"] == "" for row in periodic),
   "what nobody could ask for is unknown", out[18])
ok("exited normally" in out[16] and "$1 = 2" in out[19],
   "the program goes on as ever", out[16] + out[19])
