#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fork and vfork, with all that GDB can do about them: who is followed is sampled."""

import os
import re
import subprocess
import tempfile

from session import MORE, Gdb, again, gdb_version, ok, plan, require, rows, skip

VIEW = "prof-functions --format=csv --limit=0"


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def record(way, engine, names, follow, detach, *commands):
    """Run family WAY with these settings, and COMMANDS, until the functions NAMES have samples; return
    functions, status and outputs."""
    out = again(lambda: Gdb("family", [way]).run(
        "set prof max-stopped 100", "set follow-fork-mode " + follow, "set detach-on-fork " + detach,
        "prof-start --rate=1000 --engine=" + engine, *commands, "prof-status", "prof-stop", VIEW),
                lambda out: was(samples(out[-1]), *names) or others(samples(out[-1]), *names))
    return samples(out[-1]), out[-3], out[4:-3]


FUNCTIONS = "first", "parent", "child"


def others(found, *names):
    """Was one of the three functions sampled that is none of NAMES?"""
    return any(found.get(name, 0) > 5 for name in FUNCTIONS if name not in names)


def was(found, *names):
    """Were the functions NAMES sampled, and of the three no other?"""
    return all(found.get(name, 0) > 5 for name in names) and not others(found, *names)


LIBRARY = "int of_library(void) { return 0; }"
FORKS = """
#include <sys/wait.h>
#include <unistd.h>

int of_library(void);

int main(void)
{
	if (!fork())
		_exit(of_library());
	return 0;
}
"""


def build_split(folder):
    """A program that forks, and whose library has its symbols in another file."""
    for name, text in (("library.c", LIBRARY), ("forks.c", FORKS)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    for command in (
            ["cc", "-g", "-shared", "-fPIC", "-o", "liblibrary.so", "library.c"],
            ["objcopy", "--only-keep-debug", "liblibrary.so", "liblibrary.debug"],
            ["objcopy", "--strip-debug", "--add-gnu-debuglink=liblibrary.debug", "liblibrary.so"],
            ["cc", "-g", "-o", "forks", "forks.c", "-L.", "-llibrary", "-Wl,-rpath,$ORIGIN"]):
        subprocess.run(command, cwd=folder, check=True)
    return os.path.join(folder, "forks")


# With an index of its own GDB reads symbols at once, and without a word.
UNINDEXED = "set index-cache " + ("off" if gdb_version() < 12 else "enabled off")


def test_silent():
    """Breakpoints have GDB read the symbols of a child's libraries, which it tells."""
    with tempfile.TemporaryDirectory() as folder:
        exe = build_split(folder)
        settings = [UNINDEXED, "set detach-on-fork off", "set schedule-multiple on"]
        bare = Gdb(exe, load=False).run(*settings, "run")[-1]
        out = Gdb(exe).run(*settings, "prof-start", "run", "prof-stop")[4]
        told = Gdb(exe, load=False).run(*settings, "break of_library", "run")[-1]
    name = "GDB does not tell that it reads a child's symbols"
    if "Reading symbols" not in told:
        skip(1, name, "this GDB never does")
        return
    ok("Reading symbols" not in bare + out and "New inferior 2" in out, name, "%s\n%s\n%s" % (bare, out, told))


require("cc")
WAYS = [("fork", "stop"), ("fork", "catch"), ("vfork", "stop")] + [("vfork", "catch")] * MORE
plan(1 + 9 * len(WAYS))
test_silent()
for way, engine in WAYS:
    what = "%s, %s: " % (engine, way)

    found, status, out = record(way, engine, ("first", "parent"), "parent", "on", "run")
    ok("exited with code 04" in out[0] and "child 3" in out[0],
       what + "a child that is let go is not disturbed", out[0])
    ok(was(found, "first", "parent"), what + "nor sampled", found)

    # The parent goes on by itself, and would print in the middle of what GDB does.
    found, status, out = record(way, engine, ("first", "child"), "child", "on", "run > /dev/null",
                                "print $_exitcode")
    ok("exited with code 03" in out[0] and "= 3" in out[1], what + "a child that is followed",
       out[0])
    ok(was(found, "first", "child"), what + "is sampled, its parent no more", found)
    ok(re.search(r"2 processes were sampled: \d+, \d+\.", status) is not None,
       what + "and so it is said", status)

    found, status, out = record(way, engine, FUNCTIONS, "child", "off", "run", "prof-status", "inferior 1",
                                "continue")
    ok("exited with code 03" in out[0] and "exited with code 04" in out[3] and
       "child 3" in out[3], what + "both are kept, one runs after the other", "\n".join(out))
    ok("the program stands still" in out[1] and was(found, "first", "parent", "child"),
       what + "each is sampled as it runs", "%s\n%s" % (out[1], found))

    # The end of one stops the other, whichever comes first.
    found, status, out = record(way, engine, FUNCTIONS, "parent", "off", "set schedule-multiple on", "run",
                                "inferior 1", "continue", "inferior 2", "continue")
    text = "".join(out)
    # The child prints while GDB does, even in the middle of a line of GDB's.
    ok("child 3\n" in text and all(line in text.replace("child 3\n", "") for line in (
        "exited with code 03", "exited with code 04")), what + "both run at once", text)
    ok(was(found, "first", "parent", "child"), what + "and both are sampled", found)
