#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling is not seen: a debug session reads the same with it as in a GDB without gdbprof."""

from transcripts import check_all

check_all((
    ("one thread", "session", "session.gdb", "stop timer catch perf", ""),
    ("threads", "turns", "turns.gdb", "stop timer catch perf", ""),
    ("masked", "session", "session.gdb", "stop", ""),
    ("other commands", "session", "commands.gdb", "stop", ""),
    ("C++", "shapes", "shapes.gdb", "stop", ""),
    ("counted calls", "session", "session.gdb", "stop", "session.c:*"),
    ("counted calls in threads", "turns", "turns.gdb", "stop", "turns.c:*"),
    ("counted calls in C++", "shapes", "shapes.gdb", "stop", "shapes.cc:*"),
    ("traced", "session", "session.gdb", "none", ""),
    ("other commands, traced", "session", "commands.gdb", "none", ""),
    ("traced threads", "turns", "turns.gdb", "none", ""),
    ("traced C++", "shapes", "shapes.gdb", "none", ""),
))
