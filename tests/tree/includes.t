#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Data goes one way: a room knows itself and earlier ones, and only the plugin knows Python."""

import os

from tree import CORE, TOP, files, includes, none, plan, read, rooms

plan(12)
order = rooms()
plugin = rooms("plugin_rooms")

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

none([name for name in os.listdir(os.path.join(TOP, "plugin")) if name not in plugin],
     "every folder of the plugin is a room of the Makefile")

wrong = []
for path in files(*("plugin/" + room for room in plugin)):
    earlier = plugin[:plugin.index(path.split("/")[1]) + 1]
    for line, name in includes(path):
        if name.startswith('"plugin/') and name.split("/")[1] not in earlier:
            wrong.append("%s:%d includes %s" % (path, line, name))
none(wrong, "a file of the plugin includes only its own and earlier rooms of it")

none(["%s:%d includes %s" % (path, line, name) for path in files("plugin/interpose")
      for line, name in includes(path) if name[1:-1] == "Python.h" or name.startswith('"plugin/gdb/')],
     "what stands in for functions that GDB calls needs neither GDB nor Python")

none(["%s:%d" % (path, number) for path in files("plugin") if not path.startswith("plugin/gdb/")
      for number, line in enumerate(read(path).splitlines(), 1)
      if "host_gdb(" in line or ("PyObject_Call" in line and '"strip"' not in line)],
     "only plugin/gdb calls functions and types of GDB's Python module, and methods of its objects")

none(["%s:%d" % (path, line) for path in files("core", "plugin", "tests", "examples")
      for line, name in includes(path)
      if name[1:-1] == "Python.h" and not path.startswith("plugin/")],
     "Python.h is included in the plugin only")

none(["%s:%d includes %s" % (path, line, name) for path in files("plugin", ends=".h") for line, name in includes(path)
      if name[1:-1] in ("Python.h", "plugin/gdb/python.h") and path != "plugin/gdb/python.h"],
     "no header has all that include it read Python.h: plugin/gdb/python_object.h has the names")

none(["%s:%d includes %s" % (path, line, name) for path in files("shell") for line, name in includes(path)
      if name == "<Python.h>" or (name.startswith('"') and name[1:-1].split("/")[0] not in order + ["shell"])],
     "the shell command knows the core only")
