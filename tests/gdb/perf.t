#!/usr/bin/python3
"""The engine perf: short bursts of work are found where they are, and what the kernel forbids is said."""

import ctypes
import os
import re
import struct

from session import Gdb, engines, near, ok, plan, rows, skip_all, total

# Of what a program waits by, and us of work in between.
BURSTS = (("epoll", 10), ("poll", 20), ("read", 50), ("futex", 100), ("sleep", 1000))
RATE = 2000

# struct sock_filter: perf_event_open() fails with EPERM, all else is allowed.
NUMBERS = {"x86_64": 298, "aarch64": 241}
FILTER = ((0x20, 0, 0, 0), (0x15, 0, 1, NUMBERS.get(os.uname().machine, 0)),
          (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000))
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2


def forbid():
    """Have perf_event_open() refused to this process and to all that it starts."""
    code = b"".join(struct.pack("=HBBI", *line) for line in FILTER)
    memory = ctypes.create_string_buffer(code)
    program = struct.pack("@HP", len(FILTER), ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program):
        raise OSError(ctypes.get_errno(), "no filter")


def shares(text):
    """The shares that functions have of the CPU time in TEXT, in percent, by their names."""
    return {row["name"]: float(row["inclusive_percent"]) for row in rows(text)}


def test_bursts(kind, span):
    """What a program says of its own CPU time is what is found."""
    out = Gdb("bursts", ["1", str(span), kind]).run(
        "prof-start --engine=perf --rate=%d" % RATE, "run", "prof-stop",
        "prof-functions --format=csv --metric=cpu", "prof-functions --format=csv")
    said = re.search(r"all ([0-9.]+) once ([0-9.]+) twice ([0-9.]+) thrice ([0-9.]+)", out[1])
    said = [float(number) for number in said.groups()] if said else [1, 0, 0, 0]
    found, samples = shares(out[3]), total(out[4])
    wrong = {}
    for name, own in zip(("once", "twice", "thrice"), said[1:]):
        # What came before its work began is not in its account.
        share = 100 * own / said[0] * found.get("serve", 0) / 100
        distance = abs(found.get(name, 0) - share)
        if distance > 3 and not near(found.get(name, 0), share, samples):
            wrong[name] = (found.get(name), share)
    ok(samples > RATE / 2 and not wrong, "work of %d us between calls of %s" % (span, kind),
       "%s\n%s%s%s" % (wrong, out[1], out[2], out[3]))


def test_deep():
    """More is copied where stacks are found to be deeper."""
    out = Gdb("deep", ["300", "30000"]).run(
        "prof-start --engine=perf --rate=1000", "run", "prof-stop", "prof-functions --format=csv")
    found = shares(out[3])
    ok(total(out[3]) > 300 and found.get("main", 0) > 80, "deep stacks are whole before long", out[3])


def test_forbidden():
    """The last one: from here on nothing is permitted."""
    forbid()
    out = Gdb("shares", ["300"]).run("prof-start --engine=perf", "prof-start", "run", "prof-stop")
    ok(re.search(r"perf_event_paranoid is \d+, and must be 2 or less\.|"
                 r"forbidden here, as in many containers: .*\.", out[0]),
       "a refusal says what must be permitted", out[0])
    ok("with the engine stop" in out[1] and "samples in" in out[3], "another engine works", out[1] + out[3])


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(len(BURSTS) + 1 + 2)
for burst in BURSTS:
    test_bursts(*burst)
test_deep()
test_forbidden()
