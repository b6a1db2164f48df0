#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-top: a view on the whole terminal, again and again, until a key."""

import os
import re
import signal

from screen import Screen
from session import Gdb, lacking, ok, plan, skip, wait_until

LIVE = 10
HEAD = "^prof-top: %s, twice a second"


def samples(shown):
    """How many samples the table on the screen has; 0: there is no table."""
    found = re.search(r"^ *(\d+) +100(\.00)? .*<Total>", shown, re.M)
    return int(found[1]) if found else 0


def process(screen):
    """The process of the program, as GDB shows it."""
    found = re.search(r"process (\d+)", screen.ask("info inferiors"))
    return int(found[1]) if found else 0


def begin(columns, lines):
    """A screen on which the program runs and is recorded."""
    return Screen(Gdb("spin"), columns, lines, ["prof-start", "tbreak turn", "run", "continue &"])


def test_live():
    with begin(80, 24) as screen:
        screen.type("prof-top")
        first = screen.wait(HEAD % "functions")
        ok(first.startswith("prof-top: "), "the view has the whole screen", screen.shown())
        least = samples(first)
        ok(wait_until(lambda: samples(screen.shown()) > least + 10), "it is drawn again, and the program is sampled", screen.shown())
        # Without a pause: GDB reads all of it at once.
        screen.type("qprint 41 + 1")
        ok(screen.wait(r"^\$1 = 42") and " turn" in screen.shown(), "a key ends it, the view stays, and GDB gets what is typed behind the key",
           screen.shown())
        screen.type("prof-top --limit=2 --view=tree")
        ok(screen.wait(HEAD % "tree"), "it has other views, and their options", screen.shown())
        screen.key("C-c")
        ok("is running" in screen.ask("info threads").replace("(running)", "is running"), "Ctrl-C ends it, and the program runs",
           screen.shown())


def test_stops():
    with begin(200, 50) as screen:
        pid = process(screen)
        screen.type("prof-top")
        shown = screen.wait(HEAD % "functions")
        ok(wait_until(lambda: samples(screen.shown())), "on a large screen, too", shown)
        os.kill(pid, signal.SIGUSR1)
        shown = screen.wait("received signal SIGUSR1")
        ok(shown and " turn" in shown, "a stop ends it, and is shown below", screen.shown())
        ok("$1 = 42" in screen.ask("print 41 + 1"), "and GDB reads commands", screen.shown())
        shown = screen.ask("prof-top --limit=1")
        ok(samples(shown) and "prof-top: " not in shown, "while nothing runs it prints the view once", shown)


def test_small():
    with begin(40, 8) as screen:
        screen.type("prof-top --view=threads")
        shown = screen.wait(HEAD % "threads")
        ok(shown.startswith("prof-top: "), "a small screen does not scroll", screen.shown())


def test_once():
    """In a session without a terminal."""
    out = Gdb("shares").run("prof-top", "prof-start", "run", "prof-top --once --limit=3", "prof-functions --limit=3",
                            "prof-top --view tree --format=csv", "prof-tree --format=csv", "prof-top --view=nothing", "prof-top --nothing",
                            "complete prof-top --vi", "complete prof-top --view=thr", "complete prof-top --view=tree --coll")
    ok("nothing to show" in out[0], "it needs a recording", out[0])
    ok(out[3] == out[4] and samples(out[3]), "once, it is the view", out[3:5])
    ok(out[5] == out[6] and "level" in out[5], "with the view's options", out[5:7])
    ok('no view "nothing"' in out[7] and "prof-functions" in out[8], "views and options are checked", out[7:9])
    ok("--view" in out[9] and "--view=threads" in out[10] and "--collapse" in out[11], "and completed", out[9:])


plan(LIVE + 5)
WHY = lacking("tmux")
if WHY:
    skip(LIVE, "prof-top on a terminal", WHY)
else:
    test_live()
    test_stops()
    test_small()
test_once()
