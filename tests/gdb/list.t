#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-list: `list` with shares, its arguments, and its position."""

import os
import pty
import re
import select
import subprocess

from session import BUILD, Gdb, again, ok, plan

PROGRAM = os.path.join(BUILD, "examples", "recursion")
# Until it stops the program works for long enough to have samples.
STOP = ("prof-start --rate=1000", "break ping", "ignore 1 99", "run")


def table(text):
    """{line: (exclusive, inclusive)} of what prof-list prints."""
    return {int(line): (own, within) for own, within, line in
            re.findall(r"^((?: |\d|\.){7})((?: |\d|\.){7}) {0,5}(\d+)(?:  |$)", text, re.M)}


def test_list():
    out = again(lambda: Gdb(PROGRAM).run(
        *STOP, "prof-list work", "prof-list", "list", "prof-list -", "prof-list 12,13", "prof-list ping,pong", "prof-list nobody",
        "prof-list 1000", "list 10,19", "prof-list 10,19")[4:], lambda out: any(own.strip() for own, _ in table(out[4]).values()))
    first, rest = table(out[0]), table(out[1])
    ok(len(first) == 10 and len(rest) == 10 and min(rest) == max(first) + 1, "without an argument it goes on", out[:2])
    ok(out[2].startswith("%d\t" % (max(rest) + 1)), "and `list` goes on behind it", out[2])
    ok(set(table(out[4])) == {12, 13} and any(own.strip() for own, _ in table(out[4]).values()), "lines have shares", out[4])
    ok("nobody" in out[6] and "out of range" in out[7] and "Excl" not in out[6] + out[7], "errors are those of list", out[6:8])
    bare = [line.split("\t")[0] for line in out[8].splitlines()]
    ok([str(line) for line in table(out[9])] == bare, "the lines are those of list", out[8:10])


def test_empty_line():
    """An empty line goes on, as behind `list`."""
    gdb = Gdb(PROGRAM, env={"TERM": "xterm"})
    out = typed(gdb, *STOP, "prof-list 1,3", "", "prof-list 1,3")
    tables = [table(part) for part in out.split("Source")[1:]]
    ok([min(part) for part in tables] == [1, 4, 1], "an empty line goes on, and the same words begin again", out)


def typed(gdb, *lines):
    """What GDB prints on a terminal at whose prompt LINES are typed."""
    master, slave = pty.openpty()
    with subprocess.Popen(gdb.command("-iex", "set style enabled off", "-iex", "set editing off"), stdin=slave, stdout=slave,
                          stderr=slave, env=gdb.env, start_new_session=True) as process:
        os.close(slave)
        text = b""
        for line in (*lines, "quit"):
            while not re.search(rb"\(gdb\) \Z", text[-20:]):
                if not select.select([master], [], [], 60)[0]:
                    break
                text += os.read(master, 65536)
            os.write(master, line.encode() + b"\n")
            text += b"\n"
        process.wait(60)
    os.close(master)
    return text.decode(errors="replace").replace("\r", "")


plan(5 + 1)
test_list()
test_empty_line()
