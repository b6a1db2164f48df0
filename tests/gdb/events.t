#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Traced events are found by time, and all that is recorded has the number of its CPU."""

import json
import os
import re
import subprocess
import tempfile

from session import Gdb, ok, plan, rows

SOURCE = """
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
__attribute__((noinline)) static void grab(void) { kept = malloc(100); }
int main(void)
{
	for (int part = 0; part < 2; part++, usleep(500000))
		for (int i = 0; i < 300 + 400 * part; i++)
			grab();
	for (volatile long i = 0; i < 300000000; i++)
		;
	return 0;
}
"""


def grabs(text):
    """What grab() has in TEXT."""
    return sum(float(row["inclusive"]) for row in rows(text) if row["name"] == "grab")


def between(samples):
    """A time in ns within the longest gap between the traced events of SAMPLES."""
    cells = sorted((one["time"], one["last"]) for one in samples)
    gaps = [(after[0] - max(cell[1] for cell in cells[:i + 1]), after[0]) for i, after in enumerate(cells[1:])]
    length, end = max(gaps)
    return end - length // 2


plan(6)
with tempfile.TemporaryDirectory() as folder:
    exe, saved, dump = (os.path.join(folder, name) for name in ("parts", "parts.prof", "parts.json"))
    subprocess.run(["cc", "-g", "-O1", "-x", "c", "-", "-o", exe], input=SOURCE.encode(), check=True)
    Gdb(exe).run("prof-start --heap --rate=200 --output=" + saved, "run", "prof-stop")
    Gdb().run("prof-load " + saved, "prof-export --format=json " + dump)
    with open(dump, encoding="ascii") as file:
        samples = json.load(file)["samples"]
    traced = [one for one in samples if "allocations" in one]
    middle = between(traced)
    out = Gdb().run("prof-load " + saved, *(
        "prof-functions --metric=allocs --format=csv --limit=0" + condition
        for condition in ("", " --time=0s-%.9fs" % (middle / 1e9), " --time=%.9fs-" % (middle / 1e9))))
ok([grabs(text) for text in out[1:]] == [1000, 300, 700], "a filter by time parts the events of one stack",
   "%s\n%s" % (middle, "\n".join(out)))
ok(all(one["last"] >= one["time"] for one in traced), "events have the time of the first and the last", traced[:5])
ok(all(one["last"] - one["time"] < 100000000 for one in traced), "which are near to each other", traced[:5])
# Those that there may be: some may be off.
with open("/sys/devices/system/cpu/possible", encoding="ascii") as file:
    cpus = int(re.findall(r"\d+", file.read())[-1]) + 1
sampled = [one for one in samples if one.get("samples")]
ok(sampled and all(0 <= one.get("cpu", -1) < cpus for one in sampled), "samples have a CPU", sampled[:5])
numbered = "rdtscp" in open("/proc/cpuinfo", encoding="utf-8").read()
ok(traced and all(("cpu" in one) == numbered and 0 <= one.get("cpu", 0) < cpus for one in traced),
   "so have traced events, where the CPU tells it", traced[:5])
ok(sum(one["allocations"] for one in traced) >= 1000, "none is lost", len(traced))
