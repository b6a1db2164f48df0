#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files: bad ones are refused in a sentence, foreign ones left alone, and a recording survives."""

import os
import subprocess
import tempfile

from answers import is_sentence, says
from given_files import make_files, works
from session import Gdb, again, ok, plan, total


class DiskGdb(Gdb):
    """GDB with a small file system of its own on DIRECTORY, that ends with it."""

    def __init__(self, directory, *args, **more):
        super().__init__(*args, **more)
        self.directory = directory

    def command(self, *first):
        line = super().command(*first)
        mount = 'mount -t tmpfs -o size=128k tmpfs "$1" && shift && exec "$@"'
        return unshare() + ["sh", "-c", mount, "sh", self.directory] + line


def unshare():
    """The command that gives what it starts its own mounts."""
    return ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-Urm"]


def can_mount(directory):
    return works(unshare() + ["mount", "-t", "tmpfs", "tmpfs", directory])


def skip(count, why):
    """Say that COUNT tests cannot be done here."""
    for _ in range(count):
        ok(True, "# SKIP " + why)


def test_write():
    bad = ["missing/file", "directory", "fifo", "/dev/full", "''"]
    out = Gdb().run("prof-load good.folded", *("prof-export " + name for name in bad),
                    *("prof-tree --output=" + name for name in bad), "prof-functions")
    for name, answer in zip(bad, out[1:]):
        ok(says(answer, '"%s"' % name.strip("'")), "prof-export " + name, answer)
    for name, answer in zip(bad, out[1 + len(bad):]):
        ok(says(answer, '"%s"' % name.strip("'")), "prof-tree --output=" + name, answer)
    ok("work" in out[-1], "and the experiment stays", out[-1])


def test_full():
    """A disk that becomes full before, or while something is written."""
    count = 9
    os.mkdir("disk")
    if not can_mount("disk"):
        skip(count, "no file system can be mounted")
        return
    fill = "shell head -c 1000000 /dev/zero 2>&1 > disk/fill | :"
    out = DiskGdb("disk").run("prof-load good.folded", fill, "prof-save disk/x", "prof-export disk/x",
                              "prof-tree --output=disk/x", "shell ls disk", "prof-functions")
    ok(says(out[2], '"disk/x"', "full"), "prof-save on a full disk", out[2])
    ok(says(out[3], '"disk/x"', "No space"), "prof-export on a full disk", out[3])
    ok(says(out[4], '"disk/x"', "No space"), "a view on a full disk", out[4])
    ok(out[5].split() == ["fill"] and "work" in out[6], "leaves no rest, and goes on", out[5])

    out = again(lambda: DiskGdb("disk", "shares", args=["150"]).run(
        "break plain", "prof-start --rate=1000 --output=disk/x", "run", "delete", fill, "continue",
        "prof-status", "prof-functions --format=csv", "run", "prof-stop",
        "prof-functions --format=csv", "prof-status", "shell rm disk/fill", "prof-save disk/y",
        "prof-load disk/y", "prof-functions --format=csv"), lambda out: 0 < total(out[7]))
    message = ('The file "disk/x" cannot be written: the disk is full.  '
               "Since then gdbprof records only marks; prof-save saves the recording.\n")
    ok(message in out[6] and "Recording into" in out[6], "prof-status tells of it", out[6])
    ok(message in out[9], "prof-stop tells of it", out[9])
    totals = [total(out[i]) for i in (7, 10, 15)]
    ok(0 < totals[0] == totals[1], "all that was is there, and nothing more is recorded", totals)
    ok(totals[1] == totals[2], "and can be saved elsewhere", out[13] + out[14])
    ok(message in out[11], "prof-status still tells of it", out[11])


def test_removed():
    out = again(lambda: Gdb("shares", args=["150"]).run(
        "shell mkdir removed", "break plain", "prof-start --rate=1000 --output=removed/x", "run", "delete",
        "shell rm -r removed", "continue", "prof-status", "prof-functions --format=csv", "run",
        "prof-stop", "prof-functions --format=csv")[1:], lambda out: 0 < total(out[7]))
    lines = [line for line in out[6].split("\n") if '"removed/x"' in line]
    ok(len(lines) == 1 and is_sentence(lines[0]), "prof-status tells of a removed directory",
       out[6])
    lines = [line for line in out[9].split("\n") if '"removed/x"' in line]
    ok(len(lines) == 1 and is_sentence(lines[0]), "prof-stop tells of it", out[9])
    ok(0 < total(out[7]) == total(out[10]), "all that was is there, and no more", out[7] + out[10])

    out = again(lambda: Gdb("shares", args=["150"]).run(
        "shell mkdir -p removed", "break plain", "prof-start --rate=1000 --output=removed/x", "run", "delete",
        "shell rm removed/x", "continue", "prof-stop", "prof-functions --format=csv")[1:],
                lambda out: total(out[7]) > 0)
    ok('"removed/x" cannot be written: it was removed or renamed.' in out[6] and total(out[7]) > 0,
       "a removed file is told of too", out[6])


plan(11 + 9 + 4)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    make_files()
    test_write()
    test_full()
    test_removed()
    os.chdir("/")
