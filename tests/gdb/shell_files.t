#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`gdbprof export` and `gdbprof compare` write what prof-export and prof-compare write in GDB."""

import os
import re
import subprocess
import tempfile

from session import BUILD, Gdb, ok, plan

COMMAND = os.path.join(BUILD, "gdbprof")
FORMATS = ("folded", "pprof", "speedscope", "callgrind", "firefox", "gprofng-text", "json")
VIEWS = ("functions", "callers", "tree")
# The same program twice, with names that no terminal, shell or XML may take for more than names.
ONE = "main;work;step 5\nmain;work 2.5\nmain;idle 1\nmain;\x1b[2J\"\\<&> 3\n"
TWO = "main;work;step 9\nmain;work 2.5\nmain;new;step 4\n"


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def execute(*words, **settings):
    done = subprocess.run([COMMAND, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, **settings)
    return done.returncode, done.stdout, done.stderr.decode()


def refused(name, status, sentence, *words):
    found = execute(*words)
    ok(found[0] == status and re.search(sentence, found[2]) and not found[1], name, repr(found))


def listed(action):
    """The words of --format or --view that the help of ACTION lists."""
    option = {"export": "format", "compare": "view"}[action]
    return tuple(re.search(r"^ +--%s=(\S+)" % option, execute(action, "--help")[1].decode(), re.M)[1].split("|"))


plan(2 + len(FORMATS) + 3 * len(VIEWS) + 4 + 10)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-files-"))
write("one.folded", ONE)
write("two.folded", TWO)
ok(listed("export") == FORMATS, "the formats are those of prof-export", repr(listed("export")))
ok(listed("compare") == VIEWS, "the views are those of prof-compare", repr(listed("compare")))

Gdb().run("prof-load one.folded two.folded", *("prof-export --format=%s gdb.%s" % (form, form) for form in FORMATS))
for form in FORMATS:
    status, out, err = execute("export", "--format=" + form, "one.folded", "two.folded")
    ok(status == 0 and out == read("gdb." + form) and out and not err, "%s is what GDB writes" % form, err)

forms = ("text", "csv", "json")
compared = Gdb().run(*("prof-compare one.folded two.folded --view=%s --format=%s" % (view, form)
                       for view in VIEWS for form in forms))
for i, (view, form) in enumerate((view, form) for view in VIEWS for form in forms):
    status, out, err = execute("compare", "--view=" + view, "--format=" + form, "one.folded", "two.folded")
    ok(status == 0 and out.decode().strip() == compared[i].strip() and compared[i].strip(),
       "compared %s as %s are what GDB prints" % (view, form), compared[i] + err)

status, out, err = execute("export", "-o", "x", "--function=step", "one.folded")
ok(status == 0 and not out and read("x") == b"main;work;step 5\n" and "--function=step (1 of 4" in err,
   "a filter chooses stacks, and is reported", err)
write("whole.folded", ONE.replace("2.5", "2"))
status, out, err = execute("export", "--format=pprof", "--output=packed", "whole.folded")
again = [sorted(execute("export", name)[1].splitlines()) for name in ("packed", "whole.folded")]
ok(again[0] == again[1] and len(again[0]) == 4, "an export can be exported again", repr(again) + err)
status, out, err = execute("compare", "--view=callers", "one.folded", "two.folded", "step")
ok(status == 0 and out.decode().strip() == Gdb().run(
    "prof-compare one.folded two.folded step --view=callers")[0].strip() and b"step" in out, "callers of a function", err)
status, out, err = execute("compare", "-o", "x", "one.folded", "two.folded")
ok(status == 0 and not out + err.encode() and b"new" in read("x"), "a comparison in a file", err)

refused("an export without files", 2, r"There is no file to export.*\nusage: gdbprof export", "export")
refused("a format that is none", 2, "nonsense", "export", "--format=nonsense", "one.folded")
refused("a metric that the format has no choice of", 1, "json holds all metrics", "export", "--format=json",
        "--metric=cpu", "one.folded")
refused("a file that is not there", 1, 'absent" cannot be read', "export", "absent")
refused("one file to compare", 2, r"not two files to compare.*\nusage: gdbprof compare", "compare", "one.folded")
refused("a function without callers", 2, "only with --view=callers", "compare", "one.folded", "two.folded", "step")
refused("functions in several words", 2, "with blanks in quotes", "compare", "one.folded", "two.folded", "a", "b")
refused("an option that is none", 2, 'no option "--nonsense"', "compare", "--nonsense", "one.folded", "two.folded")
with open("/dev/full", "w") as full:
    done = subprocess.run([COMMAND, "export", "one.folded"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
ok(done.returncode == 1 and "The export cannot be written: No space left" in done.stderr, "a full disk", done.stderr)
own, terminal = os.openpty()
done = subprocess.run([COMMAND, "export", "--format=pprof", "one.folded"], stdout=terminal, stderr=subprocess.PIPE, text=True,
                      timeout=300)
ok(done.returncode == 1 and "is binary, which a terminal cannot show: give -o FILE" in done.stderr, "a packed file on a terminal",
   done.stderr)
