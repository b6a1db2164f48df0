#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Some thousand samples of a program that makes threads and children, and loads libraries."""

import re
import tempfile

from storm import Storm

from session import Gdb, engines, ok, plan, skip


def churn(engine):
    """Of 5,000 threads that live for a moment, one after the other: how many were seen, and what was said."""
    out = Gdb("churn", ["5000"]).run("set prof max-stopped 100", "set print thread-events off",
                                     "prof-start --rate=20000 --engine=" + engine, "run", "prof-stop")
    threads = re.search(r"(\d+) threads", out[4])
    return int(threads[1]) if "exited normally" in out[3] and threads else 0, "\n".join(out)


def test_perf():
    """The same where the kernel takes the samples."""
    with tempfile.TemporaryDirectory() as folder:
        sampled = Storm(4000, 60000, folder, engine="perf")
    ok(sampled.stops >= 4000, "the kernel samples it often enough", sampled.text[-5000:])
    ok(not sampled.wrong, "nothing goes wrong then", "\n".join(sampled.wrong) + "\n--\n" + sampled.text[-5000:])
    seen, said = churn("perf")
    ok(seen > 4000, "threads that live for a moment, sampled by the kernel", said)


plan(10)
with tempfile.TemporaryDirectory() as folder:
    masked = Storm(2000, 60000, folder, masked=True)
    storm = Storm(4000, 60000, folder)
    kept = Storm(1000, 60000, folder, rate=1000)
ok(masked.stops >= 2000, "it is stopped often enough by SIGSTOP", masked.text[-5000:])
ok(not masked.wrong, "nothing goes wrong then", "\n".join(masked.wrong) + "\n--\n" + masked.text[-5000:])
ok(storm.stops >= 4000, "it is stopped often enough", storm.text[-5000:])
ok(not storm.wrong, "nothing goes wrong, and every thread has done all its work",
   "\n".join(storm.wrong) + "\n--\n" + storm.text[-5000:])
seen, said = churn("stop")
ok(seen > 4000, "threads that live for a moment, one after the other", said)
ok(not kept.uneven and not kept.wrong, "each thread that computes is sampled as its CPU time has it",
   "\n".join(kept.uneven + kept.wrong))
ok(all(count > 10 for count in storm.made), "threads, children and libraries come and go",
   storm.made)
if "perf" in engines():
    test_perf()
else:
    skip(3, "the same by the kernel's samples", "the kernel permits no perf events")
