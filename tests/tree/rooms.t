#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each room has a page, which says what it is for, what it includes, and which of its headers others include: all else
is private."""

import os
import re

from tree import TOP, files, includes, none, plan, read, rooms

plan(7)
PAGE = 30  # lines of a screen

core, plugin = rooms(), ["plugin/" + room for room in rooms("plugin_rooms")]
# What a page may list, in this order: as includes name rooms, and the headers that those outside of GDB share.
earlier = {"core/" + room: core[:core.index(room)] for room in core}
earlier.update({room: core + plugin[:plugin.index(room)] for room in plugin})
earlier.update({"shell": core, "core/agent": ["tracing/ring.h"], "core/watchdog": ["sampling/watchdog_table.h"]})
folders = list(earlier)
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


def included(folder):
    """What the files of FOLDER include of other folders: rooms, or the headers if the page lists headers."""
    names = {name[1:-1] for path in files(folder) for _, name in includes(path) if name.startswith('"')}
    others = {name for name in names if folder not in (folder_of(name), os.path.dirname(name))}
    return {name if name in earlier[folder] else os.path.dirname(name) for name in others}


lines = {folder: re.search(r"^Includes: (.+(?:\n.+)*)\.$", read(page), re.M) for folder, page in pages.items()
         if page not in missing}
none(["%s has no such line" % pages[folder] for folder in lines if not lines[folder]], "each page has a line of what the room includes")
lists = {folder: re.findall(r"`([^`]+)`", line.group(1)) for folder, line in lines.items() if line}
none(["%s: %s" % (pages[folder], name) for folder, found in lists.items() for name in set(found) ^ included(folder)],
     "it lists what the files of the room include, no more and no less")
none(["%s: %s" % (pages[folder], ", ".join(found)) for folder, found in lists.items()
      if found != [name for name in earlier[folder] if name in found]],
     "it lists earlier rooms only, in the order of rooms")

described = re.findall(r"^\| `((?:core/|plugin/|shell)\w*)` \|", read("doc/hacking.md"), re.M)
expected = [folder for folder in folders if folder not in ("core/agent", "core/watchdog")]
none(sorted(set(described) ^ set(expected)) or ([described] if described != expected else []),
     "doc/hacking.md lists all rooms, in their order")
