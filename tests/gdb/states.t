#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a thread spends its time on: each state has the time that the program says, and adds up."""

import re

from session import Gdb, due, ok, plan, rows, stopped, unseen

STATES = ("user", "system", "runqueue", "lock", "text-fault", "data-fault", "other")


def table(text):
    """The inclusive metric of each name in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def near(found, expected, stop):
    """Is FOUND what was EXPECTED, but for the moments that nobody saw, as prof-stop says in STOP?"""
    return abs(found - expected) < 0.05 * expected + 0.1 + unseen(stop)


def slept(found, waited, expected, stop):
    """The same, of a sleeper that may have WAITED so long besides for a CPU, to begin or to go on."""
    return near(min(max(found, expected), found + waited), expected, stop)


def is_at_rate(samples, wall, text, tolerance):
    """Are SAMPLES what a thread of WALL seconds has by the wall clock, as prof-stop says in TEXT?"""
    least, most = due(text, (1 - tolerance) * wall - 0.1, (1 + tolerance) * wall + 0.1)
    return least < samples < most


def record(engine):
    """What is printed, what the program says by function, and the tables by metric."""
    out = Gdb("states", ["1.5"]).run(
        "set prof max-stopped 100", "prof-start --rate=200 --engine=" + engine, "run", "prof-stop",
        *("prof-functions --format=csv --metric=" + metric for metric in STATES + ("wall",)))
    said = {name: [float(number) for number in numbers]
            for name, *numbers in re.findall(r"(\w+) ([0-9.]+) ([0-9.]+) ([0-9.]+)\n", out[2])}
    found = {metric: table(text) for metric, text in zip(STATES + ("wall",), out[4:])}
    return out, said, found


def test_catch():
    """Without a walk of its own for sleepers the engine knows their states, if not their stacks."""
    out, said, found = record("catch")
    asleep = {state: said.get(name, (0, 0))[0] for name, state in
              (("locker", "lock"), ("reader", "other"), ("faulter", "data-fault"),
               ("jumper", "text-fault"))}
    # A machine may have no CPU for half a second for one that begins or wakes up.
    waited = min(found["runqueue"].get("<Total>", 0), 0.7)
    ok(asleep["lock"] > 0.5 and all(found[state].get("<Total>", 0) + waited > 0.9 * asleep[state] - unseen(out[3])
                                    for state in asleep),
       "catch: the states of sleepers", "%s\n%s" % (asleep, {s: found[s].get("<Total>") for s in STATES}))
    cpu = sum(cpu for _, cpu, _ in said.values())
    ok(cpu > 2 and near(found["user"].get("<Total>", 0) + found["system"].get("<Total>", 0), cpu, out[3]),
       "catch: the CPU time of all", out[2])


def test_states():
    """Sleepers by what they wait for, and work by where it is done."""
    out, said, found = record("stop")
    waited = found["runqueue"]
    for name, state in (("locker", "lock"), ("reader", "other")):
        asleep = said.get(name, (0, 0))[0]
        ok(asleep > 0.5 and slept(found[state].get(name, 0), waited.get(name, 0), asleep, out[3]),
           "%s waits in state %s" % (name, state),
           "%s of %s s\n%s" % (found[state].get(name), asleep, out[2]))
        ok(found[state].get(name, 0) > waited.get(name, 0) and
           all(found[other].get(name, 0) < 0.1 + unseen(out[3]) for other in STATES if other not in (state, "runqueue")),
           "and in no other", {s: found[s].get(name) for s in STATES})
    # Who jumped to code that is not there cannot be told from a stack that nothing describes.
    unknown = waited.get("<Total>", 0) - sum(waited.get(name, 0) for name in said)
    for name, state, other, function, most in (("faulter", "data-fault", "text-fault", "faulter", waited.get("faulter", 0)),
                                               ("jumper", "text-fault", "data-fault", "<Total>", unknown)):
        faulted = said.get(name, (0, 0))[0]
        if faulted < 0.5:
            ok(True, name + " # SKIP the kernel lets nobody wait for a page")
        else:
            ok(slept(found[state].get(function, 0), most, faulted, out[3]) and
               found[other].get(name, 0) < 0.1 + unseen(out[3]), "%s waits in state %s" % (name, state),
               "%s of %s s\n%s" % (found[state].get(function), faulted, found))
    for name, state in (("user", "user"), ("kernel", "system")):
        _, cpu, system = said.get(name, (0, 0, 0))
        spent = found["user"].get(name, 0) + found["system"].get(name, 0)
        ok(cpu > 1 and near(spent, cpu, out[3]), "all CPU time of %s" % name,
           "%s of %s s" % (spent, cpu))
        # How much it is depends on what a system call costs on the machine.
        used = {"user": cpu - system, "system": system}[state]
        ok(used > 0.5 * cpu and near(found[state].get(name, 0), used, out[3]),
           "%s has used it in state %s" % (name, state),
           "%s of %s s" % (found[state].get(name), used))
    for name, (wall, cpu, _) in said.items():
        if name == "jumper":
            continue
        lived = found["wall"].get(name, 0)
        # That stops cost less than the time they took where a thread had to wait for a CPU anyway: on a busy
        # machine the share of that, in stops, may be half of what it is on the whole.
        kept = 2 * stopped(out[3]) * wall / max(cpu, 0.1)
        ok(near(min(max(lived, wall), lived + kept), wall, out[3]) or (name == "faulter" and wall < 0.1),
           "all states of %s are its life, but for stops" % name,
           "%s of %s s\n%s" % (lived, wall, out[3]))


def test_views():
    """Views of stacks and of callers, by time instead of samples."""
    out = Gdb("states", ["0.5"]).run(
        "set prof max-stopped 100", "prof-start --rate=200", "run", "prof-stop",
        "prof-functions --format=csv --metric=lock", "prof-tree --format=csv --metric=lock",
        "prof-callers --format=csv --metric=cpu", "prof-gprof --format=csv --metric=cpu",
        "prof-functions --format=csv --metric=cpu")
    lock, cpu = table(out[4]), table(out[8])
    tree = {row["name"]: sum(float(row[part]) for part in ("direct", "indirect"))
            for row in rows(out[5])}
    ok(lock.get("locker") and abs(tree.get("locker", 0) - lock["locker"]) < 1e-6 and "user" not in tree,
       "prof-tree of a time", out[5])
    callers = {(row["focus"], row["role"]): float(row["attributed"]) for row in rows(out[6])}
    ok(cpu.get("user") and abs(callers.get(("user", "caller"), 0) - cpu["user"]) < 1e-6 and
       callers.get(("locker", "self"), 0) < 0.01, "prof-callers of a time", out[6])
    ok(re.search(r"\bkernel\b", out[7]) and re.search(r"\buser\b", out[7]) and "error" not in out[7],
       "prof-gprof of a time", out[7])


def test_wall_clock_of_catch():
    """All threads are samples, also where a sleeper's stack is not known."""
    out = Gdb("states", ["1"]).run(
        "set prof max-stopped 100", "prof-start --rate=200 --clock=wall --engine=catch", "run",
        "prof-stop", "prof-functions --format=csv", "prof-functions --format=csv --metric=wall")
    samples, wall = table(out[4]).get("<Total>", 0), table(out[5]).get("<Total>", 0)
    ok(wall > 3 and is_at_rate(samples, wall, out[3], 0.2),
       "catch: by the wall clock all threads are samples", "%s\n%s\n%s" % (samples, wall, out[3]))


def test_wall_clock():
    out = Gdb("states", ["1.5"]).run(
        "set prof max-stopped 100", "prof-start --rate=200 --clock=wall", "run", "prof-stop",
        "prof-functions --format=csv", "prof-functions --format=csv --metric=wall")
    samples, wall = table(out[4]), table(out[5])
    ok("Threads that wait are samples too." in out[3], "the heading says what samples are", out[3])
    ok(all(wall.get(name) and is_at_rate(samples.get(name, 0), wall[name], out[3], 0.15)
           for name in ("locker", "reader", "user", "kernel")),
       "by the wall clock all threads are samples",
       "%s\n%s\n%s" % (samples, wall, out[3]))
    out = Gdb("states").run("prof-start --clock=sun", "set prof clock wall", "show prof clock")
    ok("sun" in out[0] and "cpu" in out[0], "an unknown clock is refused", out[0])
    ok("wall" in out[2], "the clock is a setting", out[2])


plan(15 + 3 + 2 + 1 + 4)
test_states()
test_views()
test_catch()
test_wall_clock_of_catch()
test_wall_clock()
