#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known once is written once."""

import re

from tree import files, none, plan, read

# What is known, the text that says it, and the files that may: the one that has it, and those that mean another thing.
KNOWN = [
    ("the ns of a second", r"\b1e9\b|\b10{9}\b", {
        "core/base/time_unit.h",
        "core/agent/sync.c", "core/agent/system.c",  # the agent has nothing of the core
        "core/sampling/perf_event.c",  # events
        "core/view/gnu_flat.c", "core/view/gprof_flat.c",  # units that a column may have
        "plugin/option/settings.c",  # the largest interval of a setting
    }),
]

plan(len(KNOWN))
for what, text, places in KNOWN:
    none(["%s:%d" % (path, number)
          for path in files("core", "plugin", "shell") if path not in places
          for number, line in enumerate(read(path).splitlines(), 1) if re.search(text, line)],
         what + " stand in one place")
