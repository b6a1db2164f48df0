#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Convenience functions, the module `prof`, and the recipes of gdbscripts/."""

import os
import tempfile

from session import Gdb, TOP, grown, ok, plan, rows

START = ["set prof max-stopped 100", "break main", "run", "prof-start --rate=1000"]


def recipe(name):
    return "source " + os.path.join(TOP, "gdbscripts", name)


def number(text):
    """What print has printed."""
    return float(text.split("=")[1])


def test_functions():
    reached = "Breakpoint 2, plain"
    out = grown(lambda rounds: Gdb("callback", [str(rounds)]).run(
        "print $_prof_samples()", 'print $_prof_inclusive("main")', 'print $_prof_mark("early")',
        *START, 'break plain if $_prof_inclusive("compare") > 50', "continue",
        'print $_prof_inclusive("main")', "print $_prof_samples()",
        'print $_prof_exclusive("unit", "cpu")', 'print $_prof_inclusive("nobody")',
        'print $_prof_mark("late")', 'print $_prof_inclusive("x", "y")', "print $_prof_inclusive()",
        "print $_prof_inclusive(3)", "delete", "continue", "prof-stop",
        'print $_prof_inclusive("compare") == $_prof_exclusive("compare")',
        "print $_prof_samples()", "prof-functions --format=csv"),
                lambda out: reached in "".join(out), 200)
    ok([number(text) for text in out[:3]] == [0, 0, 0], "before a recording all are 0", out[:3])
    rest = out[3 + len(START):]
    ok(reached in rest[1], "a condition may ask for a metric", rest[1])
    main, samples, cpu, nobody, mark = map(number, rest[2:7])
    ok(50 < main <= samples, "samples are told", rest[2:4])
    ok(0.02 < cpu < 60, "and seconds", rest[4])
    ok(nobody == 0 and mark == 1, "who was not met has 0; a mark was made", rest[5:7])
    ok('There is no metric "y"' in rest[7] and "takes the name of a function" in rest[8] and
       "Traceback" not in "".join(rest), "mistakes are told", rest[7:10])
    ok(number(rest[13]) == 0 and
       number(rest[14]) == float(rows(rest[15])[0]["inclusive"]),
       "they know what came since", rest[13:])


def test_seconds():
    """The CPU time of functions, and what came since a stop."""
    out = grown(lambda rounds: Gdb("callback", [str(rounds)]).run(
        "print $_prof_seconds()", "print $_prof_since()", "print $_prof_live_bytes()",
        *START, "print $_prof_since()", "break plain", "continue", "print $_prof_seconds()",
        'print $_prof_seconds("compare") == $_prof_inclusive("compare", "cpu")', "print $_prof_since()",
        'print $_prof_since("main") - $_prof_inclusive("main")', "delete", 'tbreak plain if $_prof_since("main") > 20', "continue",
        "print $_prof_since()", 'print $_prof_inclusive("main")', 'print $_prof_since("main")', 'print $_prof_since("main", "bogus")',
        'print $_prof_since("a", "b", "c")', "print $_prof_live_bytes()"),
                lambda out: "Temporary breakpoint" in out[13 + len(START)] and number(out[6 + len(START)]) > 0, 200)
    rest = out[3 + len(START):]
    ok([number(text) for text in out[:3]] == [0, 0, 0] and number(rest[0]) == 0, "before anything has run all are 0", out[:3] + rest[:1])
    ok(number(rest[3]) > 0 and number(rest[4]) == 1, "seconds are the metric cpu", rest[3:5])
    ok(number(rest[5]) > 0 and number(rest[6]) == 0, "behind the first stretch all samples are since the last stop", rest[5:7])
    all_samples, since = number(rest[11]), number(rest[12])
    ok("Temporary breakpoint" in rest[9] and 20 < since < all_samples, "in a condition it is since the last stop, and at the next the same",
       rest[7:13])
    ok(number(rest[10]) > 0 and 'no metric "bogus"' in rest[13] and "too many arguments" in rest[14] and number(rest[15]) == 0,
       "seconds since the stop, and mistakes", rest[10:16])


def test_live_bytes():
    out = Gdb("blocks").run("prof-start --heap --engine=none", "break half", "run", "print $_prof_live_bytes()",
                            'print $_prof_live_bytes("lose")', "prof-leaks --format=csv")
    leaked = sum(int(row["bytes"]) for row in rows(out[5]))
    ok(number(out[3]) == leaked > number(out[4]) > 0, "live bytes are those of prof-leaks", out[3:])


