#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes and time that GDB has put aside: record, checkpoint and restart."""

import re

from remote import QUIET, gdbserver
from session import Gdb, lacking, ok, plan, program, rows, skip, uncalled

VIEW = "prof-functions --format=csv --limit=0"


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text) if row["inclusive"]}


SCRIPT = ["finish", "info record", "reverse-finish", "continue", "reverse-stepi", "stepi",
          "info record", "print $pc", "record stop", "delete", "continue"]


def record(engine, sampled):
    """What a session prints in which a function was recorded and played back, SAMPLED or not, from
    "record" on; then, of one that was, what prof-stop and a view do.  Where "record" begins stands
    no breakpoint: GDB may stop there twice if a catchpoint's signal comes."""
    rate = 100 if engine == "interrupt" else 1000
    prof = ["set prof max-stopped 100", "prof-start --rate=%d --engine=%s" % (rate, engine)]
    after = ["record", *SCRIPT, *(["prof-stop", VIEW] if sampled else [])]
    if engine != "interrupt":
        begin = [*prof * sampled, "tbreak small", "run"]
        return Gdb("family", ["small"]).run(*begin, *after)[len(begin):]
    with gdbserver(program("family"), "small") as server:
        # Over the wire an instruction takes long: there are fewer of them.
        begin = [QUIET, "set sysroot /", "target remote " + server.address, *prof * sampled,
                 "tbreak small", "continue", "set var turns = 100"]
        return Gdb("family").run(*begin, *after)[len(begin):]


def played(texts, engine):
    """What TEXTS say of the log.  An instruction in whose middle a tick comes is there twice with
    the engines that GDB sees at work, so that the same place may be the log's end or not."""
    text = re.sub(r"process \d+", "", "\n".join(texts))
    if engine != "stop":
        text = re.sub(r"(number is|contains) \d+", r"\1 N", text)
        text = re.sub(r"^No more reverse-execution history\.\n", "", text, flags=re.M)
    return text


def test_record(engine, code, least):
    """Each instruction is a step of its own then; those that are played back take no time."""
    what = engine + ": "
    why = lacking("gdbserver") if engine == "interrupt" else ""
    if why:
        skip(2, what + "record", why)
        return
    plain, out = record(engine, False), record(engine, True)
    ok("Log contains" in plain[2] and played(plain, engine) == played(out[:-2], engine),
       what + "a log is the same with samples and without",
       "\n".join(plain) + "\n--\n" + "\n".join(out))
    found = samples(out[-1])
    ok("exited with code %s" % code in out[-3] and found.get("small", 0) > least,
       what + "it is sampled on the way", out[-3] + out[-1])


def test_checkpoint(engine):
    """The process of the inferior is another one after a restart."""
    what = engine + ": "
    why = uncalled()  # a checkpoint is made by the program, which GDB has call fork()
    if why:
        skip(6, what + "checkpoint", why)
        return
    out = Gdb("family", ["fork"]).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --engine=" + engine, "tbreak first",
        "run", "checkpoint", "tbreak parent", "continue", VIEW, "restart 1", "prof-status",
        "tbreak parent", "continue", "prof-status", VIEW, "info checkpoints", "continue",
        "prof-status", "continue", "prof-status", "prof-stop", VIEW)
    once, twice, last = samples(out[7]), samples(out[13]), samples(out[20])
    ok("parent ()" in out[6] and "first ()" in out[8] and "parent ()" in out[11],
       what + "checkpoint and restart", "\n".join(out[3:12]))
    ok(twice.get("first", 0) > 1.2 * once.get("first", 0) > 20, what + "what is done again is sampled",
       "%s\n%s" % (once, twice))
    ok("2 processes were sampled" in out[12] and "stands still" in out[12],
       what + "and so it is said", out[12])
    ok("exited with code 04" in out[15] and "stands still" in out[16], what + "the end of the one",
       out[15] + out[16])
    ok("exited with code 04" in out[17] and "waiting for a program" in out[18],
       what + "and of the other", out[17] + out[18])
    ok(last.get("parent", 0) > 20, what + "all is sampled", last)


plan(3 * 2 + 2 * 6)
test_record("stop", "05", 20)
test_record("catch", "05", 20)
test_record("interrupt", "01", 5)  # the sum is another
for name in "stop", "catch":
    test_checkpoint(name)
