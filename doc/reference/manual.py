# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the manual pages, made of the pages in this folder, to the folder that the environment has as MANUALS.

gdbprof(1) and a page for each action, such as gdbprof-record(1), are made of gdbprof.md; options that an action takes
from a command of GDB are those of the command's page.  gdbprof(7) has GDB's commands, settings and functions: of their
pages it has the blocks that `make reference` makes of the tables of commands.

The Makefile runs this inside GDB, which is there anyway.
"""

import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(FOLDER))
# The sources may be read-only.
sys.dont_write_bytecode = True
sys.path.insert(0, FOLDER)

from roff import escape_usage, finish, heading, inline, paragraph, paragraphs, rows_of_list, rows_of_table, tagged  # noqa: E402

BLOCK = re.compile(r"<!-- from help: (.*?) -->\n(.*?)<!-- end of help -->\n", re.S)
# What users of a shell find beside the pages of gdbprof.
OTHERS = ["gdb(1)", "perf(1)", "gprof(1)"]
# Actions that take the options of a command of GDB, too: those of what, and of which command.
TAKEN = {"record": ("prof-start", "prof-start"), "report": ("views", "prof-functions")}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def blocks(page):
    """{key: paragraphs} of the blocks of PAGE."""
    return {key: paragraphs(text) for key, text in BLOCK.findall(read(FOLDER, page + ".md"))}


def title(name, section, what):
    """The head of the page NAME, up to WHAT it is about, a sentence."""
    version, date = (re.search('PROF_%s "(.*)"' % key, read(TOP, "core", "base", "version.h")).group(1)
                     for key in ("VERSION", "DATE"))
    what = inline(what[0].lower() + what[1:].rstrip("."))
    return ['.TH %s %d %s "gdbprof %s" "%s"' % (
        name.upper(), section, date, version, "User Commands" if section == 1 else "GDB Commands"),
            ".ad l", ".nr HY 0", *heading("name"), "%s \\- %s" % (name.replace("-", "\\-"), what)]


def synopsis(usages):
    """How the command is used, a line each: "gdbprof", or "gdbprof" and an action, and the rest."""
    lines = heading("synopsis")
    for usage in usages:
        name, rest = re.match(r" *(gdbprof(?: [a-z]+)?) (.*)", usage).groups()
        lines += ['.SY "%s"' % name, escape_usage(rest), ".YS"]
    return lines


def see_also(names, own=""):
    """A list of the pages NAMES but for the OWN."""
    return heading("see also") + [
        inline(", ".join("`%s`" % name for name in names if name != own)), ".PP",
        inline("Files such as `tutorial.md` are gdbprof's documents.  They are in the folder `share/doc/gdbprof` of the"
               " prefix, such as `/usr`, that gdbprof is installed in.")]


def all_paragraphs(parts):
    return [line for part in parts for line in paragraph(part)]


def own_options(parts):
    """[(usage, meaning)] of the options that a command has alone, of the PARTS of its block."""
    return rows_of_list(parts[parts.index("Options:") + 1]) if "Options:" in parts else []


def options_of_command(name):
    """[(usage, meaning)] of the options of the command NAME in GDB, with those that it shares with others."""
    parts, shared = blocks(name)[name], blocks("options")
    filters = re.findall(r"from help: (--.*?) -->", read(FOLDER, "options.md").partition("\n## Filters\n")[2])
    listed = " ".join(part for part in parts if re.match(r"(Other o|O)ptions: ", part))
    # An option that means different things has several usages, each before its meaning.
    found = [(usage, shared[key][shared[key].index("    " + usage) + 1])
             for usage, key in re.findall(r"\[`([^`]*)`\]\(options\.md#(--.*?)\)", listed)]
    if "options.md#filters" in listed:
        found += [(shared[key][0].strip(), shared[key][1]) for key in filters]
    return own_options(parts) + [("`%s`" % usage, meaning) for usage, meaning in found]


def action(name, text):
    """The page of the action NAME, whose section in gdbprof.md is TEXT."""
    (_, block), = BLOCK.findall(text)
    what, usage, *parts = paragraphs(block)
    rest = paragraphs(BLOCK.sub("", text))
    status = [part for part in rest if re.match(r"The exit status is|\| exit status ", part)]
    body = parts[:parts.index("Options:")] + [part for part in rest if part not in status]
    lines = title("gdbprof-" + name, 1, what) + synopsis([usage])
    lines += heading("description") + all_paragraphs(body)
    lines += heading("options") + tagged(own_options(parts))
    if name in TAKEN:
        of, command = TAKEN[name]
        lines += heading("Options of " + of, 2) + tagged(options_of_command(command))
    lines += heading("exit status")
    for part in status:
        lines += tagged(rows_of_table(part)[1:]) if part.startswith("|") else paragraph(part)
    return lines


def of_shell():
    """{file name: lines} of the pages of the shell command and its actions."""
    head, *rest = re.split(r"^## (.*)\n", read(FOLDER, "gdbprof.md"), flags=re.M)
    sections = dict(zip(rest[::2], rest[1::2]))
    names = [key.partition(" ")[2] for key in sections if key.startswith("gdbprof ")]
    what, usages, *parts = paragraphs(head)[1:]
    lines = title("gdbprof", 1, what) + synopsis(usages.split("\n")) + heading("description") + all_paragraphs(parts)
    lines += heading("actions") + tagged(("`gdbprof-%s(1)`" % name, blocks("gdbprof")["gdbprof " + name][0])
                                         for name in names)
    lines += heading("example") + all_paragraphs(paragraphs(sections["Example"]))
    family = ["gdbprof(1)"] + ["gdbprof-%s(1)" % name for name in names] + ["gdbprof(7)", *OTHERS]
    pages = {"gdbprof.1": lines + see_also(family, "gdbprof(1)")}
    for name in names:
        pages["gdbprof-%s.1" % name] = (action(name, sections["gdbprof " + name]) +
                                        see_also(family, "gdbprof-%s(1)" % name))
    return pages


def described(parts, level=2):
    """What the PARTS of a block say: what it is about becomes a heading, before its usage."""
    sentence, usage, *rest = parts
    return heading("`%s`" % usage.strip(), level) + all_paragraphs([sentence] + rest)


def of_gdb():
    """The lines of gdbprof(7)."""
    what, usage, *parts = blocks("prof")["prof"]
    lines = title("gdbprof", 7, what) + heading("synopsis") + [inline("`%s`" % usage.strip())]
    lines += heading("description") + all_paragraphs(parts)
    _, *groups = blocks("README")["commands"]
    for group, table in zip(groups[::2], groups[1::2]):
        lines += heading(group.rstrip(":"))
        for name in re.findall(r"^\| \[`(.*?)`\]", table, re.M):
            lines += described(blocks(name).get(name) or blocks("prof-status")[name])
    lines += heading("options of several commands")
    for parts in blocks("options").values():
        lines += tagged(("`%s`" % usage.strip(), meaning) for usage, meaning in zip(parts, parts[1:])
                        if usage.startswith("    "))
    lines += heading("settings")
    for key, parts in blocks("settings").items():
        lines += described(parts) if len(parts) > 1 else heading("`%s`" % key, 2) + all_paragraphs(parts)
    lines += heading("convenience functions")
    for parts in blocks("functions").values():
        lines += described(parts)
    return lines + see_also(["gdbprof(1)", *OTHERS])


for _name, _lines in {**of_shell(), "gdbprof.7": of_gdb()}.items():
    _path = os.path.join(os.environ["MANUALS"], "man" + _name[-1], _name)
    os.makedirs(os.path.dirname(_path), exist_ok=True)
    with open(_path, "w", encoding="utf-8") as _file:
        _file.write(finish(_lines))
