#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-load: what cannot be read is refused in a sentence, and what was there stays."""

import os
import tempfile

from answers import says
from given_files import FOLDED, make_files, read, works, write
from session import Gdb, again, ok, plan, skip

def unprivileged():
    """The command that takes from what root starts the right to read all; none for others."""
    if os.getuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


class UnprivilegedGdb(Gdb):
    """GDB that may not read whatever it likes, even if it is root's."""

    def command(self, *first):
        return unprivileged() + super().command(*first)


UNREADABLE = ["missing", "missing/file", "directory", "empty", "junk", "text", "program.c",
              "negative.folded", "late.folded", "gmon.out", "foreign.db", "fifo", "dangling",
              "/dev/zero", "/dev/null", "''"]


def test_load():
    out = Gdb().run("prof-load good.folded", "prof-functions",
                    *("prof-load " + name for name in UNREADABLE), "prof-functions")
    for name, answer in zip(UNREADABLE, out[2:]):
        ok(says(answer, '"%s"' % name.strip("'")), "prof-load " + name, answer)
    ok("work" in out[1] and out[-1] == out[1], "what was there stays", out[-1])

    write("unreadable", FOLDED)
    os.chmod("unreadable", 0)
    if not works(unprivileged() + ["true"]):
        skip(1, "prof-load of what may not be read", "root cannot be kept from reading")
        return
    out = UnprivilegedGdb().run("prof-load unreadable")
    ok(says(out[0], '"unreadable"', "denied"), "prof-load of what may not be read", out[0])


def test_truncated():
    out = again(lambda: Gdb("shares", args=["150"]).run(
        "shell rm -f whole.prof", "prof-start --rate=1000 --output=whole.prof", "run", "prof-stop",
        "prof-functions")[1:], lambda out: "main" in out[3])
    whole = read("whole.prof")
    # SQLite's pages have 4096 bytes; the header says how many there are.
    places = [50, 100, 4096, 10000, len(whole) // 2, len(whole) - 4096, len(whole) - 1]
    for place in places:
        write("cut%d.prof" % place, whole[:place])
    hostile = bytearray(whole)
    for i in range(4096 * 3, len(hostile), 7):
        hostile[i] ^= 0x55
    write("hostile.prof", bytes(hostile))
    names = ["cut%d.prof" % place for place in places] + ["hostile.prof"]
    answers = Gdb().run("prof-load good.folded", "prof-functions",
                        *("prof-load " + name for name in names), "prof-functions")
    for name, answer in zip(names, answers[2:]):
        ok(says(answer, '"%s"' % name), "prof-load " + name, answer)
    ok("work" in answers[1] and answers[-1] == answers[1], "what was there stays", answers[-1])
    loaded = Gdb().run("prof-load whole.prof", "prof-functions")
    ok(out[3] == loaded[1] and "main" in out[3], "what was recorded is what is loaded",
       out[3] + loaded[1])


plan(len(UNREADABLE) + 2 + 10)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    make_files()
    test_load()
    test_truncated()
    os.chdir("/")
