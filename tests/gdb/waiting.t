#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ticks.t, perf.t, timers.t and shortwork.t do, with more programs that wait often, and more moments at which GDB is
killed."""

import os

from bursts import check_bursts
from cputimers import survives
from session import be_ordinary, engines, forbid_perf, ok, plan

# Of the engine or the source of ticks, the rate, what a program waits by, and us of work in between.
KERNEL = (("stop", 1000, "poll", 20), ("stop", 1000, "futex", 100), ("stop", 1000, "sleep", 1000),
          ("perf", 2000, "poll", 20), ("perf", 2000, "read", 50), ("perf", 2000, "sleep", 1000))
if "perf" not in engines():
    KERNEL = ()
TIMERS = (("timer", 1000, "poll", 20), ("timer", 1000, "futex", 100), ("timer", 200, "sleep", 1000),
          ("auto", 200, "sleep", 50), ("auto", 1000, "epoll", 100))
# The source, the moments, and the program.
KILLED = (("timer", (1, 3, 5, 7), ("spin",)), ("auto", (1, 2), ("bursts", "1000", "20", "sleep")))

if os.uname().machine != "x86_64":
    TIMERS = KILLED = ()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
plan(2 * len(KERNEL) + 2 * len(TIMERS) + len(KILLED))
for burst in KERNEL:
    check_bursts(*burst)
# Threads have CPU timers where perf events are not permitted.
be_ordinary()
forbid_perf()
for source, rate, kind, span in TIMERS:
    check_bursts("stop", rate, kind, span, "set prof ticks " + source, weight=max(1, rate / 200))
for source, moments, program in KILLED:
    failed = [i for i in moments
              if not survives(i, ["set prof max-stopped 100", "set prof ticks " + source], *program)]
    ok(not failed, "%s: a program whose GDB is killed goes on" % source, failed)
