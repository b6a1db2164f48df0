#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of a command leads to its file, its test and its page; tests/gdb/reference.t compares the pages with `help`."""

import os
import re

from tree import TOP, files, none, plan, read

plan(4)

pages = set(re.findall(r"^doc/reference/(?:prof-)?((?<=-).*|prof)\.md$", "\n".join(files("doc/reference", ends=".md")), re.M))
# What no page is of is found here, even before there is a help text to compare it with.
commands = {name for path in files("plugin/command", ends=".c")
            for name in re.findall(r'\.name = "prof-([\w-]+)"', read(path))} | {"prof"}
views = {name for path in files("core/view", ends=".c")
         for name in re.findall(r'const struct prof_view \w+ = \{\s*\.name = "([\w-]+)"', read(path))}


def lacks(name, *places):
    """Whether none of PLACES, with the NAME of a command in it, is there."""
    return not any(os.path.exists(os.path.join(TOP, place % name.replace("-", "_"))) for place in places)


none(sorted(name for name in pages ^ (commands | views)), "each command has a page, and each page a command")
none(sorted(name for name in pages if lacks(name, "core/view/%s.c" if name in views else "plugin/command/%s.c")),
     "each command has a file of its name")
none(sorted(name for name in pages if lacks(name, "tests/unit/view/%s.c", "tests/gdb/%s.t")),
     "each command has a test of its name")
none(["plugin/command/%s.c is not prof-%s" % (name, name) for name in sorted(views)
      if os.path.exists(os.path.join(TOP, "plugin/command/%s.c" % name.replace("-", "_")))],
     "no file of another content has the name of a view")
