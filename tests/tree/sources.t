#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every source file has its test, is of a size that can be read, and leaves nothing to do."""

import os
import re

from tree import TOP, files, includes, none, plan, read, rooms

plan(8)

# Files that are tested through a neighbour: what they do shows there, and hardly without it.
THROUGH = {
    "agent/agent": "agent/thread",
    "agent/hooks": "agent/heap",
    "agent/map": "agent/heap",
    "agent/preload": "agent/heap",
    "agent/record": "agent/thread",
    "agent/signature": "agent/traced_functions",
    "agent/stage": "agent/thread",
    "agent/system": "agent/sync",
    "agent/calibration": "agent/sync",
    "model/access": "view/data",
    "model/mark": "export/dump",
    "model/state": "export/dump",
    "model/usage": "view/intervals",
    "store/write": "store/store",
    "callgraph/callgraph": "callgraph/calls",
    "callgraph/check": "callgraph/calls",
    "formats/event_threads": "formats/events",
    "target/fde": "target/cfi",
    "target/scan": "target/unwind",
    "target/space": "target/unwind",
    "target/step": "target/cfi",
    "target/window": "target/expression",
    "tracing/blocks": "tracing/totals",
    "tracing/extents": "tracing/totals",
    "tracing/stacks": "tracing/ring_reader",
    "tracing/total_messages": "tracing/ring_reader",
    "sampling/tick": "sampling/ticker_signals",
    "model/calls": "formats/events",
    "model/contents": "report/needs",
    "formats/content": "formats/pprof",
    "formats/damage": "formats/folded",
    "store/database": "store/store",
    "store/columns": "store/rows",
    "formats/types": "formats/pprof",
    "metric/data": "view/data",
    "metric/filter": "metric/selection",
    "metric/live": "view/heap",
    "metric/locks": "view/locks",
    "metric/exchanges": "view/messages",
    "metric/traced_calls": "view/traces",
    "metric/phases": "view/phases",
    "view/interval_rows": "view/intervals",
    "view/changes": "view/compare",
    "metric/descent": "view/tree",
    "export/folded": "export/export",
    "report/grid": "report/table",
    "picture/hover": "view/flame",
    "report/json": "report/table",
    "view/listing": "view/source",
    "view/measures": "view/items",
    "view/named": "view/callers",
    "view/order": "view/items",
    "view/panels": "view/callers",
    "view/panel_rows": "view/callers",
    "picture/paint": "view/flame",
    "export/places": "export/export",
    "view/print": "view/view",
    "report/sheet": "view/view",
    "view/stack": "view/blocks",
    "picture/svg": "view/flame",
    "picture/svg_chart": "view/flame",
    "picture/svg_draw": "view/flame",
    "picture/tower": "picture/chart",
    "view/wanted": "view/source",
    "plugin/calls/recorded_calls": "gdb/recorded",
    "plugin/calls/counting_choice": "gdb/recorded",
}

units = {path[len("tests/unit/"):-2] for path in files("tests/unit", ends=".c")}
sessions = {path[len("tests/"):-2] for path in files("tests/gdb", ends=".t")}


def own_test(room, name):
    """The test of the file NAME: of its name, of a part of it, or several that begin with it."""
    words = name.split("_")
    names = [room + "/" + "_".join(words[:i]) for i in range(len(words), 0, -1)]
    family = "%s/%s_" % (room, words[0])
    return any(test in units for test in names) or any(test.startswith(family) for test in units)


def needs_gdb(path, seen):
    """Does the file PATH of the plugin include what calls GDB, or Python, however far away?"""
    seen.add(path)
    names = [name[1:-1] for _, name in includes(path)]
    return any(name == "Python.h" or name.startswith("plugin/gdb/") or
               (name.startswith("plugin/") and name not in seen and needs_gdb(name, seen)) for name in names)


untested, stale = [], []
for path in (files(*("core/" + room for room in rooms() + ["agent"]), ends=".c") +
             [path for path in files("plugin", ends=".c")
              if not path.startswith("plugin/command/") and not needs_gdb(path, set())]):  # GDB calls commands
    room, name = path[:-2].replace("core/", "", 1).rsplit("/", 1)
    through = THROUGH.get(room + "/" + name)
    if own_test(room, name):
        if through:
            stale.append("%s/%s has a test of its own" % (room, name))
    elif through not in units | sessions:
        untested.append("%s has no tests/unit/%s/%s.c" % (path, room, name))
