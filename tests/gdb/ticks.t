#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ticks by the kernel's clock of a thread's CPU time: short bursts of work are found where they are."""

import os
import re

from bursts import check_bursts, record
from session import Gdb, engines, forbid_perf, ok, plan, skip_all

# Of the engine, its rate, what a program waits by, and us of work in between; waiting.t has more.
BURSTS = (("stop", 1000, "epoll", 10), ("catch", 200, "read", 50))

LOOKS = "gdbprof ticks the threads that it sees running." if os.uname().machine == "x86_64" else \
    "The CPU time of short work between two waits is partly counted for the waits."
LATE = "The CPU time of short work between two waits is partly counted for the waits."


def test_settings():
    """What ticks come from is a setting."""
    out = Gdb("shares", ["100"]).run(
        "show prof ticks", "set prof ticks kernel", "show prof ticks", "prof-start --engine=stop", "run", "prof-stop",
        "set prof ticks look", "prof-start --engine=stop", "run", "prof-stop")
    ok("is auto." in out[0] and "is kernel." in out[2], "the setting is shown", out[0] + out[2])
    ok("samples in" in out[5] and LATE not in out[5] and "samples in" in out[9] and LATE not in out[9],
       "each source of ticks works, and nothing is said of it", "".join(out))


def test_looks():
    """Looks find less of short bursts than there is: else nobody would need the kernel's clock."""
    told, works = [], []
    for source in ("kernel", "look"):
        _, said, found, _ = record("stop", 1000, "sleep", 20, ("set prof ticks " + source,))
        told.append(said)
        works.append(sum(found.get(name, 0) for name in ("once", "twice", "thrice")))
    ok(works[0] > works[1] + 5, "looks come too late for short bursts", "%s\n%s" % (works, told))


def test_forbidden():
    """The last one: from here on nothing is permitted."""
    forbid_perf()
    out = Gdb("shares", ["300"]).run(
        "set prof ticks kernel", "prof-start --engine=stop", "prof-start --engine=catch", "set prof ticks auto",
        "prof-start --engine=stop", "run", "prof-stop", "prof-start", "prof-status")
    reason = r"forbidden here, as in many containers: the system call perf_event_open must be allowed\."
    refusal = r"^\"prof ticks\" is set to kernel\.  .*" + reason + "  \"set prof ticks auto\" records without that"
    ok(all(re.search(refusal, text, re.M) for text in out[1:3]), "a refusal says what must be permitted", out[1] + out[2])
    ok(LOOKS in out[6] and len(re.findall(reason, out[6])) == 1, "what is done then is said, with the reason", out[6])
    ok(LOOKS in out[8] and len(re.findall(reason, out[8])) == 1, "which is said once", out[8])


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(2 * len(BURSTS) + 2 + 1 + 3)
for burst in BURSTS:
    check_bursts(*burst)
test_settings()
test_looks()
test_forbidden()
