#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits for locks are traced: how many, how long, for what, by whom, and who had it."""

import os
import re

from session import TOP, Gdb, again, ok, plan, rows

VIEW = "prof-functions --format=csv --metric=i.sync-events,i.sync-wait"
HELD = 0.04  # s that one waits for the lock, at the least

plan(14 + 3)


def table(text):
    """Events and seconds of each function of the csv TEXT, inclusively."""
    return {row["name"]: (int(row["sync-events_inclusive"]), float(row["sync-wait_inclusive"]))
            for row in rows(text)}


# Every call counts, whether or not it had to wait.
out = Gdb("mt").run("prof-start --sync=all", "run", "prof-stop", VIEW, "prof-locks",
                    "prof-locks --format=csv", "prof-functions --metric=allocs")
found = table(out[3])
ok("done" in out[1] and "exited normally" in out[1], "the program runs to its end", out[1])
ok(found.get("critical", (0,))[0] == 10, "critical() has locked ten times", out[3])
ok(found.get("main", (0,))[0] == 2, "and main() has joined two threads", out[3])
locks = [row for row in rows(out[5]) if row["object"] == "lock"]
ok(sum(int(row["sync_events"]) for row in locks) == 10, "all ten are of the lock, by its name",
   out[5])
ok(re.search(r"\d\.\d{6} +10 +\d\.\d{6} +lock \(0x", out[4]), "as prof-locks shows", out[4])
ok("may be low" not in out[4] and "All values" in out[6], "no other metric has any of it",
   out[4] + out[6])

# What a thread has waited by its own clock.
out = Gdb("contended").run("prof-start --sync", "run", "prof-stop", VIEW, "prof-locks",
                       "prof-locks --format=csv", "prof-start --sync=1000000", "run", "prof-stop",
                       VIEW, "prof-status")
found = table(out[3])
waited = int(re.search(r"waited (\d+) ns", out[1]).group(1)) / 1e9
events, seconds = found.get("wait_for_it", (0, 0))
ok(events == 10, "it has waited ten times", out[3])
# It may lose its CPU between a look at its clock and the call.
ok(0.95 * waited - 0.05 < seconds <= waited + 1e-5, "for as long as it says", "%s of %s" % (seconds, waited))
locks = [row for row in rows(out[5]) if row["object"] == "contended"]
held = [row for row in locks if row["holder_id"] and row["holder_id"] != row["thread_id"]]
ok(sum(int(row["sync_events"]) for row in held) >= 10 and sum(float(row["sync_wait"]) for row in held) >= 10 * HELD,
   "while the other thread held the lock", out[5])
ok(all(float(row["longest"]) <= float(row["sync_wait"]) + 1e-9 for row in rows(out[5])) and
   any(HELD <= float(row["longest"]) <= float(row["sync_wait"]) - HELD * (int(row["sync_events"]) - 1) + 1e-5
       for row in held),
   "the longest wait is one of them", out[5])
ok(re.search(r"Waits of \d+(\.\d+)? [num]s and less were not recorded: the count of sync delay events may "
             r"be low\.", out[4]), "the heading says that counts may be low, and why", out[4])
# A threshold of a second is more than any of them.
ok("wait_for_it" not in table(out[9]), "waits below the threshold are no events", out[9])
ok("Waits of 1 s and less" in out[10], "which is said", out[10])

# Whoever has an event first, all who wait or are waited for have their names.
out = Gdb("owner").run(
    "prof-start --engine=none --sync=all", "run", "prof-stop", "prof-locks --format=csv")
locks = [row for row in rows(out[3]) if row["object"] == "lock"]
ok([(row["thread"], row["holder"]) for row in locks if row["holder_id"]] == [
    ("owner", "keeper")] and all(row["thread"] for row in rows(out[3])),
   "the holder of a lock has a name, and who waits", out[3])

# Locks in variables are expressions, and both threads have places.
with open(os.path.join(TOP, "tests", "programs", "accounts.c"), encoding="utf-8") as file:
    lines = {mark: str(i) for i, line in enumerate(file, 1) for mark in ("pay", "draw") if "/* %s */" % mark in line}
out = again(lambda: Gdb("accounts").run("set width 80", "prof-start --engine=none --sync", "run", "prof-stop", "prof-locks --format=csv",
                                        "prof-locks")[4:],
            lambda out: len({row["function"] for row in rows(out[0]) if row["object"] == "accounts[1].lock"}) == 2)
locks = [row for row in rows(out[0]) if row["object"].startswith("accounts")]
ok({row["object"] for row in locks} == {"accounts[1].lock", "accounts[2].lock"}, "a lock in a variable is an expression", out[0])
ok(all(row["line"] == lines[row["function"]] and row["file"].endswith("accounts.c") for row in locks) and
   any((row["function"], row["holder_function"], row["holder_line"]) == ("pay", "draw", lines["draw"]) for row in locks),
   "each thread has its place", out[0])
ok(re.search(r"waited for \d+ .*\n +waits in pay at accounts\.c:%s\n +taken in draw at accounts\.c:%s$" % (
    lines["pay"], lines["draw"]), out[1], re.M) and not [line for line in out[1].splitlines() if len(line) > 80],
   "text has them below the threads", out[1])
