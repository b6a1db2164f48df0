# SPDX-License-Identifier: GPL-3.0-or-later
"""The source tree as the tests of its structure see it."""

import glob
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "gdb"))

from session import BUILD, ok, plan  # noqa: E402, F401: for the tests

CORE = os.path.join(TOP, "core")
LIBRARY = os.path.join(BUILD, "libprof.a")
PLUGIN = os.path.join(BUILD, "_prof.abi3.so")
AGENT = os.path.join(BUILD, "libprofagent.so")
AGENT_OBJECTS = sorted(glob.glob(os.path.join(BUILD, "core", "agent", "*.o")))


def rooms(name="rooms"):
    """The rooms of the core, or of the plugin, the earliest first, as the Makefile has them."""
    found = re.search(r"^%s\s*:=((?:.*\\\n)*.*)$" % name, read("Makefile"), re.M)
    return found.group(1).replace("\\", "").split()


def files(*folders, ends=(".c", ".h")):
    """The paths, relative to the top, of the files below FOLDERS that end so."""
    found = []
    for folder in folders:
        for path, folders_there, names in os.walk(os.path.join(TOP, folder)):
            folders_there[:] = [name for name in folders_there if name != "__pycache__"]
            found += [os.path.relpath(os.path.join(path, name), TOP)
                      for name in names if name.endswith(ends)]
    return sorted(found)


def read(path):
    """The text of the file PATH, relative to the top."""
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def includes(path):
    """What the file PATH includes: (line number, the name in its quotes or brackets) each."""
    lines = enumerate(read(path).splitlines(), 1)
    found = ((number, re.match(r'\s*#\s*include\s*([<"].*[>"])', line)) for number, line in lines)
    return [(number, match.group(1)) for number, match in found if match]


def output(*command):
    """What COMMAND prints; it must succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def none(wrong, name):
    """Say whether nothing is WRONG, a list of what is."""
    return ok(not wrong, name, "\n".join(str(item) for item in wrong))
