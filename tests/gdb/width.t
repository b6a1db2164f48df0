#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Views fit the screen: on 80 columns no line of any view wraps, whatever C++ makes of its names."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios

from session import BUILD, TOP, Gdb, again, ok, plan, rows

VIEWS = re.findall(r"&prof_view_(\w+),", open(os.path.join(TOP, "core", "view", "view.c"), encoding="utf-8").read())
OF = {"callers": "fill", "source": "fill", "disas": "fill"}
# What they print of an experiment without single calls.
WHOLE = [name for name in VIEWS if name != "calls"]


def columns(text):
    """The lines of TEXT that have more than 80 columns; some of the names in them may be of the C library."""
    return [line for line in text.splitlines() if len(re.sub(r"\033\[[0-9;]*m", "", line)) > 80]


def record(path):
    """Record a program with long names into the file PATH."""
    return Gdb("containers", ["300000"]).run(
        "set width 80", "prof-start --rate=1000 --sync --heap --count=fill", "run", "prof-stop", "prof-save " + path)


def load(path, *commands):
    return Gdb("containers").run("prof-load " + path, "set width 80", *commands)[2:]


def shell(path, *words, size=None):
    """What `gdbprof report` prints of PATH on a terminal of SIZE columns, or into a pipe."""
    command = [os.path.join(BUILD, "gdbprof"), "report", *words, path]
    if not size:
        return subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, size, 0, 0))
    with subprocess.Popen(command, stdout=slave) as process:
        os.close(slave)
        text = b""
        try:
            while data := os.read(master, 65536):
                text += data
        except OSError:
            pass  # it has ended
        process.wait()
    os.close(master)
    return text.decode().replace("\r\n", "\n")


plan(len(WHOLE) + 15)
with tempfile.TemporaryDirectory() as place:
    saved = os.path.join(place, "c.prof")
    out = again(lambda: record(saved), lambda got: "is written" in got[4] and not re.search(r"^[0-9] samples", got[3]))
    ok(not columns(out[1] + out[3]), "prof-start and prof-stop", "\n".join(columns(out[1] + out[3])))
    shown = load(saved, *("prof-%s %s" % (name, OF.get(name, "")) for name in WHOLE))
    for name, text in zip(WHOLE, shown):
        ok(text.strip() and not columns(text), "prof-%s fits" % name, "\n".join(columns(text)) or text)
    tree, compared, status, by_tree, by_callers, full, csv, dump, named = load(
        saved, "prof-tree --collapse=full --columns=all", "prof-compare %s %s" % (saved, saved), "prof-status",
        *("prof-compare --view=%s %s %s" % (view, saved, saved) for view in ("tree", "callers")),
        "prof-functions --names=full", "prof-functions --format=csv", "prof-functions --format=json",
        "prof-callers --limit=0")
    others = tree + compared + status + by_tree + by_callers
    ok(not columns(others), "options, prof-compare and prof-status fit", "\n".join(columns(others)))
    names = [row["name"] for row in rows(csv)]
    longest = max(names, key=len)
    ok(len(longest) > 200 and longest in full, "--names=full prints the whole names", full)
    ok([row["name"] for row in json.loads(dump)["rows"]] == names, "csv and json have them in full", dump[:2000])
    ok("std::string" in named and "<...>" in named and "basic_string<char" not in named, "other names are short", named)
    short = re.search(r"^.* (std::\w+<\.\.\.>::[\w:]+\(.*\).*)$", re.sub(r"^.*\.\.\..*\.\.\.\w.*\n", "", named, flags=re.M), re.M)
    name = short.group(1) if short else "?"
    typed = load(saved, "prof-callers '%s' --format=csv" % name)[0]
    ok(re.search(",self,", typed), "a short name can be typed", name + "\n" + typed)

    source, plain, file = load(
        saved, "prof-source fill", "prof-source fill --metric=samples", "prof-source fill --output=%s/s.txt" % place)
    line = next(line for line in source.splitlines() if "into[key]" in line)
    ok(re.search(r"\d+ +into", line).start() <= 24, "figures beside source take few columns", line)
    ok(re.search(r"^ +Excl\. +Incl\.$", source, re.M) and re.search(r"Samples +%", plain), "a chosen metric is shown in full", source)
    with open(os.path.join(place, "s.txt"), encoding="utf-8") as text:
        ok(re.search(r"Samples +%", text.read()), "files have all figures", file)
    ok(not re.search(r"^(?:##)? +0\.? ", source, re.M), "a figure that is zero is not shown", source)
    ok(re.search(r"\b0\.? ", load(saved, "prof-functions --output=%s/f.txt" % place) and open(
        os.path.join(place, "f.txt"), encoding="utf-8").read()), "files have zeroes")

    screen, pipe = shell(saved, size=80), shell(saved)
    ok(not columns(screen) and "<...>" in screen, "gdbprof report fits its terminal", "\n".join(columns(screen)))
    ok(longest in pipe and longest in shell(saved, "--names=full", size=80), "in a pipe it has full names", pipe)
    ok("<...>" in shell(saved, "--names=short"), "or short ones, as it is asked for")
    narrow = Gdb().run("prof-load " + saved, "set width 40", "prof-functions", "set width 0", "prof-functions")
    wide = [line for line in narrow[2].splitlines() if len(line) > 60]
    ok(not wide and any(len(line) > 80 for line in narrow[4].splitlines()), "names have a least width, and no width limits nothing",
       "\n".join(wide))
