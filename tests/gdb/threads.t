#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""All threads that are on a CPU are sampled, the time of all is counted, and sleepers sleep on."""

import os
import re
import tempfile

from session import Gdb, due, grown, near, ok, plan, rows

STATES = ("user", "system", "runqueue", "lock", "fault", "other")

ENOUGH = 2000  # samples

def table(text):
    """The inclusive metric of each name in TEXT; there are two functions called _start."""
    found = {}
    for row in rows(text):
        found[row["name"]] = found.get(row["name"], 0) + float(row["inclusive"])
    return found


plan(15)
out = grown(lambda rounds: Gdb("threads", [str(rounds)]).run(
    "set prof max-stopped 100", "prof-start --rate=1000", "run", "prof-stop",
    "prof-functions --format=csv", "prof-functions --format=csv --metric=cpu",
    *("prof-functions --format=csv --metric=" + metric for metric in STATES + ("wall",)),
    "prof-threads --format=csv"),
            lambda out: table(out[4]).get("<Total>", 0) > ENOUGH, 1000)
printed = dict(re.findall(r"(cpu|used|slept|interrupted) ([0-9. ]+)", out[2]))
used = [float(word) for word in printed.get("used", "0 0 0").split()]
slept = [float(word) for word in printed.get("slept", "0 0").split()]
samples, cpu = table(out[4]), table(out[5])
states = {state: table(text) for state, text in zip(STATES, out[6:])}
wall = table(out[6 + len(STATES)])
other = states["other"]
total = samples.get("<Total>", 0)


def share(found, name, of):
    """What NAME has of OF in the table FOUND, in percent."""
    return 100 * found.get(name, 0) / max(found.get(of, 0), 1e-9)


ok("exited normally" in out[2] and total > ENOUGH, "there are enough samples", out[2] + out[3])
busy = samples.get("both", 0)
ok(near(share(samples, "left", "both"), 70, busy), "left has 70 %", out[4])
ok(near(share(samples, "right", "both"), 30, busy), "right has 30 %", out[4])
# The same work takes longer where a thread shares its core with another, or its host takes it away.
own = {name: 100 * time / max(sum(used), 1e-9) for name, time in zip(("first", "second", "third"), used)}
ok(all(abs(share(cpu, name, "both") - own[name]) < 2 for name in own),
   "each busy thread has its part of their CPU time", "%s\n%s" % (own, out[5]))
ok(all(share(samples, name, "both") > 0.6 * own[name] > 0 for name in own), "and samples of its own",
   "%s\n%s" % (own, out[4]))
ok(all(share(cpu, name, "<Total>") < 15 for name in ("dozer", "poller")),
   "the sleepers have used no CPU time but at the beginning", out[5])
for name, seconds in zip(("dozer", "poller"), slept):
    found = other.get(name, 0) + states["runqueue"].get(name, 0)
    ok(seconds > 0 and abs(found - seconds) < 0.05 * seconds + 0.5,
       "%s has slept, and waited to wake up, for the time that it says" % name,
       "%s of %s s\n%s" % (found, seconds, out[7]))
ok(all(abs(wall[name] - sum(found.get(name, 0) for found in states.values())) < 1e-6
       for name in wall) and wall, "wall is the sum of all states", out[6])
ok(all(abs(cpu[name] - states["user"].get(name, 0) - states["system"].get(name, 0)) < 1e-6
       for name in cpu), "cpu is user and system together", out[5])
# Threads that wait for a CPU are no samples.
used = cpu.get("<Total>", 0)
least, most = due(out[3], 0.7 * used, 1.1 * used)
ok(least < total < most,
   "there are as many samples as CPU time", "%s, not %s to %s\n%s" % (total, least, most, out[3]))
used = float(printed.get("cpu", 0))
ok(used > 0 and abs(cpu.get("<Total>", 0) - used) < 0.05 * used,
   "the CPU time is what the kernel has accounted", "%s of %s s" % (cpu.get("<Total>"), used))
ok(printed.get("interrupted") == "0", "nanosleep and epoll_wait saw no EINTR", out[2])

# They take their names after they were seen first.
names = sorted(row["name"] for row in rows(out[-1]))
ok(names == sorted("threads first second third dozer poller <Total>".split()),
   "each thread is one, of the name that it has last", out[-1])
with tempfile.TemporaryDirectory() as directory:
    path = os.path.join(directory, "threads.prof")
    printed = Gdb("threads", ["300"]).run(
        "prof-start --output=" + path, "break wake_up", "run", "continue", "continue", "prof-stop")
    loaded = Gdb().run("prof-load " + path, "prof-threads --format=csv")
ok(sorted(row["name"] for row in rows(loaded[1])) == names, "so it is in the file",
   "\n".join(printed) + loaded[1])
