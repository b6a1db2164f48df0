#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents link to pages and headings that exist, name sources that exist, and have pictures as they are now."""

import os
import re

from tree import TOP, files, none, plan, read

plan(3)


def anchors(text):
    """The names of the headings of TEXT, as GitHub and GitLab make them."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def broken(path):
    """The links of the page PATH that lead nowhere."""
    without_code = re.sub(r"^    .*$", "", read(path), flags=re.M)
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code):
        target, _, anchor = link.partition("#")
        page = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if "://" in link:
            continue
        if not os.path.exists(os.path.join(TOP, page)):
            yield "%s: %s does not exist" % (path, link)
        elif anchor and anchor not in anchors(read(page)):
            yield "%s: %s has no such heading" % (path, link)


PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + files("doc", "core", "plugin", "shell", "gdbscripts", "examples", "tests", ends=".md")
none([link for path in PAGES for link in broken(path)], "all links lead somewhere")

FOLDERS = ["core", "examples", "include", "plugin", "shell", "tests"]
GENERATED = "pprof.pb-c.h"
sources = files(*FOLDERS, ends=(".c", ".h", ".t"))
names = {os.path.basename(source) for source in sources} | {GENERATED}


def unknown(path):
    """The sources that the page PATH names in a span of code and that are not there.  ROOM and FILE stand for any name."""
    for name in re.findall(r"`([\w./-]*\w\.[cht])`", read(path)):
        whole = name.split("/")[0] in FOLDERS
        if not (name in sources if whole else os.path.basename(name) in names) and "ROOM" not in name:
            yield "%s: there is no %s" % (path, name)


none([name for path in PAGES for name in unknown(path)], "all sources that are named exist")

# Their boxes are those of one recording, which nobody makes again for this.
parts = ["".join(read("core/picture/flame" + end).splitlines(True)[1:]) for end in (".css", ".js")]  # without the licence
none([path for path in files("doc/pictures", ends=".svg") if any(part not in read(path) for part in parts)],
     "flame graphs in the documents have the style and the script of core/picture")
