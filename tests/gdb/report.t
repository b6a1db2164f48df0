#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`gdbprof report` and `gdbprof merge`: the views without GDB print what they print in it."""

import os
import re
import subprocess
import tempfile

from session import BUILD, Gdb, grown, ok, plan, program, total

COMMAND = os.path.join(BUILD, "gdbprof")


def execute(*words):
    done = subprocess.run([COMMAND, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def views():
    """The names of the views, and those that are of a function."""
    listed = execute("report", "--help")[1].partition("The views are:\n")[2]
    return re.findall(r"^  (\w+)", listed, re.M)


def refused(name, status, sentence, *words):
    found = execute(*words)
    ok(found[0] == status and re.search(sentence, found[2]) and not found[1], name, repr(found))


OF = {"source": "main", "disas": "main", "callers": "main"}  # what these are of
NOTHING = {"calls", "locks", "data", "traces"}  # of these nothing was recorded
LINES = ("source", "disas")  # what these tell beside the view differs
names = views()
plan(1 + 2 * len(names) + 1 + 2 + 4 + 6)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-report-"))

# Samples, marks, counted calls, events of the heap, and the program's code.
made = grown(lambda amount: Gdb("shares", [str(amount)]).run(
    "break main", "run", "prof-start --rate=1000 --heap --count=main,recurse", "prof-mark one", "continue", "prof-stop",
    "prof-save --archive a.prof", "prof-functions --format=csv", "shell mv a.prof first.prof"),
             lambda out: total(out[7]) > 100, 1000)
Gdb("shares", ["100"]).run("prof-start --rate=1000 --heap", "run", "prof-save second.prof")
ok(os.path.exists("first.prof") and len(names) > 15, "there is a profile", "\n".join(made))

refusing = set()
for form in ("text", "csv"):
    # Into a file: a screen has short names.
    commands = ["prof-%s %s --format=%s --output=%s.%s" % (name, OF.get(name, ""), form, name, form) for name in names]
    inside = Gdb().run("prof-load first.prof", *commands)
    for name, there in zip(names, inside[1:]):
        if os.path.exists("%s.%s" % (name, form)):
            with open("%s.%s" % (name, form), encoding="utf-8") as file:
                there = file.read()
        words = ["--of=" + OF[name]] if name in OF else []
        status, out, err = execute("report", "--view=" + name, "--format=" + form, *words, "first.prof")
        # What cannot be shown is an error here and there; notes are behind the view in GDB.
        same = there.strip() == (out if status == 0 else err.removeprefix("gdbprof: ")).strip() or (
            name in LINES and status == 0 and len(out) > 200 and there.startswith(out[:200]))
        refusing.update([] if status == 0 else [name])
        ok(same and there.strip(), "%s as %s is what GDB prints" % (name, form), "%s\n%s\n%s" % (there, out, err))

ok(refusing <= NOTHING, "only views of what was not recorded have nothing to show", str(refusing))

status, out, err = execute("report", "--out=written", "--function=main", "--sort=name", "--limit=3", "first.prof")
with open("written") as file:
    written = file.read()
ok(status == 0 and not out + err and "--function=main" in written and len(written.splitlines()) < 20,
   "options of the view, filters and files", out + err + written)
ok(execute("report", "first.prof")[1] == execute("report", "--view=functions", "first.prof")[1],
   "the default is the list of functions")

status, out, err = execute("merge", "-o", "sum.prof", "first.prof", "second.prof")
inside = Gdb().run("prof-load first.prof second.prof", "prof-functions --format=csv", "prof-load sum.prof",
                   "prof-functions --format=csv", "prof-threads --format=csv")
ok(status == 0 and not out + err and inside[1] == inside[3], "a merged file is the sum", out + err + "\n".join(inside))
ok(execute("report", "--format=csv", "first.prof", "second.prof")[1].strip() == inside[3].strip(),
   "several files are added up")
status, out, err = execute("merge", "--output=sum.prof", "first.prof", "sum.prof")
ok(status == 0 and total(execute("report", "--format=csv", "sum.prof")[1]) > total(inside[3]),
   "a profile may be replaced by a sum that it is a part of", out + err)
subprocess.run([program("shares-pg"), "1"], stdout=subprocess.DEVNULL, check=True)
ok("recurse" in execute("report", "--view=gprof", "gmon.out", program("shares-pg"))[1], "a gmon.out and its program")

with open("other", "w") as file:
    file.write("\0no profile\n")
refused("no file", 2, "no file to report", "report", "--limit=3")
refused("a view that is not there", 2, '"nothing" is not a value of --view', "report", "--view=nothing", "first.prof")
refused("an option that the view does not have", 2, 'no option "--collapse=full"', "report", "--collapse=full", "first.prof")
refused("a file that is no profile", 1, "other", "report", "other")
refused("a gmon.out alone", 1, "needs the program", "report", "gmon.out")
refused("a sum that would replace another file", 1, "other", "merge", "-o", "other", "first.prof", "second.prof")
