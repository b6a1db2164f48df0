#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gmon.out: what prof-gprof --style=gnu prints of it is what GNU gprof prints, to the last byte."""

import difflib
import os
import shutil
import struct
import subprocess
import tempfile

from answers import says
from session import Gdb, lacking, ok, plan, program, require, rows, skip

# Each run of a program: its arguments, and what is compared: gprof's options, and ours.
PLAIN = ("", "")
ALL = ("-z", "--all")
LINES = ("-l", "--line")
RUNS = [
    ("calls-pg", ["chain", "6"], [PLAIN, ALL, ("-p", "--flat"), ("-q", "--graph")]),
    ("calls-pg", ["recursion", "10"], [PLAIN]),
    ("calls-pg", ["cycle", "10"], [PLAIN, ("-k manual_b/manual_a", "--cut=manual_b/manual_a")]),
    ("calls-pg", ["pointers", "10"], [PLAIN]),
    ("calls-pg", ["idle", "1"], [PLAIN, ALL]),
    ("calls-pg", ["several", "4"], [
        PLAIN, ALL,
        ("-k three_z/three_x", "--cut=three_z/three_x"),
        ("-k ping/pong -k three_x/", "--cut=ping/pong,three_x/"),
        ("-k /leaf", "--cut=/leaf"),
        ("-k calls.c:three_y/leaf", "--cut=calls.c:three_y/leaf"),
        ("-f ping", "--only=ping"),
        ("-f three_x -f recurse", "--only=three_x,recurse"),
        ("-F side", "--only-time=side"),
        ("-e ping", "--without=ping"),
        ("-e calls.c:", "--without=calls.c:"),
        ("-E ping", "--without-time=ping"),
        ("-E three_x", "--without-time=three_x"),
        ("-E main", "--without-time=main"),
        ("-F side -e leaf -k side/three_y",
         "--only-time=side --without=leaf --cut=side/three_y"),
        ("-E leaf -z", "--without-time=leaf --all"),
        LINES, ("-l -z", "--line --all"),
        ("-l -k three_z/three_x", "--line --cut=three_z/three_x"),
        ("-l -e leaf -p", "--line --without=leaf --flat"),
        ("-l -k calls.c:120/", "--line --cut=calls.c:120/")]),
    ("calls-plain-pg", ["several", "4"], [PLAIN, ALL, LINES, ("-e leaf", "--without=leaf")]),
    ("templates-pg", ["200"], [PLAIN, ALL, ("-e main", "--without=main")]),
    ("pictures-pg", ["3"], [PLAIN, ALL, ("-f read_back", "--only=read_back"),
                            ("-e stb_image.h", "--without=stb_image.h"), LINES,
                            ("-l -z", "--line --all")]),
    ("pictures-static-pg", ["3"], [PLAIN, ALL, LINES, ("-l -z", "--line --all"), ("-F stbi_zlib_compress", "--only-time=stbi_zlib_compress")]),
]

# A program for machines on which it cannot run here, and how it is built: the compiler and its
# options, and the gprof that knows the machine.  Its gmon.out is made up.
FOREIGN = """
static volatile int sink;
static __attribute__((noinline)) void leaf(void) { for (int i = 0; i < 9; i++) sink += i; }
__attribute__((noinline)) void even(int n);
__attribute__((noinline)) void odd(int n) { leaf(); if (n) even(n - 1); }
__attribute__((noinline)) void even(int n) { sink--; if (n) odd(n - 1); }
void _start(void) { even(4); leaf(); }
"""
MACHINES = [
    ("32 bits", "<", "I", ["gcc", "-m32"], "gprof"),
    ("64 bits, little-endian", "<", "Q", ["aarch64-linux-gnu-gcc"], "aarch64-linux-gnu-gprof"),
    ("64 bits, big-endian", ">", "Q", ["aarch64-linux-gnu-gcc", "-mbig-endian"],
     "aarch64-linux-gnu-gprof"),
]
FOREIGN_CASES = [PLAIN, ALL, LINES]

NO_STACKS = ["functions", "objects", "lines", "pcs", "source main", "disas main", "threads",
             "metrics", "intervals", "overview", "callers", "tree", "hot", "phases", "flame",
             "export file", "gprof --metric=cpu", "gprof --leaf=main", "compare gmon.5 gmon.0",
             "flame flame.svg", "export --format=pprof file", "export --format=callgrind file"]


def gmon(number):
    """The gmon.out of that run, absolute."""
    return os.path.abspath("gmon.%d" % number)


def record():
    """Run each program once."""
    for number, (name, args, _) in enumerate(RUNS):
        subprocess.run([program(name)] + args, stdout=subprocess.DEVNULL, check=True)
        os.rename("gmon.out", gmon(number))


def printed(exe, files, options, tool="gprof"):
    """What gprof prints."""
    run = subprocess.run([tool, "-b"] + options.split() + [exe] + files, capture_output=True,
                         check=False)
    if run.returncode:
        return run.stderr.decode()
    return run.stdout.decode()


