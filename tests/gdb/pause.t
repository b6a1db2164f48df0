#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pauses, by commands, by a signal and by the program: nothing is sampled until the recording goes on."""

import os
import re
import tempfile

from marks import LIST, QUIET, functions, labels
from session import Gdb, again, missed, ok, plan, rows

PLACE = tempfile.TemporaryDirectory()
WRITTEN = os.path.join(PLACE.name, "view.txt")
SEND = "python import os, signal; os.kill(gdb.selected_inferior().pid, signal.SIGUSR1)"


def test_pause_signal():
    """A signal that pauses and resumes, and is not delivered."""
    out = again(lambda: Gdb("marks").run(
        *QUIET, "info signals SIGUSR1", "break one", "break two", "prof-start --pause-signal=USR1 --rate=500",
        "run", SEND, "continue", SEND, "continue", "prof-stop", LIST, "prof-functions --format=csv",
        "info signals SIGUSR1")[2:], lambda out: "two" in functions(out[11]))
    found = labels(out[10])
    ok(found[:4] == ["start", "pause (SIGUSR1)", "resume (SIGUSR1)", "phase-2"] and
       "exited normally" in out[8], "a signal pauses and resumes", out[10])
    ok("two" in functions(out[11]) and "one" not in functions(out[11]), "nothing is sampled between", out[11])
    ok(out[12] == out[0], "and it is handled as before afterwards", out[12])
    out = Gdb("marks").run(
        *QUIET, "break two", "prof-start --paused --pause-signal=SIGUSR1 --mark-signal=SIGUSR2 --rate=500",
        "run", "prof-status", SEND, "continue", "prof-stop", LIST, "prof-functions --format=csv")[2:]
    found = labels(out[7])
    ok(found[:4] == ["start", "pause", "resume (SIGUSR1)", "phase-2"] and found.count("SIGUSR2") == 1 and
       "paused" in out[1] and "paused" in out[3] and "one" not in functions(out[8]),
       "a recording can begin paused", out)


def test_mutes():
    """A thread pauses its own recording, and the program ends it."""
    out = again(lambda: Gdb("mutes").run(
        "set prof mark-stops off", "prof-start --rate=500", "run", "prof-status", "prof-stop", LIST,
        "prof-functions --metric=cpu --format=csv", "maint info breakpoints",
        "python gdb.execute('prof-functions --limit=1 --output=%s'); print(open('%s').read())" % (WRITTEN, WRITTEN),
        "prof-start", "run", "prof-functions --format=csv --metric=cpu"),
                lambda out: missed(out[8], 0.9) < 0.1 and "shown" in out[11])
    found, lost = labels(out[5]), missed(out[8], 0.9)
    names = {row["name"]: float(row["inclusive"]) for row in rows(out[6])}
    used = {name: float(time) for name, time in re.findall(r"(shown|hidden|other) ([0-9.]+)", out[2])}

    def near(name, seconds):
        return abs(names.get(name, 0) - seconds) < 0.05 + lost

    ok(found[:4] == ["start", "thread pause (program)", "thread resume (program)", "end (program)"],
       "its marks say so", out[5])
    ok(used and near("hidden", 0) and near("shown", used["shown"]) and near("other", used["other"]),
       "a thread that has paused is not sampled until it resumes", out[2] + out[6])
    ok("exited normally" in out[2] and "gdbprof_end()" in out[3] and found[-1] == "end" and
       near("late", 0), "and no recording goes on that the program has ended", out[2:7])
    ok("gdbprof" not in out[7] and "shown" in out[11], "the next one begins anew", out[7:])


def test_command():
    """A pause by prof-pause, which the program runs through."""
    out = again(lambda: Gdb("marks").run(
        *QUIET, "break two", "break unseen", "prof-start --rate=500", "run", "prof-pause", "prof-pause", "continue",
        "prof-stop", LIST, "prof-functions --format=csv")[4:], lambda out: "one" in functions(out[7]))
    ok("is paused:" in out[2] and "paused already" in out[3], "prof-pause twice is once", out[2:4])
    ok(labels(out[6])[:3] == ["start", "phase-1", "pause"] and functions(out[7]) == {"one"},
       "what runs while it is paused is not sampled", out[6] + out[7])


plan(4 + 4 + 2)
test_pause_signal()
test_mutes()
test_command()
