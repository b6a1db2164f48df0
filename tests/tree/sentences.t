#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that users read are plain English, as far as a machine can find what is not.

With --list it prints them all, file by file, to be read as a whole.
"""

import re
import sys

from tree import files, none, ok, plan, read

# Words that only this project would understand, and the term of the field for each.
PRIVATE = {
    "afar": "remote", "astray": "wrong", "footing": "safepoint", "nudge": "run to", "pupil": "remote thread",
    "summons": "mark signal", "teller": "builder", "toll": "overhead", "wary": "guess",
}
# Patterns, and what to write instead.
CONTRACTIONS = [
    (r"\b\w+n't\b|\b(?:it|there|that|what|who|you|they|we|he|she)'(?:s|ll|re|ve|d)\b", "the whole words: cannot, it is"),
]
STIFF = [
    (r"\b(?:is|are|was|were|be|been) (?:told|said)\b", "who reports it"),
    (r"\bbut for\b", "except, or unless"),
    (r"\b(?:to|can|cannot|could) be had\b", "is available, or what failed"),
]
BANNED = CONTRACTIONS + STIFF + [
    (r"\b(?:tell|tells|says)\b", "reports, lists or prints"),
    (r"(?<!there )(?<!default )\bis no (?!longer|more|less)", "is not a"),
    (r"^what [^?]*$", "a noun"),
]
PRIVATE_WORDS = [(r"\b%ss?\b" % word, term) for word, term in PRIVATE.items()]
LONGEST = 25  # words of a sentence

TOKEN = re.compile(r"""(?P<skip>/\*.*?\*/|//[^\n]*|\\\n|\s+)|"(?P<text>(?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'"""
                   r"""|(?P<name>[A-Za-z_]\w*)|.""", re.S)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def strings(source):
    """The string literals of SOURCE, those in a row as one: (line number, text, is it an error's?) each."""
    found, parts, start, line, error = [], [], 0, 1, False
    for token in TOKEN.finditer(source):
        text, name = token.group("text"), token.group("name")
        if text is not None:
            start = start if parts else line
            parts.append(re.sub(r"\\(.)", lambda match: ESCAPES.get(match.group(1), match.group(0)), text, flags=re.S))
        elif name and name.startswith("PRI") and parts:
            parts.append("d")  # the rest of "%" PRIu64
        elif not token.group("skip"):
            if parts:
                found.append((start, "".join(parts), error))
                error = False
            parts = []
            if name == "prof_error_create":
                error = True
            elif token.group() == ";":
                error = False
        line += token.group().count("\n")
    return found


def is_sentence(text):
    """Does a person read it as words, unlike SQL, a command or a name?"""
    return re.search(r"[A-Za-z]{2,}[,:]? [a-z%']+,? [a-z%'\"]+", text) and not re.match(
        r"(?:SELECT|INSERT|CREATE|UPDATE|DELETE|PRAGMA|DROP|ALTER) ", text)


def matches(text, patterns):
    """What of TEXT is to be written in another way, and how."""
    return ['"%s": write %s' % (match.group().strip(), instead) for pattern, instead in patterns
            for match in re.finditer(pattern, text, re.I)]


def malformed(text):
    """What is wrong with the form of an error's TEXT."""
    wrong = []
    if re.match(r"[a-z]", text) and not re.match(r"(?:gdbprof|libpfm4|prof-)\b", text):
        wrong.append("begins without a capital")
    if not re.search(r"(?:[.?]['\"]?|%s)$", text):
        wrong.append("ends without a full stop")
    if re.search(r"[a-z)\"][.?] [A-Z]", text):
        wrong.append("has one space between sentences")
    wrong += ["%d words in a sentence" % len(sentence.split()) for sentence in re.split(r"[.?]\s\s?", text)
              if len(sentence.split()) > LONGEST]
    return wrong


def comments(source):
    """The comments of SOURCE: (line number, text) each."""
    return [(source.count("\n", 0, match.start()) + 1, match.group())
            for match in re.finditer(r"/\*.*?\*/|//[^\n]*", source, re.S)]


def prose(page):
    """PAGE, of Markdown, without code and quotations, which others may have written."""
    page = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    page = re.sub(r"^(?: {4}|\t).*$", "", page, flags=re.M)
    return re.sub(r'`[^`]*`|"[^"]{0,200}"', "", page)


LITERALS = [(path, *literal) for path in files("core", "plugin", "shell") for literal in strings(read(path))]
SHOWN = [(path, line, text, error) for path, line, text, error in LITERALS
         if text != "%s" and (error or is_sentence(text))]

if sys.argv[1:] == ["--list"]:
    last = None
    for file, line, text, error in SHOWN:
        print(("" if file == last else "\n%s\n" % file) + "%5d %s %s" % (line, "error" if error else "     ", text))
        last = file
    sys.exit()

SAMPLE = """/* "not this" */ f("It " /* nor this */ "can't be"); x = '"'; /* "nor this" */
return prof_error_create(CODE, "the footing of %" PRIu64
\t" is no ring", which);"""
BAD_FORM = ["no capital.", "No full stop", "One space. Between them.", "Word " * LONGEST + "more."]

plan(6)
found = strings(SAMPLE)
ok(found == [(1, "It can't be", False), (2, "the footing of %d is no ring", True)] and
   all(len(matches(text, BANNED + PRIVATE_WORDS)) == count for (_, text, _), count in zip(found, (1, 2))) and
   all(len(malformed(text)) == 1 for text in BAD_FORM) and not malformed("Cannot read \"%s\": %s.  Record again."),
   "what is banned is found", "%s\n%s" % (found, [malformed(text) for text in BAD_FORM]))
none(["%s:%d: %s" % (path, line, wrong) for path, line, text, _ in SHOWN
      for wrong in matches(text, BANNED + PRIVATE_WORDS)], "strings are plain English")
none(["%s:%d: %s" % (path, line, wrong) for path, line, text, error in SHOWN if error for wrong in malformed(text)],
     "messages of errors are short sentences with a capital and a full stop")
none(["%s:%d: %s" % (path, line, wrong) for path in files("core", "plugin", "shell")
      for line, text in comments(read(path)) for wrong in matches(text, PRIVATE_WORDS)],
     "comments have the words of the field")
none(["%s:%d: %s" % (path, line, wrong) for path in files("core", "plugin", "shell", "include", ends=(".h",))
      for line, text in comments(read(path)) for wrong in matches(re.sub(r'"[^"]*"', "", text), CONTRACTIONS + STIFF)],
     "comments of headers name who does what")
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + files("doc", "core", "plugin", "shell", ends=".md")
none(["%s: %s" % (path, wrong) for path in PAGES for wrong in matches(prose(read(path)), CONTRACTIONS + PRIVATE_WORDS)],
     "documents have whole words, and those of the field")
