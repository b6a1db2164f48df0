#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bars in lists and the tree: on a terminal that has the characters for them, and nowhere else."""

import os
import tempfile

from session import Gdb, ok, plan

BLOCKS = {chr(code) for code in range(0x2588, 0x2590)}


def on_terminal(*commands, term="xterm", charset="UTF-8"):
    """What GDB prints on a terminal."""
    return Gdb().on_terminal("set host-charset " + charset, "prof-load stacks", *commands, term=term)


def bars(text):
    return BLOCKS & set(text)


plan(6)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    with open("stacks", "w") as file:
        file.write("main;a 4\nmain;b 1\nmain 3\n")
    lists = on_terminal("prof-functions --bars")
    ok("\u2588" * 10 + "  a" in lists and "\u2588" * 7 + "\u258c  " in lists, "functions have bars", lists)
    tree = on_terminal("prof-tree --bars")
    ok("\u2588" * 10 + "  *    1  main" in tree and "\u2588" * 5 + " " * 7 + "*    2   a" in tree,
       "the tree has them", tree)
    ok(not bars(on_terminal("prof-functions", "prof-tree")), "where they are asked for")
    other = on_terminal("prof-tree --bars", term="dumb") + on_terminal("prof-tree --bars", charset="ASCII")
    ok("main" in other and not bars(other), "not on a terminal that has not the characters", other)
    file = on_terminal("prof-tree --bars --output=tree", "prof-functions --bars --format=csv")
    with open("tree") as written:
        text = written.read()
    ok("main" in text and "main" in file and not bars(text + file), "not in a file, and not in csv", text)
    piped = "".join(Gdb(env={"TERM": "xterm"}).run("prof-load stacks", "prof-tree --bars",
                                                   "prof-functions --bars"))
    ok("main" in piped and not bars(piped), "not in a pipe", piped)
    os.chdir("/")
