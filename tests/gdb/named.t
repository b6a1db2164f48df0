#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many functions that are counted: found by gdbprof where that is certain, and what GDB takes them for."""

import os
import re
import subprocess
import tempfile

from session import Gdb, ok, patches, plan, rows, skip_all

SIMPLE = 60
CROWD = 5100  # more than breakpoints can be set
FEW = 10  # so many words, GDB is asked for

# More words: of what several things have, of what nothing has, and of what the C library has.
OTHERS = ["twice", "shared", "level", "cut", "other_name", "simple_3", "nothing", "deep::simple_7", "one.c:twice",
          "getppid", "memset", "underscored", "__underscored", "chosen", "main", "in_library", "library", "if"]

ONE = """
#include <string.h>
#include <unistd.h>
volatile int sink;
static int shared = 7, level;
static __attribute__((noinline)) void twice(void) { sink++; }
void cut_off(void) __asm__("cut.cold");
void cut_off(void) { sink += 2; }
void cut(void) { sink += 3; }
void __underscored(void) { sink += 4; }
void other(void); void in_library(void); void part(void);
void library(void) { sink += 6; }
static void chosen_one(void) { sink += 8; }
static void (*choose(void))(void) { return chosen_one; }
void chosen(void) __attribute__((ifunc("choose")));
%(functions)s
void other_name(void) __attribute__((alias("simple_1")));
int main(void)
{
	char room[64];
	for (int i = 0; i < 3; i++)
		twice();
	for (int i = 0; i < 5; i++)
		cut_off();
	for (int i = 0; i < 6; i++)
		cut();
	for (int i = 0; i < 7; i++)
		__underscored();
	for (int i = 0; i < 8; i++)
		library();
	for (int i = 0; i < 9; i++)
		chosen();
	for (int i = 0; i < 10; i++)
		getppid();
	for (int i = 0; i < 11; i++)
		memset(room, i, sizeof room - (unsigned)sink %% 2);
	level += shared + room[3];
%(calls)s
	other();
	in_library();
	return level < 0;
}
"""

TWO = """
extern "C" volatile int sink;
static __attribute__((noinline)) void twice() { sink++; }
namespace deep {
void simple_7() { sink += 5; }
void shared() { sink += 9; }
}
extern "C" void shared() { sink += 10; }
extern "C" void other(void)
{
	for (int i = 0; i < 4; i++)
		twice();
	for (int i = 0; i < 100; i++)
		deep::simple_7();
	for (int i = 0; i < 12; i++)
		shared();
	for (int i = 0; i < 13; i++)
		deep::shared();
}
"""

LIBRARY = """
volatile int here;
static __attribute__((noinline)) void library(void) { here++; }
static __attribute__((noinline)) void simple_3(void) { here++; }
void in_library(void)
{
	for (int i = 0; i < 20; i++)
		library();
	for (int i = 0; i < 200; i++)
		simple_3();
}
"""

# How often GDB is asked for a word.
ASKED = """python
def decode_line(*words, real=gdb.decode_line):
    asked.append(words)
    return real(*words)
asked = []
gdb.decode_line = decode_line
"""


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def build(*flags):
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", *flags, "library.c", "-o", "liblibrary.so"], check=True)
    for compiler, source in ("cc", "one.c"), ("c++", "two.cc"):
        subprocess.run([compiler, "-O1", "-fno-inline", "-fno-builtin", "-c", *flags, source], check=True)
    subprocess.run(["c++", "one.o", "two.o", "-L.", "-llibrary", "-Wl,-rpath,$ORIGIN", "-o", "named"], check=True)


def record(words):
    """What was counted of WORDS, [(function, calls)], what prof-status says, and how often GDB was asked in `run`."""
    source = ASKED.replace("python\n", "", 1)
    out = Gdb("./named").run("set prof count-limit 100", "python exec(%r)" % source,
                             "prof-start --engine=none --count=" + ",".join(words), "python asked.clear()",
                             "break main", "run", "prof-status", "python print(len(asked))", "continue", "prof-stop",
                             "prof-gprof --flat --format=csv")
    found = sorted((row["name"], int(row["calls"])) for row in rows(out[10]) if row["counted"] == "all")
    return found, out[6], int(out[7]), out[9]


def test(name):
    simple = ["simple_%d" % i for i in range(SIMPLE)]
    words = simple + OTHERS
    found, status, asked, ended = record(words)
    few, unknown = [], []
    for at in range(0, len(words), FEW):
        some, _, _, said = record(words[at:at + FEW])
        few += some
        unknown += re.findall(r'There was no function "(.*)"', said)
    ok(found == sorted(set(few)), name + ": many words stand for what GDB takes each of them for",
       "%s\n%s" % (set(found) ^ set(few), status))
    ok(re.findall(r'There was no function "(.*)"', ended) == unknown, "those that stand for nothing, too",
       "%s %s" % (ended, unknown))
    ok([dict(found).get(word) for word in simple if word not in ("simple_3", "simple_7")] ==
       [i + 1 for i in range(SIMPLE) if i not in (3, 7)], "all calls are counted", found)
    ok(asked <= 8 * len(OTHERS), "GDB is asked for those only that may stand for several functions", str(asked))
    return found


def test_crowd():
    """At the beginning of `run` breakpoints stand at many of them, before patches can be put in."""
    write("crowd.c", "volatile int sink;\n%s\nint main(void) { %s return sink == 0; }\n" % (
        "\n".join("void simple_%d(void) { sink++; }" % i for i in range(CROWD)),
        "\n".join("simple_%d();" % i for i in range(CROWD))))
    subprocess.run(["cc", "-O1", "-fno-inline", "crowd.c", "-o", "named"], check=True)
    found, status, _, ended = record(["simple_%d" % i for i in range(CROWD)])
    ok(found == sorted(("simple_%d" % i, 1) for i in range(CROWD)), "no function is left out", status)
    ok("at most" not in status + ended and "Breakpoints" not in status, "and none is said to be", status + ended)


if not patches():
    skip_all("gdbprof cannot patch functions here")
plan(3 * 4 + 1 + 2)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    write("one.c", ONE % {
        "functions": "\n".join("void simple_%d(void) { sink += %d; }" % (i, i) for i in range(SIMPLE)),
        "calls": "\n".join("\tfor (int i = 0; i < %d; i++)\n\t\tsimple_%d();" % (i + 1, i) for i in range(SIMPLE))})
    write("two.cc", TWO)
    write("library.c", LIBRARY)
    build("-g")
    found = test("with debug information")
    ok({("cut", 6), ("__underscored", 7), ("library", 8), ("library", 20), ("simple_3", 4), ("simple_3", 200)} <= set(found),
       "functions of the same name are counted by themselves", found)
    build()
    test("without")
    subprocess.run(["strip", "-x", "named"], check=True)
    test("without local symbols")
    test_crowd()
