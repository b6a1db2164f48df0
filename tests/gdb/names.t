#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names with an apostrophe can be typed as they are shown; quotes still hold words together."""

import os
import tempfile

from session import LOADER, Gdb, ok, plan, rows

# What is typed, and the function that it means.
TYPED = [("fib'2", "fib'2"), ("fib\\'2", "fib'2"), ("\"fib'2\"", "fib'2"), ("'fib'", "fib"), ("it's", "it's"),
         ("vec<'a>", "vec<'a>"), ("'two words'", "two words"), ("two' 'words", "two words"), ("--limit='1' it's", "it's")]

plan(len(TYPED) + 1)
with tempfile.TemporaryDirectory() as place:
    stacks = os.path.join(place, "stacks.folded")
    with open(stacks, "w") as file:
        file.write("main;fib'2 5\nmain;it's 3\nmain;fib 2\nmain;two words 4\nmain;vec<'a> 6\n")
    out = Gdb().run("prof-load " + stacks, *("prof-callers --format=csv " + typed for typed, _ in TYPED))
    for (typed, name), answer in zip(TYPED, out[1:]):
        ok(any(name == row["name"] or name == row.get("focus") for row in rows(answer)), typed + " means " + name, answer)

    # GDB leaves __file__ as it was for the file that is sourced first.
    with open(os.path.join(place, "outer.py"), "w") as file:
        file.write("import gdb\ngdb.execute('source %s')\n" % LOADER)
    answer = Gdb(load=False).run("source " + file.name, "prof-status")[1]
    ok("begin with prof-start" in answer, "prof.py can be sourced within another file", answer)
