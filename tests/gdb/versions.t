#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What gdbprof does with a GDB that is older than what the tests are run with."""

from session import Gdb, LOADER, ok, plan

plan(4)


def load(change):
    """What is printed when gdbprof is loaded after the Python CHANGE, and GDB goes on."""
    return "".join(Gdb(load=False).run("python import sys; " + change, "source " + LOADER, "print 42"))


text = load("gdb.VERSION = 'Fedora Linux 9.2-7.fc33'")
ok("needs GDB 10 or later, and this is GDB Fedora Linux 9.2-7.fc33." in text and
   "= 42" in text and "Traceback" not in text, "GDB 9 is too old, in one sentence", text)
text = load("sys.version_info = (3, 8, 10, 'final', 0)")
ok("needs a GDB with Python 3.9 or later, and this one has 3.8." in text and "= 42" in text and
   "Traceback" not in text, "so is Python 3.8", text)
text = load("gdb.VERSION = '10.1-1.7'")
ok("cannot be loaded" not in text and "= 42" in text, "GDB 10 is not", text)
# This GDB may be of those itself.
out = Gdb("heaps").run("python for name in ('free_objfile', 'gdb_exiting'): gdb.events.__dict__.pop(name, None)",
                       "prof-start --engine=stop", "run", "prof-stop")
ok("Recording" in out[1] and " in " in out[3] and "marks." in out[3] and "Error" not in "".join(out),
   "events that GDB 10 does not have yet are no obstacle", "\n".join(out))
