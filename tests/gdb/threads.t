#!/usr/bin/python3
"""All threads that are on a CPU are sampled, the time of all is counted, and sleepers sleep on."""

import re

from session import Gdb, near, ok, plan, rows

plan(11)
out = Gdb("threads", ["6000"]).run(
    "set prof max-stopped 100", "prof-start --rate=1000", "run", "prof-stop",
    "prof-functions --format=csv", "prof-functions --format=csv --metric=cpu",
    "prof-functions --format=csv --metric=wall", "prof-functions --format=csv --metric=other")
printed = dict(re.findall(r"(cpu|slept|interrupted) ([0-9. ]+)", out[2]))
slept = [float(word) for word in printed.get("slept", "0 0").split()]


def table(text):
    """The inclusive metric of each name in TEXT; there are two functions called _start."""
    found = {}
    for row in rows(text):
        found[row["name"]] = found.get(row["name"], 0) + float(row["inclusive"])
    return found


samples, cpu, wall, other = (table(text) for text in out[4:8])
total = samples.get("<Total>", 0)


def share(found, name, of):
    """What NAME has of OF in the table FOUND, in percent."""
    return 100 * found.get(name, 0) / max(found.get(of, 0), 1e-9)


ok("exited normally" in out[2] and total > 2000, "there are enough samples", out[2] + out[3])
busy = samples.get("both", 0)
ok(near(share(samples, "left", "both"), 70, busy), "left has 70 %", out[4])
ok(near(share(samples, "right", "both"), 30, busy), "right has 30 %", out[4])
# The same work, but a thread may share its core with another.
ok(all(24 < share(cpu, name, "both") < 44 for name in ("first", "second", "third")),
   "each busy thread has about a third of their CPU time", out[5])
ok(all(share(samples, name, "both") > 20 for name in ("first", "second", "third")),
   "and samples of its own", out[4])
ok(all(share(cpu, name, "<Total>") < 15 for name in ("dozer", "poller")),
   "the sleepers have used no CPU time but at the beginning", out[5])
for name, seconds in zip(("dozer", "poller"), slept):
    ok(seconds > 0 and abs(other.get(name, 0) - seconds) < 0.05 * seconds + 0.5,
       "%s has slept in its last known stack for the time that it says" % name,
       "%s of %s s\n%s" % (other.get(name), seconds, out[7]))
ok(all(abs(wall[name] - cpu.get(name, 0) - other.get(name, 0)) < 1e-6 for name in wall) and wall,
   "wall is cpu and other together", out[6])
used = float(printed.get("cpu", 0))
ok(used > 0 and abs(cpu.get("<Total>", 0) - used) < 0.05 * used,
   "the CPU time is what the kernel has accounted", "%s of %s s" % (cpu.get("<Total>"), used))
ok(printed.get("interrupted") == "0", "nanosleep and epoll_wait saw no EINTR", out[2])
