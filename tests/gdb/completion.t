#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion in bash and zsh knows what `gdbprof --help` has: actions, options, and their values."""

import os
import re
import shlex
import subprocess

from session import BUILD, TOP, lacking, ok, plan, skip

COMMAND = os.path.join(os.path.abspath(BUILD), "gdbprof")
FOLDER = os.path.join(TOP, "shell", "completions")


def execute(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=300).stdout


def complete(*words):
    return execute(COMMAND, "--complete", *words).splitlines()


def options(*words):
    """The options in the help of an action: (name, values)."""
    text = execute(COMMAND, *words, "--help").partition("\nOptions:\n")[2]
    return [(name, value) for name, value in re.findall(r"^  (--[\w-]+)\[?(?:=(\S+?))?\]?$", text, re.M)]


def in_bash(line):
    """What bash offers at the end of LINE."""
    words = [word for part in shlex.split(line + "x") for word in re.split(r"(=)", part) if word]
    words[-1] = words[-1][:-1]
    script = """source %s; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_WORDBREAKS=' ='; _gdbprof gdbprof; printf '%%s\\n' "${COMPREPLY[@]}" """ % (
        os.path.join(FOLDER, "gdbprof.bash"), " ".join(map(shlex.quote, words)), len(words) - 1)
    return execute("env", "PATH=%s:%s" % (os.path.dirname(COMMAND), os.environ["PATH"]), "bash", "-c", script).split()


def in_zsh(line):
    """What zsh offers there; "FILES": files."""
    words = shlex.split(line + "x")
    words[-1] = words[-1][:-1]
    script = """compadd() { while [[ $1 == -* ]]; do [[ $1 == -S ]] && shift; [[ $1 == -- ]] && break; shift; done; shift
        print -l -- "$@" }; compset() { }; _files() { print FILES }; words=(%s); CURRENT=%d; _it() { source %s }; _it""" % (
            " ".join(map(shlex.quote, words)), len(words), os.path.join(FOLDER, "_gdbprof"))
    return execute("env", "PATH=%s:%s" % (os.path.dirname(COMMAND), os.environ["PATH"]), "zsh", "-fc", script).split()


CASES = (("gdbprof rep", ["report"]), ("gdbprof report --vie", ["--view="]), ("gdbprof report --view=tr", ["tree", "traces"]),
         ("gdbprof report --view tr", ["tree", "traces"]), ("gdbprof report --view=tree --colla", ["--collapse="]))
summary = execute(COMMAND, "--help")
actions = re.findall(r"^  gdbprof (\S+) ", summary, re.M)
plan(3 + 2 * len(actions) + 7 + 2 * len(CASES) + 1)
ok(complete("") == actions and len(actions) > 3, "the actions are those of the help", repr(complete("")))
ok(complete("re") == [name for name in actions if name.startswith("re")], "some of them", repr(complete("re")))
ok(complete("--") == ["--help", "--version"], "options without an action", repr(complete("--")))
for action in actions:
    found = options(action)
    offered = [name.rstrip("=") for name in complete(action, "--")]
    ok(offered == [name for name, _ in found] + ["--help"], "the options of %s are those of its help" % action,
       "%s\n%s" % (offered, found))
    wrong = ["%s: %s" % (name, values) for name, values in found
             if re.fullmatch(r"[a-z0-9-]+(\|[a-z0-9-]+)+", values) and
             complete(action, name + "=") != ["%s=%s" % (name, value) for value in values.split("|")]]
    ok(not wrong, "and so are their values", "\n".join(wrong))
tree = [name.rstrip("=") for name in complete("report", "--view=tree", "--")]
ok(tree == [name for name, _ in options("report", "--view=tree")] + ["--help"] and "--collapse" in tree,
   "the view decides on the options", repr(tree))
ok(complete("report", "--metric=samples,cp")[0] == "--metric=samples,cpu", "the next one of a list",
   repr(complete("report", "--metric=samples,cp")))
ok(complete("record", "--ou") == ["--output="] and complete("record", "-o", "x", "--ou") == ["--output="],
   "options before the program")
ok(not complete("record", "ls", "--ou") + complete("record", "-o", "x", "--", "--ou"), "none behind it")
ok(not complete("report", "") + complete("report", "--output=") + complete("merge", "-o", ""), "files are left to the shell")
ok(not complete("nonsense", "--") + complete("report", "--nonsense="), "nothing where nothing is known")
ok(not [name for name in complete("report", "--view=nonsense", "--") if name.startswith("--coll")],
   "an unknown view has the options of the default")
for name, shell in (("bash", in_bash), ("zsh", in_zsh)):
    why = lacking(name)
    if why:
        skip(len(CASES), "completion in " + name, why)
        continue
    for line, expected in CASES:
        there = [word.rpartition("=")[2] or word for word in shell(line)]
        ok(there == expected, "%s: %s" % (name, line), repr(there))
why = lacking("zsh")
if why:
    skip(1, "files in zsh", why)
else:
    ok(in_zsh("gdbprof report ") == ["FILES"], "files in zsh", repr(in_zsh("gdbprof report ")))