none(untested, "every file of the core, and of the plugin what needs neither GDB nor Python, has its test")
none(stale + ["%s is no file" % name for name in THROUGH
              if not any(os.path.exists(os.path.join(TOP, top, name + ".c")) for top in ("core", ""))],
     "no exception to that is out of date")

none(["core/view/%s.c does not have the view %s" % (view, view)
      for view in re.findall(r"&prof_view_(\w+),", read("core/view/view.c"))
      if not os.path.exists(os.path.join(TOP, "core/view/%s.c" % view)) or
      "prof_view_%s = {" % view not in read("core/view/%s.c" % view)],
     "each view has a file of its name")

none(["%s has %d lines" % (path, lines) for path, lines in
      ((path, len(read(path).splitlines()))
       for path in files("core", "plugin", "shell", "gdbscripts", "examples", "tests", ends=(".c", ".h", ".py", ".t", ".js")))
      if lines > 600],
     "no source file is longer than 600 lines")

SCREEN = 60  # lines


def functions(path):
    """The functions of the C file PATH: the line that each begins in, and how many lines its body has."""
    begin = None
    for number, line in enumerate(read(path).splitlines(), 1):
        if line == "{":
            begin = number
        elif line == "}" and begin:
            yield begin, number - begin + 1
            begin = None


none(["%s:%d has a function of %d lines" % (path, begin, lines)
      for path in files("core", "plugin", "shell") for begin, lines in functions(path) if lines > SCREEN],
     "each function fits a screen")

# Words that only this project would understand; tests/tree/sentences.t has the terms of the field.
PRIVATE = {"afar", "astray", "drain", "footing", "nudge", "pupil", "school", "summons", "tell", "teller", "toll", "wary"}
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/', re.S)


def private(name):
    """The private words in NAME, also as a plural or another form of a verb."""
    words = name.lower().split("_")
    return PRIVATE.intersection(words + [re.sub(r"(?:s|ing|ed)$", "", word) for word in words])


FOLDERS = ["core", "plugin", "shell", "gdbscripts", "examples", "include"]
named = [(path, name) for path in files(*FOLDERS, ends=(".c", ".h", ".py"))
         for name in sorted(set(re.findall(r"[a-z]\w+", TEXT.sub("", read(path)), re.I)))]
named += [(path, os.path.splitext(os.path.basename(path))[0]) for path in files(*FOLDERS, "tests", ends="")]
none(["%s: %s" % (path, name) for path, name in named if private(name)], "no private word names anything")

LICENCE = "SPDX-License-Identifier: GPL-3.0-or-later"
# What the tests read: the licence is not part of the data.
DATA = ("tests/debian/sources/", "tests/fuzz/corpus/", "tests/fuzz/regressions/", "tests/unit/golden/")
SOURCES = (".c", ".cc", ".h", ".S", ".ld", ".proto", ".css", ".js", ".py", ".t", ".gdb", ".adb", ".d", ".f90", ".go", ".rs")


def head(path):
    """The first two lines of the file PATH, whatever it holds."""
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as file:
        return [file.readline(), file.readline()]


def licensed():
    """The files that must name their licence: sources, and scripts of any name."""
    for path in files("core", "plugin", "shell", "include", "gdbscripts", "examples", "tests", "doc", ".ci", ends=""):
        if not path.startswith(DATA) and (path.endswith(SOURCES) or head(path)[0].startswith("#!")):
            yield path
    yield from ("Makefile", "install-packages")


none([path for path in licensed() if LICENCE not in head(path)[head(path)[0].startswith("#!")]],
     "each source file and script begins with its licence, behind the line that names its interpreter")

LEFT = re.compile("|".join(["TO" + "DO", "FIX" + "ME"]))
none(["%s:%d" % (path, number)
      for path in files("core", "plugin", "shell", "gdbscripts", "examples", "tests", "doc",
                        ends=(".c", ".cc", ".h", ".py", ".t", ".gdb", ".md")) + ["Makefile"]
      for number, line in enumerate(read(path).splitlines(), 1) if LEFT.search(line)],
     "nothing is left to be done later")
