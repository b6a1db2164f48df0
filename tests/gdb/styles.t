#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Views have GDB's styles where GDB has some, and none anywhere else."""

import os
import re
import tempfile

from session import Gdb, ok, plan

VIEWS = ("prof-functions", "prof-tree", "prof-hot", "prof-callers work")


def on_terminal(*commands, **more):
    """What GDB prints on a terminal of COMMANDS behind the loading of a file; -batch turns styles off."""
    return Gdb().on_terminal("set style enabled on", "set width 80", "prof-load stacks", *commands, **more)


def plain(text):
    return re.sub(r"\033\[[0-9;]*m", "", text)


plan(7)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    with open("stacks", "w", encoding="utf-8") as file:
        file.write("main;refine;work 80\nmain;idle 15\nmain 5\n")
    styled = on_terminal(*VIEWS)
    ok(all("\033[33m%s\033[m" % name in styled for name in ("main", "refine", "work", "idle")),
       "functions have the style of functions", styled)
    ok("\033[31m80.00\033[m" in styled and "\033[31m5.00\033[m" not in styled and "\033[31m*\033[m" in styled,
       "shares that matter are highlighted", styled)
    ok("<Total>" in styled and "\033[33m<" not in styled, "what is no function has no style", styled)
    off = on_terminal("set style enabled off", *VIEWS)
    ok("\033[" not in off.rpartition("stacks")[2] and plain(styled).splitlines()[-30:] == off.splitlines()[-30:],
       "without styles the text is the same", off)
    other = on_terminal("set style function foreground cyan", "set style function intensity bold", "prof-functions")
    ok("\033[1;36mwork\033[m" in other, "styles are the user's own", other)
    none = on_terminal("set style function foreground none", "set style highlight foreground none", *VIEWS)
    ok("\033[3" not in none.rpartition("stacks")[2] and "work" in none, "a style without colors is none", none)
    written = on_terminal(*(view + " --output=out%d" % number for number, view in enumerate(VIEWS)), "prof-functions --format=csv")
    files = "".join(open("out%d" % number, encoding="utf-8").read() for number in range(len(VIEWS)))
    dumb = on_terminal(*VIEWS, term="dumb")
    ok("work" in files and "\033" not in files + written + dumb, "files, csv and dumb terminals have none", written + dumb)
    os.chdir("/")
