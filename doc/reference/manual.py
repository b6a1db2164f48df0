# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the manual page gdbprof(1), made of gdbprof.md beside this file, in the language of man(7).

The environment has the name of its file as MANUAL, and as VERSION what its footer says: "gdbprof 1.0.0".  The
Makefile runs this inside GDB, which is there anyway.

It knows the Markdown of that page: headings, paragraphs, code that is indented, lists, tables of two columns,
`code`, [links](which are left out) and comments.
"""

import os
import re

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gdbprof.md")


def escaped(text):
    """TEXT so that roff prints it as it is, at any place of a line."""
    for letter, name in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"), ("|", "|\\:")):
        text = text.replace(letter, name)
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def inline(text):
    """The lines of a paragraph of Markdown: links are their text, and code is bold."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    parts = re.split(r"`([^`]*)`", text)
    return "".join("\\fB%s\\fR" % escaped(part) if i % 2 else escaped(re.sub(r"\\([<*])", r"\1", part))
                   for i, part in enumerate(parts))


def table(lines):
    """A table, whose rows become tagged paragraphs, and its head a sentence before them."""
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ", 1)] for line in lines]
    return [".PP", inline(rows[0][0].capitalize()) + ":"] + [
        line for tag, meaning in rows[2:] for line in (".TP", inline(tag), inline(meaning))]


def paragraph(text):
    """What a paragraph of Markdown is in the manual."""
    lines = text.split("\n")
    if text.startswith("#"):
        return [".SH " + inline(text.lstrip("# ")).upper().replace("\\FB", "\\fB").replace("\\FR", "\\fR")]
    if text.startswith("    "):
        return [".PP", ".in +4n", ".EX"] + [escaped(line[4:]) for line in lines] + [".EE", ".in"]
    if text.startswith("|"):
        return table(lines)
    if text.startswith("- "):
        return [line for item in re.split(r"^- ", text, flags=re.M)[1:]
                for line in (".TP", *(inline(part) for part in item.partition(": ")[::2]))]
    return [".PP", inline(text)]


def manual(page, version):
    """The manual of PAGE: its first paragraph is the name, and the code after that the synopsis."""
    page = re.sub(r"<!--.*?-->\n", "", page)
    head, name, synopsis, *rest = re.split(r"\n\n+", page.strip())
    command = re.match(r"# (\w+)", head).group(1)
    usages = [line.strip().partition(" ")[2] for line in synopsis.split("\n")]
    lines = ['.TH %s 1 "" "%s" "User Commands"' % (command.upper(), version), ".ad l", ".nr HY 0", ".SH NAME",
             "%s \\- %s" % (command, inline(name.rstrip(".")[0].lower() + name.rstrip(".")[1:])), ".SH SYNOPSIS"]
    for usage in usages:
        lines += [".SY " + command, escaped(usage), ".YS"]
    lines.append(".SH DESCRIPTION")
    for text in rest:
        lines += paragraph(text)
    return "\n".join(lines) + "\n"


with open(PAGE, encoding="utf-8") as source, open(os.environ["MANUAL"], "w", encoding="utf-8") as target:
    target.write(manual(source.read(), os.environ["VERSION"]))
