#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`set prof tips`: a line before the prompt behind each stop, and none anywhere else."""

import re
import subprocess

from session import Gdb, again, ok, plan

TIP = re.compile(r"^\[prof\] [\d.]+ m?s since the last stop(, \d+ % on CPU)?(, \d+ samples?)?"
                 r"(: .*?)?(; [\d,]+ allocations?, [+-][\d.]+ \S+)?$", re.M)
SESSION = ("break inner", "run", "print points[0]", "continue", "next", "delete", "tbreak factorial", "continue")


def tips(text):
    return [line for line in text.splitlines() if "[prof]" in line]


def without(text):
    """TEXT as it would be without the lines, and without what differs from run to run."""
    text = "".join(line for line in text.splitlines(True) if "[prof]" not in line)
    return re.sub(r"process \d+", "process", text)


def test_stops():
    out = again(lambda: Gdb("session").talk("set prof tips on", "prof-start --rate=1000", *SESSION, "prof-stop", "next"),
                lambda out: "burn" in (tips(out) or [""])[-1])
    lines = tips(out)
    ok(len(lines) == 4 and all(TIP.fullmatch(line) for line in lines), "each stop has a line", out)
    ok("burn" in lines[-1] and "session.c:" in lines[-1], "with the function that works, and its line", out)
    ok(re.search(r"^53\t.*\n\[prof\]", out, re.M), "behind what GDB prints of the stop", out)
    off = Gdb("session").talk("set prof tips off", "prof-start --rate=1000", *SESSION)
    bare = Gdb("session").talk("set prof tips on", *SESSION)
    ok(not tips(off) and not tips(bare), "none if it is off, and none without a recording", off + bare)
    kept = [text.partition("+break inner")[2].partition("+prof-stop")[0].partition("+quit")[0] for text in (out, off)]
    ok(without(kept[0]).strip() == without(kept[1]).strip(), "all else is as without it", "%s\n---\n%s" % tuple(kept))


def test_quiet():
    out = Gdb("session").talk(
        "set prof tips on", "prof-start", "break inner", "run", "prof-pause", "next", "print 1", "prof-resume",
        "set prof mark-stops off", "next", "info breakpoints", "show prof tips")
    ok(len(tips(out)) == 1, "none while it is paused, without marks, or without a stop", out)
    ok("The line after each stop is on." in out, "the setting is shown", out)
    out = Gdb("session").talk("set prof tips on", "prof-start", "break inner", "commands", "silent", "continue", "end",
                              "tbreak factorial", "run")
    ok(len(tips(out)) == 1, "stops that nobody sees have no line of their own", out)
    out = Gdb("session").run("set prof tips on", "prof-start", "break inner", "run", "continue", "prof-stop")
    ok(not tips("\n".join(out)), "none in a script, which has no prompt", out)


def test_heap():
    out = Gdb("heaps").talk("set prof tips on", "prof-start --heap --engine=none", "break free", "run", "continue", "prof-stop")
    ok(any(" allocation" in line and TIP.fullmatch(line) for line in tips(out)), "a traced heap has its growth", out)


def front_end(interpreter, *lines):
    """What GDB prints as INTERPRETER for LINES."""
    gdb = Gdb("session")
    return subprocess.run(gdb.command("-i=" + interpreter), input="".join(line + "\n" for line in lines), env=gdb.env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False).stdout


def test_front_end():
    """Records of MI stay whole, and nothing is added to them."""
    out = front_end("mi3", '-interpreter-exec console "set prof tips on"', "prof-start", "-break-insert factorial",
                    "-exec-run", "-exec-next", "-exec-next", "-gdb-exit")
    lines = [line for line in out.splitlines() if line and line[0] not in '~&=*^@(' and not line[0].isdigit()]
    ok("*stopped" in out and not tips(out) and not lines, "MI has none", out)


plan(5 + 4 + 1 + 1)
test_stops()
test_quiet()
test_heap()
test_front_end()
