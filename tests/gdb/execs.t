#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that executes other programs is sampled on, each by its own names."""

import os
import re
import subprocess
import tempfile

from session import MORE, Gdb, again, engines, grown, ok, plan, program, rows, skip

VIEW = "prof-functions --format=csv --limit=0"
SELF, OTHER = program("family"), program("shares")


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text) if row["inclusive"]}


def has(found, **least):
    """Have the functions of so many samples LEAST more than these, of those FOUND?"""
    return all(found.get(name, 0) > count for name, count in least.items())


def record(engine, args, least, *commands):
    """Run family ARGS with a recording around COMMANDS, of which has(LEAST) is to be true; return functions,
    summary and outputs."""
    out = again(lambda: Gdb("family", args).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --engine=" + engine, *commands,
        "prof-stop", VIEW), lambda out: has(samples(out[-1]), **least))
    return samples(out[-1]), out[-2], out[2:-2]


# It inlines twice, because Debian 11's compiler writes an empty list of addresses for a single inlined call.
LIBRARY = """
static inline __attribute__((always_inline)) void inner(volatile unsigned long *n, long turns)
{
	for (long i = 0; i < turns; i++)
		++*n;
}
static volatile unsigned long count;
void other(long turns) { inner(&count, turns + 7); count--; }
void outer(long turns) { inner(&count, turns); count++; }
"""
MAIN = """
#include <sys/wait.h>
#include <unistd.h>
void outer(long turns);
int main(int argc, char **argv)
{
	pid_t child = fork();
	outer(150000000);
	if (!child)
		execl("/bin/true", argv[argc - 1], (char *)0);
	return waitpid(child, 0, 0) != child;
}
"""


def compile_c(folder, source, *options):
    """Compile SOURCE with OPTIONS."""
    subprocess.run(["cc", "-g", "-O2", "-x", "c", "-", *options], input=source.encode(), check=True, cwd=folder)


def test_kept_child():
    """Its libraries go as it executes another program; those of its parent, at the same places, stay."""
    with tempfile.TemporaryDirectory() as folder:
        compile_c(folder, LIBRARY, "-shared", "-fPIC", "-o", "libouter.so")
        compile_c(folder, MAIN, "-o", "main", "-L.", "-louter", "-Wl,-rpath," + folder)
        out = again(lambda: Gdb(os.path.join(folder, "main")).run(
            "set detach-on-fork off", "set schedule-multiple on", "prof-start --rate=500", "run",
            "inferior 1", "continue", "prof-stop", VIEW, "prof-lines --format=csv --limit=0"),
                    lambda out: has(samples(out[7]), inner=10))
    found = samples(out[7])
    ok(has(found, inner=10) and found["inner"] == found.get("outer"),
       "a kept child that executes another program: functions of a library that are inlined stay", out[7])
    ok(any(name.startswith("inner, line ") for name in samples(out[8])), "and so do its lines", out[8])


CHILDREN = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void outer(long turns);
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[2]); i++) {
		pid_t child = fork();
		if (!child) {
			outer(60000000);
			if (*argv[1] == 'e')
				execl("/bin/true", "true", (char *)0);
			_exit(0);
		}
		waitpid(child, 0, 0);
	}
	return 0;
}
"""


# How the kernel samples, so rarely that nobody reads it before a child has ended; what is said of how many.
UNREAD = {"perf": ("--engine=perf --rate=20", r"^(\d+) samples"),
          "a counter": ("--counter=task-clock:20000000", r"^(\d+) overflows")}


def test_unread_child(how, end):
    """Nobody has read what the kernel has sampled of a process when that is at its END, "exec" or "exit"."""
    options, said = UNREAD[how]
    with tempfile.TemporaryDirectory() as folder:
        compile_c(folder, LIBRARY, "-shared", "-fPIC", "-o", "libouter.so")
        compile_c(folder, CHILDREN, "-o", "main", "-L.", "-louter", "-Wl,-rpath," + folder)
        out = grown(lambda children: Gdb(os.path.join(folder, "main"), [end, str(children)]).run(
            "set detach-on-fork off", "set schedule-multiple on", "prof-start " + options, "run",
            *["inferior 1", "continue"] * children, "prof-stop", VIEW),
                    lambda out: int((re.search(said, out[-2], re.M) or [0, 0])[1]) >= 12, 12)
    found = samples(out[-1])
    # Most are there, the rest in fork(), in the dynamic linker, or in /bin/true; all were unknown once.
    ok(found.get("outer", 0) > 0.3 * found["<Total>"],
       "%s: what a child did until its %s is known, though nobody looked before" % (how, end), out[-1])


ENGINES = engines()
# New inferiors, and stops in between, are alike to all engines but for how ticks get there.
THOROUGH = ENGINES if MORE else ENGINES[:1]
BOTH = {"first": 20, "recurse": 5, "plain": 5}
ENDS = [(how, end) for how in UNREAD for end in ("exec", "exit") if MORE or (how == "perf") == (end == "exec")]
plan(4 * len(ENGINES) + 4 * len(THOROUGH) + 2 + len(ENDS))
for engine in ENGINES:
    what = engine + ": "
    found, summary, out = record(engine, ["exec", OTHER, "100"], BOTH, "run")
    ok(out[0].count("executing new program") == 1 and "exited normally" in out[0],
       what + "exec into another program", out[0])
    ok(has(found, **BOTH), what + "both are sampled", found)

    found, summary, out = record(engine, ["exec", SELF] * 6 + ["fork"], {"first": 100, "parent": 20}, "run")
    ok(out[0].count("executing new program") == 6 and "exited with code 04" in out[0],
       what + "exec into the same program, again and again", out[0])
    ok(has(found, first=100, parent=20), what + "it is sampled on", found)

    if engine not in THOROUGH:
        continue
    found, summary, out = record(
        engine, ["exec", OTHER, "100"], BOTH, "set follow-exec-mode new", "run", "info inferiors",
        "prof-status")
    ok("New inferior 2" in out[1] and "exited normally" in out[1],
       what + "exec into a new inferior", out[1])
    ok(has(found, **BOTH), what + "it is sampled there",
       "%s\n%s" % (found, out[3]))

    found, summary, out = record(
        engine, ["exec", OTHER, "100"], BOTH, "catch exec", "run", "prof-status", VIEW, "tbreak plain",
        "continue", "continue")
    ok("exec'd" in out[1] and "stands still" in out[2] and samples(out[3]).get("first", 0) > 20 and
       "plain ()" in out[5] and "exited normally" in out[6], what + "catch exec", "\n".join(out))
    ok(has(found, **BOTH), what + "around a stop in between", found)

test_kept_child()
for how, end in ENDS:
    if "perf" in ENGINES:
        test_unread_child(how, end)
    else:
        skip(1, "%s: a child until its %s" % (how, end), "the kernel does not permit perf events")
