#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands, options and settings that the documents name exist, and lines of source have the numbers that they show."""

import glob
import os
import re

from session import Gdb, ok, plan

TOP = os.path.join(os.path.dirname(__file__), "../..")
PAGES = ["README.md", "CHANGELOG.md"] + sorted(
    os.path.relpath(path, TOP) for path in glob.glob(os.path.join(TOP, "doc/**/*.md"), recursive=True))
# Recipes of gdbscripts/, which are no commands of gdbprof's own.
RECIPES = {"prof-" + name for name in ("between", "until-share", "request", "loop", "passes")}


def pieces(text):
    """The code in TEXT: lines that are indented, and what stands between backquotes."""
    return re.findall(r"^    (.*)$", text, re.M) + re.findall(r"`([^`]+)`", text)


def uses(code):
    """The commands in CODE, each with its options: a word of another program ends them."""
    for found in re.finditer(r"(?<![\w/-])(prof-[a-z-]+[a-z])((?: +[^|;()]*)?)", code):
        command, rest = found.groups()
        options = re.findall(r"(?<= )--([a-z][a-z-]*)", rest)
        view = re.match(r" +(?:\d+ +)?([a-z]+)", rest) if command == "prof-since" else None
        if view:
            yield command, []
            command = "prof-" + view.group(1)
        if command == "prof-top":  # options that it does not have itself are those of the view
            own = {"once", "view"}
            yield command, [option for option in options if option in own]
            view = re.search(r"--view[= ]([a-z]+)", rest)
            command = "prof-" + (view.group(1) if view else "functions")
            options = [option for option in options if option not in own]
        yield command, options


def settings(code):
    """The settings in CODE."""
    return re.findall(r"\b(?:set|show|with) prof ([a-z][a-z-]*)", code)


def numbered(folder):
    """{text: its line numbers} of the lines in the programs of FOLDER that are long enough to be known again."""
    found = {}
    for path in glob.glob(os.path.join(TOP, folder, "*.c")):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if len(line.strip()) > 15:
                    found.setdefault(line.strip(), []).append(number)
    return found


def listed(text):
    """(number, text) of each line that may be one of source in the listings of the page TEXT."""
    return [(int(number), line) for number, line in re.findall(r"^(?: {4}.*)? (\d+)\t? +(\S.*)$", text, re.M)]


plan(3)
source = numbered("examples")
stale, right = [], 0
commands = sorted(Gdb().run("complete prof-")[0].split())
names = Gdb().run("complete set prof ")[0].split("\n")
known = {line.split()[-1] for line in names if line} | {"version"}
helps = dict(zip(commands, Gdb().run(*("help " + name for name in commands))))
unknown, missing = [], []
for page in PAGES:
    with open(os.path.join(TOP, page)) as file:
        text = file.read()
    for number, line in listed(text):
        right += number in source.get(line, [])
        if number not in source.get(line, [number]):
            stale.append("%s: %d is line %s: %s" % (page, number, source[line], line))
    for code in pieces(text):
        for command, options in uses(code):
            if command not in helps:
                unknown += [] if command in RECIPES else ["%s: %s" % (page, command)]
                continue
            missing += ["%s: %s --%s" % (page, command, option) for option in options
                        if not re.search(r"--(\w+\|)*%s\b" % re.escape(option), helps[command])]
        unknown += ["%s: set prof %s" % (page, name) for name in settings(code) if name not in known]
ok(helps and not unknown, "all commands and settings exist", "\n".join(sorted(set(unknown))))
ok(not missing, "all options exist", "\n".join(sorted(set(missing))))
ok(right > 10 and not stale, "listings have the line numbers of the examples", "\n".join([str(right)] + stale))
