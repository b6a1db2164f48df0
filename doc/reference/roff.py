# SPDX-License-Identifier: GPL-3.0-or-later
"""Markdown, as the pages of this folder have it, in the language of man(7).

It knows headings, paragraphs, code that is indented, lists, tables of two columns, `code`, links and comments.
"""

import posixpath
import re

# Behind some letters, roff may break a long word.
ESCAPES = (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ('"', "\\(dq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti"),
           ("|", "|\\:"), ("]", "]\\:"))


def escape(text):
    """TEXT so that roff prints it as it is, at any place of a line."""
    for letter, name in ESCAPES:
        text = text.replace(letter, name)
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def link(found):
    """A link is its text; what is no name of a command or an option is followed by the file that it leads to,
    if that is not a part of the manual."""
    text, target = found.groups()
    page = posixpath.normpath("reference/" + target.partition("#")[0])
    return text if text.startswith("`") or target.startswith(("#", "options.md")) else "%s (`%s`)" % (text, page)


def inline(text):
    """The line of a paragraph of Markdown: links are their text, and code is bold."""
    text = re.sub(r"\[([^]]*)\]\(([^)]*)\)", link, " ".join(text.split()))
    parts = re.split(r"`([^`]*)`", text)
    return "".join("\\fB%s\\fR" % escape(part) if i % 2 else escape(re.sub(r"\\([<*])", r"\1", part))
                   for i, part in enumerate(parts))


def escape_usage(text):
    """How a command is used, in TEXT: what stands for something else is slanted."""
    return re.sub(r"\b[A-Z]{2,}\b|\b[A-Z]\b", r"\\fI\g<0>\\fR", escape(text))


def heading(text, level=1):
    """A section, whose heading is in capitals, or a part of one."""
    return [".SH " + text.upper() if level == 1 else ".SS " + inline(text)]


def tagged(rows):
    """ROWS of a tag and its meaning, Markdown each, as tagged paragraphs."""
    return [line for tag, meaning in rows for line in (".TP", inline(tag), inline(meaning) or "\\&")]


def rows_of_table(text):
    """The cells of a table's rows, its head first."""
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ", 1)] for line in text.split("\n")]
    return rows[:1] + rows[2:]


def rows_of_list(text):
    """The items of a list, each divided at its colon."""
    return [item.partition(": ")[::2] for item in re.split(r"^- ", text, flags=re.M)[1:]]


def paragraph(text):
    """A paragraph of Markdown, a list of lines."""
    lines = text.split("\n")
    if text.startswith("#"):
        return heading(text.lstrip("# "), 2)
    if text.startswith("    "):
        return [".PP", ".in +4n", ".EX"] + [escape(line[4:]) for line in lines] + [".EE", ".in"]
    if text.startswith("|"):
        head, *rows = rows_of_table(text)
        return [".PP", inline(head[0].capitalize()) + ":"] + tagged(rows)
    if text.startswith("- "):
        return tagged(rows_of_list(text))
    return [".PP", inline(text)]


def paragraphs(text):
    """The paragraphs of TEXT, which has comments, as Markdown."""
    text = re.sub(r"<!--.*?-->\n", "", text).strip("\n")
    return [part for part in re.split(r"\n\n+|(?<=:)\n(?=- )", text) if part]


def finish(lines):
    """The text of a page of LINES, where no paragraph begins that a heading has begun."""
    kept = [line for before, line in zip([""] + lines, lines) if line != ".PP" or not re.match(r"\.S[HS] ", before)]
    return "\n".join(kept) + "\n"
