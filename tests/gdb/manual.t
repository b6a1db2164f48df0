#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual page gdbprof(1) has what `gdbprof --help` prints, and man likes it."""

import os
import re
import subprocess

from session import BUILD, lacking, ok, plan, skip

COMMAND = os.path.join(BUILD, "gdbprof")
PAGE = os.path.join(BUILD, "gdbprof.1")
WIDTHS = (40, 80, 200)


def execute(*words, **environment):
    """What a command prints, and its warnings."""
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          env={**os.environ, "LC_ALL": "C.UTF-8", **environment})
    return done.stdout, done.stderr


def read_page():
    """The text of the page, a line each paragraph, without requests and fonts."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"\\f[BR]|\\:|\\&", "", text).replace("\\-", "-").replace("\\(aq", "'").replace("\\(ga", "`")
    return re.sub(r"^\.[A-Za-z]+ ?", "", text, flags=re.M).replace("\\e", "\\")


def options(text):
    """The options that a help text describes: how each is written, and what it does."""
    return [(usage, " ".join(does.split())) for usage, does in
            re.findall(r"^  (--.*)\n((?:    .*\n?)*)", text.partition("\nOptions:\n")[2], re.M)]


plan(5 + len(WIDTHS))
page = read_page()
summary = execute(COMMAND, "--help")[0]
usages = re.findall(r"^  (gdbprof (\S+) .*)\n      (.*)", summary, re.M)
ok(len(usages) > 2 and all(usage.partition(" ")[2] in page and does in page for usage, _, does in usages),
   "the page has each action, as --help has it", page)
ok(all(re.search("^GDBPROF %s$" % name.upper(), page, re.M) for _, name, _ in usages), "each has a section", page)
described = {name: options(execute(COMMAND, name, "--help")[0]) for _, name, _ in usages}
# The options of views are on pages of their own.
own = [row for name, rows in described.items() for row in rows if name != "report" or row[0].startswith(("--view", "--of"))]
# What is in quotes there is bold here: "set prof collapse".
missing = ["%s\n%s" % row for row in own if ("\n%s\n%s\n" % row).replace('"', "") not in page.replace('"', "")]
ok(len(own) > 3 and not missing, "it has each option of theirs, with the same words", "\n".join(missing))
version = execute(COMMAND, "--version")[0].strip()
ok(version and '"%s"' % version in page.partition("\n")[0], "its footer has the version", page.partition("\n")[0])
ok(not re.search(r"\]\(|<!--|```", page), "no Markdown is left", page)
why = lacking("man")
if why:
    skip(len(WIDTHS), "the page in man", why)
else:
    for width in WIDTHS:
        shown, warnings = execute("man", "-l", "--warnings", "-E", "UTF-8", PAGE, MANWIDTH=str(width))
        ok("DESCRIPTION" in shown and not warnings, "man formats it for %d columns without warnings" % width, warnings)
