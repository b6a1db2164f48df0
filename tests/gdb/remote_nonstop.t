#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine interrupt in non-stop mode: each thread is sampled, and stops for the user alone."""

import re

from remote import QUIET, Terminal, check_shares, gdbserver
from answers import has_catchpoint
from session import Gdb, ok, plan, program, require, rows, wait_until

# What must never be seen of it.
SEEN = "SIGPRIO|_prof_tick|Catchpoint|internal-error|[Ee]rror:|Quit"


def stands(gdb):
    """Whether all threads stand still, by what GDB says; it may say that they stop before."""
    return wait_until(lambda: "(running)" not in gdb.ask("info threads"))


def test_shares():
    """One thread in the foreground: the same shares as in all-stop mode, and the user's stops."""
    with gdbserver(program("shares"), "1500") as server:
        out = Gdb("shares").run(
            QUIET, "set sysroot /", "set non-stop on", "target remote " + server.address,
            "set prof max-stopped 60", "break plain", "prof-start --rate=400", "continue",
            "backtrace", "finish", "delete", "continue", "prof-stop",
            "prof-functions --format=csv", "info breakpoints", "info signals SIGPRIO")
    ok("engine interrupt" in out[6], "auto takes it", out[6])
    ok("Breakpoint 1, plain" in out[7] and "main" in out[8] and "main" in out[9],
       "the user's own stops stay stops", "\n".join(out[7:10]))
    ok("exited normally" in out[11] and not re.search(SEEN, out[11]), "the program ends as ever",
       out[11])
    check_shares(out[13], 50, out[12])
    ok("No breakpoints" in out[14] and re.search(r"SIGPRIO\s+No\s+No\s+Yes", out[15]),
       "nothing is left", out[14] + out[15])


def samples(gdb):
    found = re.search(r"(\d+) samples", gdb.ask("prof-status"))
    return int(found.group(1)) if found else 0


def test_threads(mode, go_on, stop):
    """Threads in the background, which the user stops and has go on, again and again."""
    with gdbserver(program("threads"), "1000000") as server, \
            Terminal(Gdb("threads", env={"LANG": "C"})) as gdb:
        for command in (QUIET, "set sysroot /", "set print thread-events off", mode,
                        "target remote " + server.address, "tbreak unit", "continue"):
            gdb.ask(command)
        gdb.ask("set prof max-stopped 100")
        gdb.ask("prof-start --rate=200")
        texts, count = "", 0
        for _ in range(8):
            texts += gdb.ask(go_on)
            before = samples(gdb)
            count += wait_until(lambda before=before: samples(gdb) > before + 3)
            texts += gdb.ask(stop)
            if not stands(gdb):
                texts += "<<does not stop>>"
            texts += gdb.ask("info threads")
        ok(count == 8, mode + ": it is sampled each time", texts)
        # In one moment or another a tick's report has come, but GDB has not dealt with it.
        texts = re.sub("received signal SIGPRIO, SIGPRIO", "stopped", texts, count=2)
        ok(not re.search(SEEN + "|<<does", texts), mode + ": nothing is seen of it", texts)
        view = gdb.ask("prof-functions --format=csv")
        ok({"first", "second", "third"} <= {row["name"] for row in rows(view.replace("\r", ""))},
           mode + ": all threads are sampled", view)
        gdb.ask(go_on)
        # In the middle, while threads are asked to stop.
        stopped = gdb.ask("prof-stop")
        gdb.ask(stop)
        ok("samples" in stopped and stands(gdb) and wait_until(
            lambda: not has_catchpoint(gdb.ask("info breakpoints"))),
           mode + ": prof-stop while it runs leaves nothing", stopped)
        gdb.ask("kill")


require("gdbserver")
plan(9 + 2 * 4)
test_shares()
test_threads("set non-stop on", "continue -a&", "interrupt -a")
test_threads("maintenance set target-non-stop on", "continue&", "interrupt")
