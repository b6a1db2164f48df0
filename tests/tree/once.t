#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known once is written once."""

import collections
import os
import re

from tree import files, none, plan, read

# What is known, the text that says it, and the files that may: the one that has it, and those that mean another thing.
KNOWN = [
    ("the ns of a second", r"\b1e9\b|\b10{9}\b", {
        "core/base/time_unit.h",
        "core/agent/sync.c", "core/agent/system.c",  # the agent has nothing of the core
        "core/sampling/perf_event.c",  # events
        "core/view/gnu_flat.c", "core/view/gprof_flat.c",  # units that a column may have
        "plugin/option/amount.c",  # the largest interval of stacks to verify
        "plugin/option/mpi_settings.c",  # flushes
    }),
]

def sentences(path):
    """The strings in the file PATH that are sentences, or a part of one that ends it, each as one literal."""
    text = re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)
    for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        literal = re.sub(r'"\s*"', "", found.group(0))
        if len(literal) >= 25 and re.search(r'\.(\\n)?"$', literal):
            yield literal


plan(len(KNOWN) + 3)
for what, text, places in KNOWN:
    none(["%s:%d" % (path, number)
          for path in files("core", "plugin", "shell") if path not in places
          for number, line in enumerate(read(path).splitlines(), 1) if re.search(text, line)],
         what + " stand in one place")

where = {}
for path in files("core", "plugin", "shell"):
    for sentence in sentences(path):
        where.setdefault(sentence, set()).add(path)
none(["%s is in %s" % (sentence, ", ".join(sorted(paths))) for sentence, paths in where.items() if len(paths) > 1],
     "no sentence is in two files")

# A file that needs both of two headers could not include them.
types = collections.Counter(name for path in files("core", "plugin", "shell", ends=(".h",))
                            for name in re.findall(r"^(?:struct|enum|union) \w+(?= \{)", read(path), re.M))
none([name for name, count in types.items() if count > 1], "no two headers define a type of one name")

# Scripts of tests/debian and tests/tree import modules of tests/gdb too: by its name each finds one file.
modules = collections.Counter(os.path.basename(path) for path in files("tests", ends=(".py",)) if path.count("/") == 2)
none([name for name, count in modules.items() if count > 1], "no two modules of tests have one name")
