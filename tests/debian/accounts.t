#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Redis's calls have the shares of its CPU time that they have by an account of its own.

The library account.c is preloaded and looks at the clock around each call.  `perf record' is compared with the account in
other seconds of the same run: both use the kernel's clock of the thread, which cannot ring everywhere.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

import attached  # noqa: E402
import servers  # noqa: E402
from session import engines, lacking, ok, plan, rows, skip, skip_all  # noqa: E402

RATE = 997
SECONDS = 15
CALLS = "read", "write", "epoll_wait"
POINTS = 8  # so far from the account they may be, or
BEYOND = 8  # by so much further than by perf record, if that is more

HERE = os.path.dirname(os.path.abspath(__file__))


def plain(name):
    """The name of a function of which NAME is an alias."""
    return re.sub(r"^(__GI_|__libc_|__vdso_|_{2,})+", "", name)


class Account(servers.Redis):
    """Redis with an account."""

    def begin(self):
        self.library, self.file = self.at("account.so"), self.at("account")
        subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", self.library,
                        os.path.join(HERE, "account.c")], check=True)
        super().begin()

    def start(self, *command, **options):
        if command[0] == "redis-server":
            command = ("env", "LD_PRELOAD=" + self.library, "ACCOUNT=" + self.file, *command)
        return super().start(*command, **options)

    def sums(self):
        """What a look at the clock costs, in ns, and how often there was one, and ns, of other work and of each of CALLS."""
        with open(self.file, "rb") as file:
            cost, *sums = struct.unpack("9Q", file.read(72))
        return cost / 1000, list(zip(sums[::2], sums[1::2]))


class Window:
    """Some seconds of SERVER, and what each of CALLS had by its account."""

    def __init__(self, server):
        self.server, self.before = server, server.sums()[1]
        time.sleep(SECONDS)

    def shares(self):
        cost, after = self.server.sums()
        spent = [ns - ns_before - cost * (times - times_before)
                 for (times, ns), (times_before, ns_before) in zip(after, self.before)]
        return {name: 100 * one / sum(spent) for name, one in zip(CALLS, spent[1:])}


def without_clock(found):
    """The shares FOUND, of all that is no look at the clock."""
    clock = found.pop("clock_gettime", 0)
    return {name: found.get(name, 0) * 100 / max(100 - clock, 1) for name in CALLS}


def by_gdbprof(server, engine):
    """What the account and gdbprof say."""
    account, _, (told, functions, _) = attached.let_run(
        server, [], "prof-start --rate=%d --engine=%s" % (RATE, engine), lambda gdb: in_window(server, gdb),
        "prof-stop", "prof-functions --metric=cpu --inline=off --limit=0 --format=csv", "detach")
    found = {}
    for row in rows(functions):
        found[plain(row["name"])] = found.get(plain(row["name"]), 0) + float(row["exclusive_percent"] or 0)
    return account, without_clock(found), told


def in_window(server, gdb):
    gdb.say("prof-resume")
    account = Window(server).shares()
    gdb.say("prof-pause")
    return account


def by_perf(server):
    """The same of perf record."""
    data = server.at("perf.data")
    with subprocess.Popen(["perf", "record", "-q", "-e", "task-clock", "-F", str(RATE), "-g", "-p", str(server.pid),
                           "-o", data, "--", "sleep", str(SECONDS + 1)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as peer:
        account = Window(server).shares()
        peer.wait()
    script = subprocess.run(["perf", "script", "-i", data, "--no-inline", "-F", "comm,ip,sym"], text=True, errors="replace",
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    stacks = [re.findall(r"^\s+[0-9a-f]{1,15} (\S+)", stack, re.M) for stack in script.split("\n\n")]
    leaves = [plain(stack[0]) for stack in stacks if stack]
    return account, without_clock({name: 100 * leaves.count(name) / max(len(leaves), 1) for name in set(leaves)}), ""


def table(title, account, found):
    """A line that compares the two."""
    return "%-12s %s" % (title, "  ".join("%s %.1f, %.1f" % (name, account[name], found[name]) for name in CALLS))


def distance(account, found):
    return max(abs(account[name] - found[name]) for name in CALLS)


def check(server):
    """A test of each engine."""
    *known, _ = by_perf(server)
    print("# " + table("perf record", *known))
    for engine in ENGINES:
        account, found, told = by_gdbprof(server, engine)
        ok(distance(account, found) <= max(POINTS, distance(*known) + BEYOND), table(engine, account, found), told)


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
ENGINES = ("perf", "stop")
plan(len(ENGINES))
if missing := servers.Redis.missing() or lacking("cc", "perf"):
    skip(len(ENGINES), "redis", "%s is not installed" % missing)
else:
    attached.run(Account, check)
