#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each room says on a page what it is for, and which of its headers others include: all else is private."""

import os
import re

from tree import TOP, files, includes, none, plan, read, rooms

plan(3)
PAGE = 30  # lines of a screen

folders = ["core/" + room for room in rooms() + ["agent", "watchdog"]] + ["plugin/" + room for room in rooms("plugin_rooms")]
pages = {folder: folder + "/README.md" for folder in folders}
missing = [page for page in pages.values() if not os.path.exists(os.path.join(TOP, page))]

none(["%s is missing" % page for page in missing] +
     ["%s does not begin with its room" % page for folder, page in pages.items()
      if page not in missing and not read(page).startswith("# `%s`: " % folder)] +
     ["%s has %d lines" % (page, len(read(page).splitlines())) for page in pages.values()
      if page not in missing and len(read(page).splitlines()) > PAGE],
     "each room has a page")


def folder_of(name):
    """The folder of a header that is included as NAME: "metric/walk.h" is in core/metric."""
    folder = os.path.dirname(name)
    return folder if folder.startswith("plugin/") else "core/" + folder


public = {folder: set() for folder in folders}
for path in files("core", "plugin", "shell"):
    for _, name in includes(path):
        there = folder_of(name[1:-1])
        if name.startswith('"') and there in public and there != os.path.dirname(path):
            public[there].add(os.path.basename(name[1:-1]))

listed = {folder: set(re.findall(r"`([\w.-]+\.h)`", read(page).partition("Public headers")[2]))
          for folder, page in pages.items() if page not in missing}

none(["%s/%s is included elsewhere, but is private" % (folder, header) for folder in listed
      for header in sorted(public[folder] - listed[folder])],
     "what other rooms include is a public header")
none(["%s/%s is public, but nobody includes it" % (folder, header) for folder in listed
      for header in sorted(listed[folder] - public[folder])],
     "no header is public without need")
