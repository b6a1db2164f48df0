#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`prof` begins all commands: "prof tree" is prof-tree, and "help prof" lists all of them in groups."""

import os
import re
import tempfile

from session import TOP, Gdb, ok, plan

GROUP = re.compile(r"^(\w[\w ,]*):\n((?:  .*\n)+)", re.M)
FOLDED = "main;work 3\nmain;rest 1\n"


def sentence(text):
    return " ".join(text.split())


plan(14)
help_prof, alone, dashed = Gdb().run("help prof", "prof", "complete prof-")
dashed = dashed.split()
groups = {title: names.replace(",", "").split() for title, names in GROUP.findall(help_prof)}
listed = sum(groups.values(), [])
ok(set(groups) == {"Record", "Look at samples", "Look at calls, memory and messages", "Files"} and
   "start" in groups["Record"] and "tree" in groups["Look at samples"] and "load" in groups["Files"],
   "help lists the commands in groups", help_prof)
ok(len(dashed) > 35 and sorted("prof-" + name for name in listed) == sorted(dashed), "each command is in one group",
   "\n".join({"prof-" + name for name in listed} ^ set(dashed)))
ok(alone == help_prof, "the prefix alone prints the same", alone)
wide = [line for line in help_prof.splitlines() if len(line) > 80]
ok(not wide, "it fits a terminal of 80 columns", "\n".join(wide))

both = Gdb().run(*("help " + name for name in dashed), *("help " + name.replace("-", " ", 1) for name in dashed))
wrong = [name for name, one, other in zip(dashed, both, both[len(dashed):]) if one != other or not one.strip()]
ok(not wrong, "help is the same for both forms", "\n".join(wrong))

with tempfile.TemporaryDirectory() as place:
    path = os.path.join(place, "small.folded")
    with open(path, "w", encoding="utf-8") as file:
        file.write(FOLDED)
    out = Gdb().run("prof load " + path, "prof-tree --format=csv", "prof tree --format=csv", "prof fun --format=csv --limit=1",
                    "alias pa = prof-tree --format=csv", "pa", "alias pb = prof tree", "pb --format=csv",
                    "alias prof t = prof tree", "prof t --format=csv")
    talked = Gdb().talk("prof load " + path, "prof functions --format=csv", "", "prof save %s.new" % path, "",
                        "define prof mine", "prof tree --format=csv", "end", "prof mine", "help prof mine")
ok("work" in out[2] and out[1] == out[2], "a command is the same with a blank and with a dash", out[1] + out[2])
ok("<Total>" in out[3] and "work" not in out[3], "names are abbreviated, and options read", out[3])
ok(out[5] == out[1] and out[7] == out[1], "aliases of both forms work", "\n".join(out[4:8]))
ok(out[9] == out[1], "users give commands other names behind the prefix", out[8] + out[9])
ok(talked.count("<Total>,") == 2 and talked.count("is written") == 1, "views repeat by an empty line, other commands do not", talked)
ok("level,name," in talked.partition("+prof mine")[2].partition("+help")[0], "users define commands behind the prefix", talked)

wrong = Gdb().run("prof bogus --limit=1", "prof tr", "prof tree --bogus", "prof-bogus")
ok([sentence(text) for text in wrong] == [
    'Undefined prof command: "bogus". Try "help prof".', 'Ambiguous prof command "tr": trace, traces, tree.',
    'prof-tree has no option "--bogus"; see "help prof-tree".', 'Undefined command: "prof-bogus". Try "help".'],
   "GDB's sentences for what is no command", "\n".join(wrong))

completed = Gdb().run("complete prof tr", "complete prof tree --col", "complete prof tree --collapse=f", "complete prof-tr",
                      "complete prof load %s/exam" % TOP)
ok([text.split("\n")[:-1] for text in completed[:4]] == [
    ["prof trace", "prof traces", "prof tree"], ["prof tree --collapse", "prof tree --columns"],
    ["prof tree --collapse=full"], ["prof-trace", "prof-traces", "prof-tree"]] and "examples" in completed[4],
   "commands, options, words and files are completed", "\n".join(completed))
ok("prof tree" in Gdb().run("apropos call tree")[0], "a search finds both forms")
