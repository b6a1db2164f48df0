#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of doc/reference say what help says, each command has one, and their links lead somewhere."""

import filecmp
import os
import re
import shutil
import tempfile

from session import TOP, Gdb, ok, plan

FOLDER = os.path.join(TOP, "doc", "reference")
LINK = re.compile(r"\[[^]]*\]\(([^)\s]*)\)")
BLOCK = re.compile(r"<!-- from help: .*? -->\n(.*?)<!-- end of help -->", re.S)
HEADING = re.compile(r"^#+ (.*)$", re.M)


def generate(folder):
    """What doc/reference/generate.py prints as it rewrites the pages in FOLDER."""
    return Gdb(env={"REFERENCE": folder}).run("source " + os.path.join(FOLDER, "generate.py"))[0].strip()


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def pages(folder=FOLDER):
    return sorted(name for name in os.listdir(folder) if name.endswith(".md"))


def anchors(path):
    """The anchors of the headings of the page PATH, as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(read(path))}


def dead_links(name):
    """The links of the page NAME that lead nowhere."""
    dead = []
    for link in LINK.findall(read(os.path.join(FOLDER, name))):
        target, _, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(FOLDER, target or name))
        if not target.startswith("https:") and not (
                os.path.exists(path) and (not anchor or anchor in anchors(path))):
            dead.append("%s: %s" % (name, link))
    return dead


def malformed(name):
    """What in the parts of the page NAME that help has is no Markdown, or not what help means by it."""
    text = re.sub(r"^    .*\n", "", "".join(BLOCK.findall(read(os.path.join(FOLDER, name)))), flags=re.M)
    wrong = [span for span in re.findall(r"`([^`]*)`", text) if span.count("'") % 2 or "\\" in span or "\n" in span]
    wrong += re.findall(r"^ .*|\w {2,}\w.*", text, re.M)
    return ["%s: %s" % (name, found) for found in wrong]


def changed(page, old, new):
    """What is said, and whether the page is mended, where in PAGE there is NEW in the place of OLD."""
    with tempfile.TemporaryDirectory() as place:
        folder = shutil.copytree(FOLDER, os.path.join(place, "reference"))
        path = os.path.join(folder, page)
        text = read(path)
        write(path, text.replace(old, new, 1))
        return generate(folder), text != text.replace(old, new, 1) and read(path) == text


plan(13)
commands = ["prof"] + Gdb().run("complete prof-")[0].split()
with tempfile.TemporaryDirectory() as place:
    copy = shutil.copytree(FOLDER, os.path.join(place, "reference"))
    problems = generate(copy)
    ok(not problems, "each command, shared option, setting and function is described once", problems)
    stale = [name for name in pages() if not filecmp.cmp(os.path.join(copy, name), os.path.join(FOLDER, name), False)]
    ok(not stale, "the pages have what help has; `make reference` rewrites them", "\n".join(stale))
wrong = sum((malformed(name) for name in pages()), [])
ok(not wrong, "values with blanks are one span of code, and paragraphs stay paragraphs", "\n".join(wrong))
described = [name for name in pages() if re.match(r"prof\b", name)]
wrong = {name[:-3] for name in described} ^ set(commands)
ok(len(commands) > 30 and not wrong, "each command has a page, and each page a command", "\n".join(wrong))
dead = sum((dead_links(name) for name in pages()), [])
ok(not dead, "links lead somewhere", "\n".join(dead))
names = [re.sub(r"^prof-", "", name).replace("-", "_") for name in commands]
untested = [name for name in names if not any(os.path.exists(os.path.join(TOP, "tests", path % name))
                                              for path in ("unit/view/%s.c", "gdb/%s.t"))]
ok(not untested, "each command has a test of its name", "\n".join(untested))
lacking = [name for name in described if not re.search(r"^    (?:\(gdb\)|\$ gdbprof) ", read(os.path.join(FOLDER, name)), re.M)]
ok(not lacking, "each page of a command has an example", "\n".join(lacking))

said, mended = changed("prof-tree.md", "    prof-tree [OPTION]...", "    prof-tree")
ok(not said and mended, "a page that differs from help is mended", said)
said, _ = changed("options.md", "from help: --limit ", "from help: --limits ")
ok('options.md has no block "--limit".' in said and '"--limits", which help does not have' in said,
   "an option without its description, and a description without an option, are found", said)

texts = dict(zip(commands, Gdb().run(*("help " + name for name in commands))))
wide = ["%s: %s" % (name, line) for name, text in texts.items() for line in text.splitlines()
        if len(line) > 80 and not line.startswith("  --")]
ok(not wide, "help fits a terminal of 80 columns", "\n".join(wide))
first = [text for text in texts.values() if not re.match(r"[A-Z][a-z]+ .*\.$", text.strip().partition("\n")[0])]
ok(not first, "help begins with a sentence", "\n".join(first))

names = set(re.findall(r"--metric=(\S+)", Gdb().run("complete prof-functions --metric=")[0]))
# The page describes these, which are an experiment's, as event-N.
names -= {name for name in names if re.match(r"event-\d", name)}
lacking = sorted(name for name in names if "`%s`" % name not in read(os.path.join(FOLDER, "metrics.md")))
ok("cpu" in names and not lacking, "each metric is described", "\n".join(lacking))

settings = dict(re.findall(r"^    set prof (\S+) (\S+)$", read(os.path.join(FOLDER, "settings.md")), re.M))
ok(settings.get("clock") == "cpu|wall" and settings.get("rate") == "VALUE" and
   not [name for name, values in settings.items() if name == values], "settings have their values", settings)
