#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A collector is a row of the table and a file that has it: nobody else knows of it."""

import re

from tree import files, none, ok, plan, read

ROWS = re.findall(r"^\t&(collector_\w+),$", read("plugin/collect/collector.c"), re.M)
# Where marks are asked for, and paused: that is no event of a collector's own.
SHARED = "plugin/marks/marks.h"

plan(4)

where = {row: [path for path in files("plugin", ends=".c")
               if re.search(r"^const struct collector %s = \{" % row, read(path), re.M)] for row in ROWS}
none(["%s is in %s" % (row, ", ".join(paths) or "no file") for row, paths in where.items() if len(paths) != 1],
     "each row is in one file")

page = read("plugin/collect/README.md")
none(["%s in %s" % (row, path) for row, paths in where.items() for path in paths
      if "| `%s` | `%s` |" % (row, path) not in page], "the page of the room lists each")

names = [re.findall(r'^const struct collector \w+ = \{\n\t\.name = "([a-z]+(?:-[a-z]+)?)",$', read(path), re.M)
         for paths in where.values() for path in paths]
ok(all(len(found) == 1 for found in names) and len({found[0] for found in names}) == len(ROWS),
   "each row begins with its name, which no other has", str(names))

rooms = {path.rsplit("/", 1)[0] + "/" for paths in where.values() for path in paths}
none(["%s:%d includes %s" % (path, number, name)
      for path in files("plugin/session", "plugin/collect")
      for number, name in ((number, line.split('"')[1]) for number, line in enumerate(read(path).splitlines(), 1)
                           if line.startswith('#include "'))
      if name.startswith(tuple(rooms)) and name != SHARED],
     "the session and the table include nothing of a collector's")
