#!/usr/bin/python3
"""Data goes one way: a room knows itself and earlier ones, and only the plugin knows Python."""

import os

from tree import CORE, files, includes, none, plan, rooms

plan(6)
order = rooms()

# What runs inside the program that is traced, or after the debugger, is not a room, but of its own.
SHARED = {
    "agent": ("tracing/ring.h", "tracing/rows.h"),
    "watchdog": ("sampling/watchdog_table.h",),
}

none([name for name in os.listdir(CORE) if name not in order + list(SHARED)],
     "every folder of the core is a room of the Makefile")

wrong = []
for path in files(*("core/" + room for room in order)):
    room = path.split("/")[1]
    earlier = order[:order.index(room) + 1] if room in order else []
    for line, name in includes(path):
        if name.startswith('"') and name[1:-1].split("/")[0] not in earlier:
            wrong.append("%s:%d includes %s" % (path, line, name))
none(wrong, "a file of the core includes only its own and earlier rooms, as \"room/file.h\"")

none(["%s:%d includes %s" % (path, line, name) for path in files("core/model")
      for line, name in includes(path)
      if name.startswith('"') and name[1:].split("/")[0] not in ("base", "model")],
     "the model of what was recorded needs core/base only")

none(["%s:%d includes %s" % (path, line, name) for folder in SHARED
      for path in files("core/" + folder)
      for line, name in includes(path) if name.startswith('"') and
      name[1:-1] not in SHARED[folder] and not name.startswith('"%s/' % folder)],
     "the agent shares two headers with the core, and the watchdog one")

none(["%s:%d includes %s" % (path, line, name) for path in files("core")
      for line, name in includes(path)
      if any(word in name.lower() for word in ("python", "gdb", "plugin"))],
     "the core knows neither Python nor GDB")

none(["%s:%d" % (path, line) for path in files("core", "plugin", "tests", "examples")
      for line, name in includes(path)
      if name[1:-1] == "Python.h" and not path.startswith("plugin/")],
     "Python.h is included in the plugin only")
