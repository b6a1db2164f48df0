#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings, help and completion: a bad value leaves the old one, and GDB's rules are kept."""

import os
import re
import tempfile

from answers import says
from session import Gdb, ok, plan

# A setting, a good value, bad ones, and what the answers to these must hold.
SETTINGS = [
    ("rate", "50", ["abc", "0", "-1", "1e9", "nan", "50x", ""], "is not a sampling rate"),
    ("verify", "10", ["-1", "x", "1.5", "", "on", "9999999999"], "stacks to verify"),
    ("max-depth", "70", ["0", "-3", "100001", "x", "1.5", ""], "is not a stack depth"),
    ("max-stopped", "20", ["0", "-1", "200", "x", "nan", ""], "is not a share of time"),
]
# Those with words of their own, that GDB itself checks.
WORDS = [("engine", "catch", "steam"), ("collapse", "full", "x")]

# What is to be completed, and what comes of it, each after the last word break of the former.
COMPLETIONS = [
    ("prof-tree --col", ["prof-tree --collapse", "prof-tree --columns"]),
    ("prof-tree -col", ["prof-tree -collapse", "prof-tree -columns"]),
    ("prof-tree --collapse=co", ["prof-tree --collapse=conservative"]),
    ("prof-tree --collapse f", ["prof-tree --collapse full"]),
    ("prof-tree --colla", ["prof-tree --collapse=conservative", "prof-tree --collapse=direct",
                           "prof-tree --collapse=full", "prof-tree --collapse=none"]),
    ("prof-start -uni", []),
    ("prof-start -unw", ["prof-start -unwinder=auto", "prof-start -unwinder=cfi", "prof-start -unwinder=gdb"]),
    ("prof-start --ra", ["prof-start --rate"]),
    ("prof-gprof --fl", ["prof-gprof --flat"]),
    ("prof-flame --max", ["prof-flame --max-depth"]),
    ("prof-start --engine=", ["prof-start --engine=auto", "prof-start --engine=catch",
                              "prof-start --engine=interrupt", "prof-start --engine=none",
                              "prof-start --engine=pcsr", "prof-start --engine=perf",
                              "prof-start --engine=stop"]),
    ("prof-tree --metric=samples,e.w", []),
    ("prof-functions --metric=samples,wallc", ["prof-functions --metric=samples,wallclock"]),
    ("prof-callers wo", ["prof-callers work", "prof-callers worse"]),
    ("prof-callers --limit=1 wor", ["prof-callers --limit=1 work", "prof-callers --limit=1 worse"]),
    ("prof-callers none", []),
    ("prof-stop --", []),
    ("prof-tree --bogus=", []),
    ("prof-load sma", ["prof-load small.folded"]),
    ("prof-save sma", ["prof-save small.folded"]),
    ("set prof max-", ["set prof max-depth", "set prof max-output", "set prof max-stopped"]),
    ("set prof engine c", ["set prof engine catch"]),
    ("show prof ra", ["show prof rate"]),
    ("info prof", ["info prof"]),
]

HELP_RULES = r"""python
import re
def prof_help_rules():
    names = ["set prof", "show prof", "info prof"]
    names += gdb.execute("complete prof-", False, True).splitlines()
    for prefix in "set prof", "show prof":
        names += re.findall(r"^(%s \S+) -- " % prefix,
                            gdb.execute("help " + prefix, False, True), re.M)
    for name in names:
        text = gdb.execute("help " + name, False, True)
        # GDB adds the last newline itself.
        good = text.split("\n")[0].endswith(".") and text.endswith("\n") and text[-2] != "\n"
        print("%s: %s" % (name, "good" if good else "bad: " + repr(text)))
prof_help_rules()
end"""


