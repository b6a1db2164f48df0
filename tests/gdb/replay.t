#!/usr/bin/python3
"""Processes and time that GDB has put aside: record, checkpoint and restart."""

import re

from session import Gdb, ok, plan, rows

VIEW = "prof-functions --format=csv --limit=0"


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text) if row["inclusive"]}


def test_record():
    """Each instruction is a step of its own then; those that are played back take no time."""
    script = ["break small", "run", "record", "finish", "info record", "reverse-finish",
              "continue", "reverse-stepi", "stepi", "info record", "print $pc", "record stop",
              "delete", "continue"]
    plain = Gdb("family", ["small"]).run(*script)
    out = Gdb("family", ["small"]).run("set prof max-stopped 100", "prof-start --rate=1000", *script,
                                       "prof-stop", VIEW)
    same = [re.sub(r"process \d+", "", text) for text in plain[1:]] == \
        [re.sub(r"process \d+", "", text) for text in out[3:-2]]
    ok("Log contains" in plain[4] and same, "a log is the same with samples and without",
       "\n".join(plain) + "\n--\n" + "\n".join(out))
    found = samples(out[-1])
    ok("exited with code 05" in out[-3] and found.get("small", 0) > 20, "it is sampled on the way",
       out[-1])


def test_checkpoint(engine):
    """The process of the inferior is another one after a restart."""
    what = engine + ": "
    out = Gdb("family", ["fork"]).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --engine=" + engine, "tbreak first",
        "run", "checkpoint", "tbreak parent", "continue", VIEW, "restart 1", "prof-status",
        "tbreak parent", "continue", "prof-status", VIEW, "info checkpoints", "continue",
        "prof-status", "continue", "prof-status", "prof-stop", VIEW)
    once, twice, last = samples(out[7]), samples(out[13]), samples(out[20])
    ok("parent ()" in out[6] and "first ()" in out[8] and "parent ()" in out[11],
       what + "checkpoint and restart", "\n".join(out[3:12]))
    ok(twice.get("first", 0) > 1.5 * once.get("first", 0) > 20, what + "what is done again is sampled",
       "%s\n%s" % (once, twice))
    ok("2 processes were sampled" in out[12] and "stands still" in out[12],
       what + "and so it is said", out[12])
    ok("exited with code 04" in out[15] and "stands still" in out[16], what + "the end of the one",
       out[15] + out[16])
    ok("exited with code 04" in out[17] and "waiting for a program" in out[18],
       what + "and of the other", out[17] + out[18])
    ok(last.get("parent", 0) > 20, what + "all is sampled", last)


plan(2 + 2 * 6)
test_record()
for name in "stop", "catch":
    test_checkpoint(name)
