#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls are recorded and samples are taken at once: samples have true stacks, and calls are exact."""

import os
import re
import tempfile

from session import Gdb, engines, grown, near, ok, patches, plan, rows, skip, skip_all
from transcripts import session, unsampled

QUIET = "set prof calls-limit 100"
TURNS = 15000
ENOUGH = 200
CALLS = {"top1": 1, "top2": 1, "top3": 1, "middle1": 2, "middle2": 2, "leaf": 7}
# Of 19 parts: by way of which functions they were called.
PARTS = {"top1;middle1": 3, "top1;middle2": 3, "top2;middle1": 6, "top3;middle2": 6, "top3": 1}
# All functions, and some: others lie between them on the stack.
CHOICES = ("top1,top2,top3,middle1,middle2,leaf", "leaf,top1,top2,top3")


def folded(path):
    """{functions that are the program's own: samples}, and the samples whose stack is not known."""
    found, unknown = {}, 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, count = line.rsplit(" ", 1)
            frames = stack.split(";")
            own = ";".join(name for name in frames if name in CALLS)
            if own and "main" in frames:
                found[own] = found.get(own, 0) + int(count)
            elif own or "<" in stack:
                unknown += int(count)
    return found, unknown


def record(engine, functions, turns):
    """What prof-stop, the flat profile, the metric of calls, and its phases print; and the stacks."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stacks.folded")
        out = Gdb("routes", [str(turns)]).run(
            QUIET, "prof-start --rate=1000 --engine=%s --calls=%s" % (engine, functions), "run", "prof-stop",
            "prof-gprof --flat --format=csv", "prof-functions --metric=call-time --format=csv",
            "prof-phases --metric=call-time --format=csv", "prof-functions --metric=cpu --format=csv",
            "prof-export " + path)
        return turns, out, folded(path) if os.path.exists(path) else ({}, 0)


def ways():
    """All prefixes of true stacks."""
    return {";".join(way.split(";")[:i]) for way in PARTS for i in (1, 2)} | {way + ";leaf" for way in PARTS}


def test_beside(engine, functions):
    turns, out, (stacks, unknown) = grown(lambda amount: record(engine, functions, amount),
                                          lambda got: sum(got[2][0].values()) >= ENOUGH, TURNS)
    text = "\n".join(out[:6]) + str(stacks) + " and %d unknown" % unknown
    samples = sum(stacks.values())
    # The first samples of a place may find that the shadow has changed.
    wrong = sum(count for way, count in stacks.items() if way not in ways())
    ok(samples >= ENOUGH and wrong + unknown <= max(5, samples / 25),
       "%s, calls of %s: samples have true stacks" % (engine, functions), text)
    leaves = sum(count for way, count in stacks.items() if way.endswith(";leaf"))
    ok(all(near(100 * stacks.get(way + ";leaf", 0) / max(leaves, 1), 100 * parts / 19, leaves) for way, parts in PARTS.items()),
       "and each way its share", text)
    found = {row["name"]: int(row["calls"] or 0) for row in rows(out[4])}
    # On a busy machine the reader may get no CPU: then it says so.
    least = .5 if "were lost" in out[3] else 1
    ok(all(least * CALLS[name] * turns <= found.get(name, 0) <= CALLS[name] * turns for name in functions.split(",")) and
       re.search(r"^\d+ calls and \d+ samples in", out[3], re.M),
       "and all calls are recorded", text)
    spent = {row["name"]: float(row["inclusive"]) for row in rows(out[5])}
    tops = sum(spent.get(name, 0) for name in ("top1", "top2", "top3"))
    cpu = {row["name"]: float(row["inclusive"]) for row in rows(out[7])}
    ok(tops > .8 * cpu.get("main", 0) > 0 and cpu["<Total>"] < 1.2 * cpu["main"] + .5 and "top3" in out[6],
       "with times of their own, which samples do not have", text + out[5] + out[7])


def test_transcript(engine):
    found, _ = session("turns", "turns.gdb", engine, True, calls="burn,burner,gathered,main,work,worker")
    wanted = unsampled("turns", "turns.gdb", False, False)
    ok(found == wanted and "<<" not in found, "%s: a session with both reads the same" % engine, found)


def test_refused():
    for words in ("--engine=catch",):
        out = Gdb("routes").run("prof-start --calls=leaf " + words, "prof-status")
        ok("cannot take samples with the engine" in out[0] and "Nothing has been recorded" in out[1], "refused: " + words,
           "\n".join(out))


if __name__ == "__main__":
    if not patches():
        skip_all("functions cannot be patched here")
    ENGINES = ("stop", "perf")
    plan(len(ENGINES) * (4 * len(CHOICES) + 1) + 1)
    for each in ENGINES:
        if each not in engines():
            skip(4 * len(CHOICES) + 1, each, "the kernel does not permit it")
            continue
        for choice in CHOICES:
            test_beside(each, choice)
        test_transcript(each)
    test_refused()
