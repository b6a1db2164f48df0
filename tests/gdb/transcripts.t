#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling is not seen: the sessions of transcript.t with the other engines."""

from transcripts import check_all

check_all((
    ("masked threads", "turns", "turns.gdb", "stop", ""),
    ("other commands", "session", "commands.gdb", "timer catch perf", ""),
    ("C++", "shapes", "shapes.gdb", "timer catch perf", ""),
    ("counted calls", "session", "session.gdb", "timer catch perf", "session.c:*"),
))
