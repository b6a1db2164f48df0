#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual pages have what `gdbprof --help` and GDB's `help` print, and man, groff and mandoc like them."""

import os
import re
import subprocess

from session import BUILD, Gdb, lacking, ok, plan, skip

COMMAND = os.path.join(BUILD, "gdbprof")
FOLDER = os.path.join(BUILD, "man")
WIDTHS = (40, 80, 200)


def execute(*words, status=0, **environment):
    """What a command prints, and its warnings; its exit status is STATUS, or any other if that is None."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8", **environment})
    assert status is None or done.returncode == status, (words, done)
    return done.stdout, done.stderr


def path_of(name):
    return os.path.join(FOLDER, "man" + name[-1], name)


def read_page(name):
    """The text of the page NAME, a line each paragraph, without requests and fonts."""
    with open(path_of(name), encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"\\f[BIR]|\\:|\\&", "", text)
    for escaped, letter in (("-", "-"), ("(aq", "'"), ("(ga", "`"), ("(dq", '"'), ("(ha", "^"), ("(ti", "~")):
        text = text.replace("\\" + escaped, letter)
    return re.sub(r"^\.[A-Za-z]+ ?", "", text, flags=re.M).replace("\\e", "\\")


def options(text):
    """The options that a help text describes: how each is written, and what it does."""
    return [(usage, " ".join(does.split())) for usage, does in
            re.findall(r"^  (--.*)\n((?:    .*\n?)*)", text.partition("\nOptions:\n")[2], re.M)]


def missing(rows, page):
    """The options of ROWS that PAGE has not; what is in quotes in a help text is bold there: "set prof collapse"."""
    return ["%s\n%s" % row for row in rows if ("\n%s\n%s\n" % row).replace('"', "") not in page.replace('"', "")]


plan(9 + len(WIDTHS))
usages = re.findall(r"^  (gdbprof (\S+) .*)\n      (.*)", execute(COMMAND, "--help")[0], re.M)
names = ["gdbprof.1"] + ["gdbprof-%s.1" % name for _, name, _ in usages] + ["gdbprof.7"]
pages = {name: read_page(name) for name in names}
whole = pages["gdbprof.1"]
ok(len(usages) > 2 and all("\n%s\n" % usage.partition(" ")[2] in whole.replace('"gdbprof %s"\n' % name, name + " ")
                           and "\ngdbprof-%s(1)\n%s\n" % (name, does) in whole for usage, name, does in usages),
   "gdbprof(1) has each action, as --help has it", whole)
wrong = [name for _, name, does in usages
         if "\ngdbprof-%s - %s\n" % (name, does[0].lower() + does[1:-1]) not in pages["gdbprof-%s.1" % name]]
ok(not wrong, "each action has a page", "\n".join(wrong))
texts = {name: execute(COMMAND, name, "--help")[0] for _, name, _ in usages}
rows = {name: options(text) for name, text in texts.items()}
wrong = [row for name in rows for row in missing(rows[name], pages["gdbprof-%s.1" % name])]
ok(sum(map(len, rows.values())) > 30 and not wrong, "with each option, in the same words", "\n".join(wrong))
start = options(Gdb().run("help prof-start")[0])
wrong = missing(start, pages["gdbprof-record.1"])
ok(len(start) > 10 and not wrong, "that of record has the options of prof-start", "\n".join(wrong))

# Its blocks are those of doc/reference, which reference.t compares with help.
listed = Gdb().run("complete prof-")[0].split() + re.findall(r"^(set prof \S+) -- ", Gdb().run("help set prof")[0], re.M)
wrong = [name for name in listed if not re.search("^`?%s( |$)" % re.escape(name), pages["gdbprof.7"], re.M)]
ok(len(listed) > 50 and not wrong, "gdbprof(7) has each command and setting", "\n".join(wrong))

version = execute(COMMAND, "--version")[0].strip()
heads = [page.partition("\n")[0] for page in pages.values()]
ok(version and all(re.search(r' \d{4}-\d\d-\d\d "%s" ' % re.escape(version), head) for head in heads),
   "their footers have the version and its day", "\n".join(heads))
left = [found for page in pages.values() for found in re.findall(r".*(?:\]\(|<!--|```|\.md#).*", page)]
ok(not left, "no Markdown is left", "\n".join(left))
for tool, words in (("groff", ("-man", "-Tutf8", "-ww")), ("mandoc", ("-Tlint", "-Wwarning"))):
    why = lacking(tool)
    if why:
        skip(1, "%s warns of nothing" % tool, why)
        continue
    warnings = []
    for name in names:
        shown, said = execute(tool, *words, path_of(name), status=None)
        warnings.append(shown + said if tool == "mandoc" else said)
    ok(not any(warnings), "%s warns of nothing" % tool, "".join(warnings))
why = lacking("man")
if why:
    skip(len(WIDTHS), "the pages in man", why)
else:
    for width in WIDTHS:
        found = [execute("man", "-l", "--warnings", "-E", "UTF-8", path_of(name), MANWIDTH=str(width)) for name in names]
        ok(all("DESCRIPTION" in shown and not said for shown, said in found),
           "man formats them for %d columns without warnings" % width, "".join(said for _, said in found))