def test_settings():
    for name, good, bad, words in SETTINGS:
        commands = ["set prof %s %s" % (name, good)] + ["set prof %s %s" % (name, x) for x in bad]
        out = Gdb().run(*commands, "show prof " + name)
        for value, answer in zip(bad, out[1:]):
            ok(says(answer, '"%s"' % value, words), "set prof %s %s" % (name, value), answer)
        ok(not out[0].strip() and says(out[-1], " %s" % good), name + " keeps its value", out[-1])
    for name, good, bad in WORDS:
        out = Gdb().run("set prof %s %s" % (name, good), "set prof %s %s" % (name, bad),
                        "show prof " + name)
        ok(bad in out[1] and says(out[2], good), "%s keeps its value" % name, "\n".join(out))


def test_forms():
    out = Gdb("shares").run("set prof rate 50  ", "show prof rate", "with prof rate 70 -- prof-start",
                            "show prof rate", "prof-status", "with prof rate x -- prof-stop",
                            "show prof rate", "prof-stop")
    ok(says(out[1], "is 50."), "blanks behind a value are none of it", out[1])
    ok("Recording at 70 Hz" in out[2] and says(out[3], "is 50."), "with: for one command",
       "\n".join(out))
    ok(says(out[5], "\"x\"") and says(out[6], "is 50.") and "Rate" in out[7],
       "with: a bad value leaves all as it is", "\n".join(out))
    out = Gdb().run("set prof", "set prof steam", "set prof steam 3", "show prof steam", "show prof")
    ok(says(out[0], "set prof", "help set prof"), "set prof alone", out[0])
    ok(says(out[1], '"steam"', "help set prof"), "set prof steam names it", out[1])
    ok(says(out[2], '"steam"', "help set prof"), "set prof steam 3 names it", out[2])
    ok(says(out[3], '"steam"', "help show prof"), "show prof steam names it", out[3])
    ok(len(out[4].split("\n")) > 6 and "rate:  The sampling rate is 100." in out[4],
       "show prof shows all", out[4])


def test_version():
    """The version has one place, and whoever asks hears the same."""
    with open(os.path.join(os.path.dirname(__file__), "../../core/base/version.h")) as file:
        version = re.search(r'PROF_VERSION "(.+)"', file.read()).group(1)
    out = Gdb().run("show prof version", "set prof version 2", "show prof version")
    ok(out[0] == out[2] == "This is gdbprof %s.\n" % version, "show prof version", "\n".join(out))


def test_help():
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
        file.write(HELP_RULES + "\n")
        file.flush()
        lines = Gdb().run("source " + file.name)[0].split("\n")
    names = [line.split(":")[0] for line in lines if line.endswith(": good")]
    bad = [line for line in lines if line.strip() and not line.endswith(": good")]
    expected = {"prof-start", "prof-tree", "info prof", "set prof rate", "show prof rate"}
    ok(expected <= set(names) and not bad, "help texts keep GDB's rules", "\n".join(lines))
    out = Gdb().run("help prof-tree", "help set prof rate", "help function _prof_tick")
    ok("Usage: prof-tree" in out[0] and "--collapse=none|direct" in out[0], "help shows options",
       out[0])
    ok("0.1 to 20000" in out[1], "help of a setting tells what it takes", out[1])
    ok("Usage: $_prof_tick" in out[2], "the convenience function has a help", out[2])


def test_completion(directory):
    with open(os.path.join(directory, "small.folded"), "w") as file:
        file.write("main;work 5\nmain;worse 2\n")
    out = Gdb().run("cd " + directory, "prof-load small.folded",
                    *("complete " + typed for typed, _ in COMPLETIONS))
    for (typed, expected), answer in zip(COMPLETIONS, out[2:]):
        ok([line for line in answer.split("\n") if line] == expected, "completes " + typed, answer)


plan(sum(len(row[2]) + 1 for row in SETTINGS) + len(WORDS) + 8 + 1 + 4 + len(COMPLETIONS))
test_settings()
test_forms()
test_version()
test_help()
with tempfile.TemporaryDirectory() as place:
    test_completion(place)