def read(name):
    with open(name, newline="") as file:
        return file.read()


def differences(expected, found):
    """The first lines in which they differ."""
    lines = difflib.unified_diff(expected.split("\n"), found.split("\n"), "gprof", "prof-gprof",
                                 lineterm="", n=1)
    return "\n".join(list(lines)[:30])


def compare(exe, files, cases, what, tool="gprof"):
    """Compares what both print of FILES, in each of CASES."""
    out = Gdb().run("prof-load %s %s" % (exe, " ".join(files)),
                    *("prof-gprof --style=gnu --output=out.%d %s" % (i, ours)
                      for i, (_, ours) in enumerate(cases)))
    for i, (options, ours) in enumerate(cases):
        expected = printed(exe, files, options, tool)
        found = read("out.%d" % i) if os.path.exists("out.%d" % i) else ""
        ok(len(expected) > 100 and found == expected, "%s: %s" % (what, ours or "as it is"),
           differences(expected, found) + "".join(out))
        if found:
            os.remove("out.%d" % i)


def test_same():
    for number, (name, args, cases) in enumerate(RUNS):
        compare(program(name), [gmon(number)], cases, " ".join([name] + args))


def test_sums():
    """Several files of a program are added up, and so is what gprof has added up itself."""
    files = [gmon(number) for number in (5, 0, 2, 5)]
    compare(program("calls-pg"), files, [PLAIN, ALL, LINES], "the sum of several files")
    subprocess.run(["gprof", "-s", program("calls-pg")] + files, check=True,
                   stdout=subprocess.DEVNULL)
    compare(program("calls-pg"), ["gmon.sum"], [PLAIN, LINES], "gprof's sum of them")
    out = Gdb("calls-pg").run("prof-load gmon.0 " + gmon(-1 % len(RUNS)))
    ok(says(out[0], "gmon.%d" % (len(RUNS) - 1), "cannot be added"), "other programs are not added",
       out[0])


def compile_foreign(compiler):
    """Make the program "foreign"; False where COMPILER cannot."""
    with open("foreign.c", "w") as file:
        file.write(FOREIGN)
    made = subprocess.run(
        compiler + ["-O1", "-g", "-ffreestanding", "-nostdlib", "-static", "-no-pie",
                    "-fno-stack-protector", "-o", "foreign", "foreign.c"], check=False)
    return made.returncode == 0


