#!/usr/bin/python3
"""The engine perf: short bursts of work are found where they are, and what the kernel forbids is said."""

import re

from session import Gdb, engines, forbid_perf, near, ok, plan, rows, skip_all, total

# Of what a program waits by, and us of work in between.
BURSTS = (("epoll", 10), ("poll", 20), ("read", 50), ("futex", 100), ("sleep", 1000))
RATE = 2000
SECONDS = 2

# Samples stand for times that differ, by up to a half: so many of them say as much as one that does not.
UNEVEN = 1.5


def shares(text):
    """The shares that functions have of the CPU time in TEXT, in percent, by their names."""
    return {row["name"]: float(row["inclusive_percent"]) for row in rows(text)}


def test_bursts(kind, span):
    """What a program says of its own CPU time is what is found."""
    out = Gdb("bursts", [str(SECONDS), str(span), kind]).run(
        "prof-start --engine=perf --rate=%d" % RATE, "run", "prof-stop",
        "prof-functions --format=csv --metric=cpu", "prof-functions --format=csv")
    said = re.search(r"all ([0-9.]+) once ([0-9.]+) twice ([0-9.]+) thrice ([0-9.]+)", out[1])
    said = [float(number) for number in said.groups()] if said else [1, 0, 0, 0]
    found, samples = shares(out[3]), total(out[4])
    work = {name: found.get(name, 0) for name in ("once", "twice", "thrice")}
    # What came before its work began is not in its account.  By its own clock a burst that was interrupted
    # took longer: on a busy machine all bursts together may take longer than all of its CPU time.
    own = 100 * min(1, sum(said[1:]) / said[0]) * found.get("serve", 0) / 100
    whole = max(sum(work.values()), 1)
    wrong = [(name, 100 * work[name] / whole, 100 * part / max(sum(said[1:]), 1e-9))
             for name, part in zip(work, said[1:])]
    wrong = [row for row in wrong if not near(row[1], row[2], samples / UNEVEN)]
    ok(samples > RATE * SECONDS / 2 and not wrong, "work of %d us between calls of %s" % (span, kind),
       "%s\n%s%s%s" % (wrong, out[1], out[2], out[3]))
    ok(abs(whole - own) < 8, "and the calls have what is left", "%s of %s\n%s" % (whole, own, out[1]))


def test_deep():
    """As much is copied as stacks need."""
    out = Gdb("deep", ["300", "30000"]).run(
        "prof-start --engine=perf --rate=1000", "run", "prof-stop", "prof-functions --format=csv")
    found = shares(out[3])
    ok(total(out[3]) > 300 and found.get("main", 0) > 98, "deep stacks are whole from the first on", out[3])
    ok("larger than the copy" not in out[2], "and nothing is said of others", out[2])
    out = Gdb("deep", ["12000", "1000"]).run(
        "prof-start --engine=perf --rate=1000 --max-depth=100000", "run", "prof-stop", "prof-functions --format=csv")
    cut = re.search(r"^(\d+) stacks are larger than the copy", out[2], re.M)
    shown = {row["name"]: float(row["inclusive"]) for row in rows(out[3])}.get("<Truncated-stack>", 0)
    ok(cut and int(cut[1]) == shown > 20, "of stacks that are cut it is said how many", out[2] + out[3])


def test_brief():
    """Threads that live for less than a period have their share, and all of their time."""
    out = Gdb("churn", ["2000"]).run(
        "set print thread-events off", "prof-start --engine=perf --rate=500", "run", "prof-stop",
        "prof-functions --format=csv --metric=cpu")
    said = float((re.search(r"cpu ([0-9.]+)", out[2]) or ["", "0"])[1])
    samples = int((re.search(r"^(\d+) samples in .*; 2001 threads", out[3], re.M) or ["", "0"])[1])
    found = {row["name"]: float(row["inclusive"]) for row in rows(out[4])}.get("<Total>", 0)
    ok(abs(samples - 500 * said) < 60 + 0.1 * 500 * said, "threads of a millisecond have their samples",
       "%s of %s\n%s" % (samples, 500 * said, out[3]))
    ok(abs(found - said) < 0.05 * said, "and all their CPU time is known", (found, said))


def test_forbidden():
    """The last one: from here on nothing is permitted."""
    forbid_perf()
    out = Gdb("shares", ["300"]).run("prof-start --engine=perf", "prof-start", "run", "prof-stop")
    ok(re.search(r"perf_event_paranoid is \d+, and must be 2 or less\.|"
                 r"forbidden here, as in many containers: .*\.", out[0]),
       "a refusal says what must be permitted", out[0])
    ok("with the engine stop" in out[1] and "samples in" in out[3], "another engine works", out[1] + out[3])


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(2 * len(BURSTS) + 3 + 2 + 2)
for burst in BURSTS:
    test_bursts(*burst)
test_deep()
test_brief()
test_forbidden()
