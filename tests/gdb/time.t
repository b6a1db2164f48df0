#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CPU time found is the kernel's, and the price of it is told."""

import os
import re
import tempfile

from headings import heading
from session import Gdb, again, grown, ok, plan, rows, total

# By the kernel's account the CPU time of the program until now, in ns, and that of GDB's children that have ended.
PLACE = tempfile.TemporaryDirectory()
WRITTEN = os.path.join(PLACE.name, "view.txt")
BEFORE = "python print(open('/proc/%d/schedstat' % gdb.selected_inferior().pid).read().split()[0])"
ENDED = "python import resource; print(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]))"

plan(16)
# Most threads of churn end before the first tick; what one does as it ends is not seen.  What the host of
# a virtual machine takes away is in the clock of perf events, and found out at the kernel's next tick.
for exe, args, rates, error, options in (
        ("phases", ["1250"], (100, 1000), 0.01, ""), ("threads", ["150"], (100, 1000), 0.02, ""),
        ("deep", ["20", "40000"], (100, 1000), 0.01, ""), ("churn", ["1000"], (10, 100, 1000), 0.05, ""),
        ("churn", ["1000"], (10, 100), 0.05, " --engine=catch")):
    for rate in rates:
        out = Gdb(exe, args).run(
            "set prof max-stopped 100", ENDED, "starti", BEFORE, "prof-start --rate=%d%s" % (rate, options),
            "continue", ENDED, "prof-stop", "prof-functions --format=csv --metric=cpu")[1:]
        found = {row["name"]: float(row["inclusive"]) for row in rows(out[7])}.get("<Total>", 0)
        # What GDB's child and a shell use before is some ms where the machine is busy.
        used = float(out[5]) - float(out[0]) - int(out[2]) / 1e9
        ok(used > 0.1 and abs(found - used) < error * used,
           "%s at %d Hz%s: the CPU time is what the kernel accounts" % (exe, rate, options),
           "%s of %s s\n%s" % (found, used, out[6]))

# What GDB waits for a CPU while a thread stands in a tick's stop counts as stopped, as far as the thread
# would have had a CPU.
out = grown(lambda units: Gdb("threads", [str(units)]).run(
    "prof-start --rate=20000 --engine=stop", "tbreak main", "run", "continue", "prof-status", "prof-stop",
    "prof-functions --format=text --output=%s" % WRITTEN, "shell cat %s" % WRITTEN), lambda out: heading(out[5])[2] < 40, 300)
asked, reached, kept = heading(out[5])
# Where threads wait for a CPU for long, that many stops cost no more than they may.
ok(asked == 20000 and 0 < reached < 1.01 * asked and (
    reached < 0.95 * asked or "rate was lowered" in out[5] or kept < 10),
   "a rate that is too high is not reached", out[5])
ok(re.search(r"lowered|down", out[4] + out[5]) is not None or kept < 10,
   "it was lowered, and is said, if it cost too much", out[5])
ok(0 < kept < 40, "so that the program gets on", out[5])
ok("Hz asked for" in out[7], "the views in files say it too", out[7][:500])

# GDB is busy with the beginning of each thread while that works, and listens to no ticks then.
def sampled(out):
    """The parts of the CPU time at 1000 Hz that have samples, at least and at most: some ticks may be lost."""
    lost = re.search(r"(\d+) of \d+ ticks lost", out[3])
    used = 1000 * float(re.search(r"cpu ([0-9.]+)", out[2])[1])
    return total(out[4]) / used, (total(out[4]) + int(lost[1])) / used


out = again(lambda: Gdb("churn", ["1000"]).run(
    "set prof max-stopped 100", "prof-start --rate=1000 --engine=stop", "run", "prof-stop", "prof-functions --format=csv"),
    lambda out: sampled(out)[0] < 1.1 and sampled(out)[1] > 0.9)
least, most = sampled(out)
ok(least < 1.2 and most > 0.8, "threads that live for less than a period have their samples",
   "%s to %s\n%s" % (least, most, "\n".join(out)))