def count_foreign(order, word):
    """Make up what it could have counted."""
    table = subprocess.run(["nm", "foreign"], capture_output=True, text=True, check=True).stdout
    at = {line.split()[2]: int(line.split()[0], 16) for line in table.splitlines()}
    low, high = min(at[name] for name in ("leaf", "even", "odd", "_start")), at["_start"] + 64
    bins = [(7 * i) % 5 for i in range((high - low) // 4)]
    arcs = [("_start", "even", 1), ("even", "odd", 2), ("odd", "even", 2), ("odd", "leaf", 2),
            ("_start", "leaf", 1)]
    with open("gmon.foreign", "wb") as file:
        file.write(struct.pack(order + "4sI12x", b"gmon", 1))
        file.write(struct.pack(order + "B2" + word + "II15sc", 0, low, high, len(bins), 100,
                               b"seconds", b"s"))
        file.write(struct.pack(order + "%dH" % len(bins), *bins))
        for caller, callee, calls in arcs:
            file.write(struct.pack(order + "B2" + word + "I", 1, at[caller] + 12, at[callee], calls))
        if order == "<":  # gprof reads their number wrongly otherwise
            file.write(struct.pack(order + "BI4" + word, 2, 2, low, 1, low + 4, 3))


def test_foreign():
    """Other word sizes and byte orders."""
    made = 0
    for what, order, word, compiler, tool in MACHINES:
        why = lacking(compiler[0], tool)
        if why or not compile_foreign(compiler):
            skip(len(FOREIGN_CASES), what, why or "%s cannot compile for it" % compiler[0])
            continue
        made += 1
        count_foreign(order, word)
        compare("foreign", ["gmon.foreign"], FOREIGN_CASES, what, tool)
    if not made:
        skip(1, "a program of another machine", "nothing can compile for one")
        return
    out = Gdb().run("prof-load gmon.foreign " + program("calls-pg"))
    ok(says(out[0], "has 64 bits and is little-endian, but the gmon.out has "), "a program of another machine", out[0])


def test_header():
    """In DWARF 5, where the first code is a header's, it is of the header.  Older versions of gprof say otherwise."""
    with open("first.h", "w") as file:
        file.write("__attribute__((noinline)) int first(int n) { return n + 1; }\n")
    with open("header.c", "w") as file:
        file.write('#include "first.h"\nint main(void) { return first(-1); }\n')
    subprocess.run(["cc", "-O1", "-gdwarf-5", "-pg", "-o", "header", "header.c"], check=True)
    subprocess.run(["./header"], check=True)
    out = Gdb().run("prof-load header gmon.out", "prof-gprof --style=gnu --line --flat --all")
    ok("first (first.h:1 @" in out[1] and "main (header.c:2 @" in out[1], "a header's code is of the header", out[1])


def test_program():
    """The program is the one that is given, wherever, or the one that GDB debugs."""
    shown = "prof-gprof --style=gnu --flat"
    expected = printed(program("calls-pg"), [gmon(0)], "-p").strip()
    out = Gdb().run("prof-load gmon.0", "prof-load " + program("calls-pg"),
                    "prof-load %s gmon.0 %s" % (program("calls-pg"), program("calls-pg")),
                    "prof-load gmon.0 /etc/passwd", "prof-load gmon.0 " + program("calls-pg"), shown)
    ok(says(out[0], "needs the program"), "without a program", out[0])
    ok(says(out[1], "is a program", "gmon.out too"), "a program alone", out[1])
    ok(says(out[2], "Only one program can be used"), "two programs", out[2])
    ok(says(out[3]), "and something else", out[3])
    ok(out[5].strip() == expected, "the program can come last", out[5])
    out = Gdb("calls-pg").run("prof-load gmon.0", shown)
    ok(out[1].strip() == expected, "GDB's own program", out[1])
    shutil.copy(program("calls-pg"), "stripped")
    subprocess.run(["strip", "stripped"], check=True)
    out = Gdb().run("prof-load gmon.0 stripped", "prof-load nothing gmon.0", "prof-load gmon.0 .")
    ok(says(out[0], '"stripped"', "no symbols"), "a program without symbols", out[0])
    ok(says(out[1], '"nothing"'), "a program that is none", out[1])
    ok(says(out[2], '"."'), "a folder", out[2])


def test_views():
    """What needs stacks says so."""
    out = Gdb("calls-pg").run("prof-load gmon.5", *("prof-" + view for view in NO_STACKS))
    for view, answer in zip(NO_STACKS, out[1:]):
        ok(says(answer, "gmon.out"), "prof-%s says that there are no stacks" % view, answer)
    out = Gdb("calls-pg").run("prof-load gmon.5", "prof-gprof", "prof-gprof --graph --format=csv",
                              "prof-gprof --cut=ping/pong --graph --format=csv",
                              "prof-gprof --all", "prof-gprof --style=gnu --cut=ping",
                              "prof-gprof --style=gnu --only=nobody",
                              "prof-gprof --format=json --flat")
    ok("<cycle 3 as a whole>" in out[1] and "11+" not in out[1], "the manual's style", out[1])
    graph = [row for row in rows(out[2]) if row["role"] == "primary"]
    calls = {row["name"]: (row["called"], row["of"], row["cycle"]) for row in graph}
    ok(calls["recurse"] == ("3", "6", "0") and calls["side"] == ("4", "0", "0") and
       calls["leaf"] == ("7", "0", "0"), "csv has the calls", out[2])
    graph = [row for row in rows(out[3]) if row["role"] == "primary"]
    ok(not any(row["name"] == "<cycle 3 as a whole>" for row in graph) and len(graph) > 10,
       "and arcs are cut there too", out[3])
    ok(says(out[4], "--style=gnu"), "what is for GNU's style alone", out[4])
    ok(says(out[5], "FROM/TO"), "--cut takes two", out[5])
    ok(says(out[6], '"nobody"'), "a function that there is not", out[6])
    ok('"view": "gprof"' in out[7] and '"name": "recurse"' in out[7], "json", out[7])
    out = Gdb().run("shell printf 'main;f 1\\n' >folded", "prof-load folded",
                    "prof-gprof --style=gnu --only=f", "prof-load folded gmon.0",
                    "prof-load gmon.0 folded")
    ok(all(says(answer, "gmon.out") for answer in out[2:]), "stacks are another thing",
       "".join(out[2:]))
    out = Gdb().run("shell printf 'main;a;b 1\\nmain;a;b;a;b 2\\n' >folded", "prof-load folded",
                    "prof-gprof --graph --format=csv", "prof-gprof --cut=b/a --graph --format=csv",
                    "prof-gprof --cut=b/a", "prof-gprof --style=gnu --cut=b/nope")
    ok("<cycle 1 as a whole>" in out[2] and "cycle 1" not in out[3] and
       [row["children"] for row in rows(out[3]) if row["role"] == "primary" and row["name"] == "main"] == ["3"],
       "calls in stacks can be cut", out[2] + out[3])
    ok("--cut leaves out: b/a." in out[4] and says(out[5], '"nope"'), "which is said", out[4] + out[5])


require("gprof")
plan(sum(len(cases) for _, _, cases in RUNS) + 6 + len(MACHINES) * len(FOREIGN_CASES) + 1 + 1 + 9 + len(NO_STACKS) + 10)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    record()
    test_same()
    test_sums()
    test_foreign()
    test_header()
    test_program()
    test_views()
    os.chdir("/")
