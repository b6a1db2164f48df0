# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs under GDB: all runs of one in one GDB, interleaved, so that what else goes on is shared."""

import json
import os
import re
import subprocess
import tempfile

from common import LOADER, LONGEST, TOP, environment, fail, took

INSIDE = os.path.join(TOP, "tests", "bench", "inside.py")


def plain(name):
    """A way to run: under GDB, not sampled."""
    return [name, [], []]


def sampled(name, rate, most=100, options="--engine=stop"):
    """A way to run: sampled at RATE, kept stopped for MOST percent of the time at most."""
    return [name, ["set prof max-stopped %d" % most,
                   "prof-start %s --rate=%d" % (options, rate)], ["prof-stop"]]


class Run:
    """What one run came to."""

    def __init__(self, told):
        self.text = told["printed"]
        self.seconds, self.own = took(self.text + told["said"])
        self.cpu = told["cpu"] / told["lasted"]  # of GDB, of one CPU
        self.samples = self.lost = 0
        found = re.search(r"(\d+) samples in", told["told"])
        if told["told"]:
            self.samples = int(found.group(1)) if found else 0
            if not self.samples:
                fail("The program was not sampled:", told["said"] + told["told"])
            found = re.search(r"ticks lost \(([\d.]+) %\)", told["told"])
            self.lost = float(found.group(1)) if found else 0


def session(work, ways, rounds):
    """{name: [a Run for each round]} of WORK, a command, run in each of WAYS."""
    with tempfile.TemporaryDirectory() as folder:
        plan = {"arguments": " ".join(work[1:]), "rounds": rounds, "ways": ways, "load": LOADER,
                "output": os.path.join(folder, "output"), "result": os.path.join(folder, "result")}
        path = os.path.join(folder, "plan")
        with open(path, "w") as file:
            json.dump(plan, file)
        done = subprocess.run(
            ["gdb", "-nx", "-batch", "-iex", "set width 0", "-x", INSIDE, work[0]],
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=dict(environment(), BENCH_PLAN=path), timeout=LONGEST)
        with open(plan["result"]) as file:
            told = [json.loads(line) for line in file]
    if len(told) != rounds * len(ways):
        fail("GDB has not run all that it should:", done.stdout[-4000:])
    runs = {}
    for one in told:
        runs.setdefault(one["way"], []).append(Run(one))
    return runs
