#!/usr/bin/python3
"""A process that executes other programs is sampled on, each by its own names."""

from session import Gdb, ok, plan, program, rows

VIEW = "prof-functions --format=csv --limit=0"
SELF, OTHER = program("family"), program("shares")


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text) if row["inclusive"]}


def record(engine, args, *commands):
    """Run family ARGS with a recording around COMMANDS; return functions, summary and outputs."""
    out = Gdb("family", args).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --engine=" + engine, *commands,
        "prof-stop", VIEW)
    return samples(out[-1]), out[-2], out[2:-2]


plan(2 * 8)
for engine in "stop", "catch":
    what = engine + ": "
    found, summary, out = record(engine, ["exec", OTHER, "100"], "run")
    ok(out[0].count("executing new program") == 1 and "exited normally" in out[0],
       what + "exec into another program", out[0])
    ok(found.get("first", 0) > 20 and found.get("recurse", 0) > 5 and found.get("plain", 0) > 5,
       what + "both are sampled", found)

    found, summary, out = record(engine, ["exec", SELF] * 6 + ["fork"], "run")
    ok(out[0].count("executing new program") == 6 and "exited with code 04" in out[0],
       what + "exec into the same program, again and again", out[0])
    ok(found.get("first", 0) > 100 and found.get("parent", 0) > 20, what + "it is sampled on", found)

    found, summary, out = record(
        engine, ["exec", OTHER, "100"], "set follow-exec-mode new", "run", "info inferiors",
        "prof-status")
    ok("New inferior 2" in out[1] and "exited normally" in out[1],
       what + "exec into a new inferior", out[1])
    ok(found.get("first", 0) > 20 and found.get("recurse", 0) > 5, what + "it is sampled there",
       "%s\n%s" % (found, out[3]))

    found, summary, out = record(
        engine, ["exec", OTHER, "100"], "catch exec", "run", "prof-status", VIEW, "tbreak plain",
        "continue", "continue")
    ok("exec'd" in out[1] and "stands still" in out[2] and samples(out[3]).get("first", 0) > 20 and
       "plain ()" in out[5] and "exited normally" in out[6], what + "catch exec", "\n".join(out))
    ok(found.get("first", 0) > 20 and found.get("recurse", 0) > 5, what + "around a stop in between",
       found)
