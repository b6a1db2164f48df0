#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands as those of GDB/MI, and that nothing breaks its records while a front end records."""

import re
import subprocess

from session import LOADER, Gdb, again, gdb_version, ok, plan, skip_all

STRING = r'"(?:[^"\\]|\\.)*"'
# What a line may be: a record of a result or of something that happened, text in quotes, or the prompt.
LINE = re.compile(r'(?:\d*\^(?:done|running|connected|error|exit)|[*+=][a-z-]+)(?:,.*)?|[~@&]%s|\(gdb\) ?' % STRING)


def parse(text, at=0):
    """The value of MI that begins AT in TEXT, and where it ends."""
    if text[at] == '"':
        end = re.compile(STRING).match(text, at).end()
        return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text[at + 1:end - 1]), end
    close, items, at = {"{": "}", "[": "]"}[text[at]], [], at + 1
    while text[at] != close:
        if text[at] == ",":
            at += 1
        name = re.compile(r"([A-Za-z_][\w-]*)=").match(text, at)
        value, at = parse(text, name.end() if name else at)
        items.append((name[1], value) if name else value)
    return (dict(items) if close == "}" else items), at + 1


def session(*lines):
    """What GDB prints as mi3 for LINES, numbered from 1; the program is ended before it prints anything."""
    gdb = Gdb("session")
    text = "".join("%d%s\n" % pair for pair in enumerate(lines, 1)) + "-gdb-exit\n"
    return subprocess.run(gdb.command("-i=mi3"), input=text, env=gdb.env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120, check=False).stdout


def result(out, number):
    """The kind of the result of line NUMBER, and its fields."""
    found = re.search(r"^%d\^(\w+)(?:,(.*))?$" % number, out, re.M)
    if not found:
        return "", {}
    return found[1], parse("{%s}" % (found[2] or ""))[0]


def strange(out):
    """The lines of OUT that are none of MI."""
    return [line for line in out.splitlines() if line and not LINE.fullmatch(line)]


def test_views():
    def run():
        return session("-prof-start --rate=1000", "-break-insert factorial", "-exec-run", "-prof-functions",
                       "-prof-tree --collapse=full", '-prof-mark "two words"', "-prof-overview", "-prof-status",
                       "-prof-stop", '-interpreter-exec console "prof-functions --format=csv"', "-prof-callers burn")

    out = again(run, lambda out: any(row["name"] == "burn" for row in result(out, 4)[1].get("rows", [])[:2]))
    ok(not strange(out), "every line is one of MI", "%s\n%s" % (strange(out), out))
    kind, told = result(out, 1)
    ok(kind == "done" and "Recording at 1000 Hz" in told.get("message", ""), "-prof-start says what prof-start does", out)
    rows = {row["name"]: row for row in result(out, 4)[1].get("rows", [])}
    burn, whole = (float(rows.get(name, {}).get("inclusive", 0)) for name in ("burn", "<Total>"))
    ok(burn > 0.7 * whole > 0, "-prof-functions has the rows of JSON", out)
    ok(any(row["name"] == "burn" and row["level"] for row in result(out, 5)[1].get("rows", [])), "with options", out)
    ok(result(out, 6)[1].get("message") == "Marked: two words.", "an argument with a blank is one", out)
    ok(any(row.get("end_label") == "two words" for row in result(out, 7)[1].get("rows", [])), "marks are rows", out)
    ok("stands still" in result(out, 8)[1].get("message", ""), "what has no rows is text", out)
    ok(re.search(r"\d+ samples", result(out, 9)[1].get("message", "")), "-prof-stop has the heading", out)
    ok(result(out, 10)[0] == "done" and r'~"burn,' in out, "the console has the commands, too", out)
    callers = result(out, 11)[1]
    ok(result(out, 11)[0] == "done" and "main" in str(callers) + out, "an argument is passed on", out)
    null = [row for row in result(out, 7)[1].get("rows", []) if "None" in row.values()]
    ok(not null, "what is not known is left out", out)


def test_mistakes():
    out = session("-prof-functions", "-prof-start --rate=many", "-prof-functions --nonsense", "-prof-nonsense",
                  "-prof-load /nowhere")
    kinds = [result(out, number)[0] for number in range(1, 6)]
    ok(kinds == ["error"] * 5, "a mistake is an error of MI", "%s\n%s" % (kinds, out))
    ok('"--nonsense"' in result(out, 3)[1].get("msg", "") and "Traceback" not in out, "with its sentence", out)
    ok(not strange(out), "and nothing else is printed", "%s\n%s" % (strange(out), out))


def test_reload():
    out = session('-interpreter-exec console "source %s"' % LOADER, "-prof-metrics")
    ok("cannot be loaded" not in out and "nothing to show" in result(out, 2)[1].get("msg", ""),
       "loading it twice changes nothing", out)


if gdb_version() < 12:
    skip_all("GDB has commands of MI by Python from version 12 on")
plan(11 + 3 + 1)
test_views()
test_mistakes()
test_reload()