OBJECTS = """python
import prof
functions = {f.name: f for f in prof.functions()}
stacks = prof.stacks()
print("sum", sum(stacks.values()) == sum(prof.values()) == sum(f.exclusive for f in functions.values()))
print("unit", functions["unit"].exclusive == sum(v for s, v in stacks.items() if s[-1] == "unit"))
print("main", sum(v for s, v in stacks.items() if "main" in s) > 0.9 * sum(stacks.values()))
samples = list(prof.samples())
print("samples", len(samples) == len(prof.values()), {s.state for s in samples} <= set(prof.STATES))
print("times", 0 <= min(s.time for s in samples) < samples[-1].time, samples[0].thread.name)
some = list(prof.samples("--not-function=sort"))
print("filter", 0 < len(some) < len(samples), any("sort" in s.stack for s in some))
print("cpu", abs(sum(prof.values("cpu")) - [m.total for m in prof.metrics() if m.name == "cpu"][0]) < 1e-6)
print("lines", any("callback.c" in l.name for l in prof.lines()), len(prof.objects()) >= 2)
print("intervals", [i.interval for i in prof.intervals()] == list(range(1, len(prof.intervals()) + 1)),
      prof.intervals()[0].start_label)
gdb.execute("set prof filter --function=sort")
print("setting", all("sort" in s.stack for s in prof.samples()), len(list(prof.samples())) < len(samples))
for call in (lambda: prof.functions("x"), lambda: prof.stacks(filter="--thread=5")):
    try:
        call()
    except gdb.GdbError as error:
        print("error", error)
end
"""


def test_objects():
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
        file.write(OBJECTS)
        file.flush()
        told = Gdb("callback", ["200"]).run(
            *START, "continue", "prof-stop", "source " + file.name)[-1]
    ok("intervals True start\n" in told, "objects: intervals", told)
    for word in ("sum", "unit", "main", "cpu"):
        ok(word + " True\n" in told, "objects: " + word, told)
    ok("samples True True\n" in told and "times True callback\n" in told, "objects: samples", told)
    ok("filter True False\n" in told and "setting True True\n" in told, "objects: filters", told)
    ok("lines True True\n" in told, "objects: lines and load objects", told)
    ok('error There is no metric "x"' in told and
       'error The experiment has no thread "5"; see prof-threads.' in told, "objects: mistakes", told)


def test_recipes():
    out = grown(lambda units: Gdb("callback", [str(units)]).run(
        recipe("between.gdb"), "prof-between sort plain")[1],
                lambda out: " compare\n" in out, 200)
    ok("plain (" in out and " compare\n" in out and "samples in" in out and
       not any(line.endswith(" plain") for line in out.splitlines()),
       "between two breakpoints", out)
    out = Gdb("callback", ["3000"]).run(
        recipe("until-share.gdb"), "set prof rate 1000", "prof-until-share plain 20",
        'print $_prof_inclusive("plain", "cpu") / $_prof_inclusive("<Total>", "cpu")', "prof-stop", "info breakpoints")
    ok("plain (" in out[2] and 0.2 < number(out[3]) < 0.5, "until a share is exceeded",
       out[2] + out[3])
    with tempfile.TemporaryDirectory() as folder:
        out = Gdb("callback", ["300"]).run(
            "cd " + folder, recipe("request.gdb"), "prof-request sort 1 first.prof",
            "prof-request sort 99 later.prof", "prof-load later.prof",
            "prof-functions --format=csv --metric=wall",
            "prof-compare first.prof later.prof --metric=wall")
        ok(os.path.exists(os.path.join(folder, "first.prof")) and
           "main" in [row["name"] for row in rows(out[5])] and " main\n" in out[6],
           "one request of many, and two compared", "".join(out))
    out = Gdb("callback", ["50"]).run(
        recipe("loop.gdb"), "prof-loop sort", "run", "prof-passes", "prof-intervals --format=csv")
    ok("exited normally" in out[2] and out[4].count(",pass,") > 49, "every pass of a loop",
       "".join(out))
    out = Gdb("callback", ["200"]).run(
        recipe("daily.gdb"), "show prof collapse", "prof-start", "run", "prof-stop", "hot",
        "hot-lines", "who main", "waits")
    ok("conservative" in out[1] and " unit\n" in out[5] and "callback.c" in out[6] and
       "*main" in out[7], "a .gdbinit for daily use", "".join(out))


plan(21 + 5 + 1)
test_functions()
test_seconds()
test_live_bytes()
test_objects()
test_recipes()
