#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counted calls: as many as there are, from whoever makes them, beside true times."""

import json
import os
import re
import subprocess
import tempfile

from answers import says, state
from remote import gdbserver
from session import Gdb, gdb_version, grown, lacking, ok, patches, plan, program, rows, skip, total, wait_until

GRAPH = "prof-gprof --graph --format=csv"
FLAT = "prof-gprof --flat --format=csv"
ALL = "prof-start --count=counted.c:*"
SURE = "set prof count-limit 100"
# No function is patched then: calls are met at breakpoints.
NON_STOP = "set non-stop on"
QUIET = "set print thread-events off"

# What the program does, by caller and callee.
CALLS = {
    ("main", "first"): 10, ("first", "leaf"): 30, ("inlined", "leaf"): 20, ("main", "second"): 2,
    ("second", "second"): 9, ("second", "leaf"): 2, ("main", "ping"): 1, ("ping", "pong"): 3,
    ("pong", "ping"): 3, ("thread", "leaf"): 26, ("leaf", "work"): 78, ("main", "threads"): 1}


def arcs(text):
    """{(caller, callee): calls} of a call graph in CSV, of calls within the program."""
    primary, callers, found = None, [], {}
    for row in rows(text) + [{"entry": "", "role": "", "name": "", "called": ""}]:
        if callers and row["entry"] != callers[0]["entry"]:
            for caller in callers:
                if caller["called"]:
                    found[caller["name"], primary] = int(caller["called"])
            callers = []
        if row["role"] == "primary":
            primary = row["name"]
        elif row["role"] == "caller":
            callers.append(row)
    return found


def calls(text):
    """{name: (calls, how many were counted)} of a flat profile in CSV."""
    return {row["name"]: (row["calls"], row["counted"]) for row in rows(text)}


def has(text, expected):
    """Does the call graph have the EXPECTED calls, and no others of these functions?"""
    found = arcs(text)
    inner = {arc: count for arc, count in found.items() if arc[0] in {c for c, _ in expected} and
             arc[1] in {c for _, c in expected}}
    return inner == expected


def sorts(text):
    """Does main call qsort, which may have another name too?"""
    return [count for (caller, callee), count in arcs(text).items()
            if caller == "main" and callee.endswith("qsort")] == [1]


def test_engines():
    for engine in "stop", "catch":
        out = Gdb("counted", ["100"]).run(
            QUIET, SURE, ALL + " --engine=" + engine, "run", "prof-status", "prof-stop", GRAPH,
            GRAPH + " --inline=off", "prof-gprof", "info breakpoints", "maint info breakpoints")[2:]
        ok(has(out[4], CALLS), "%s: all calls are counted, by caller" % engine, out[4])
        folded = arcs(out[5])
        ok(folded.get(("first", "leaf")) == 50 and ("inlined", "leaf") not in folded,
           "%s: without inlined functions it is their caller that calls" % engine, out[5])
        ok(re.search(r"Counted calls of .*: 191\.\n", out[3]) and
           ("Breakpoints that count" in out[3]) != patches(),
           "%s: how many there are, which cost nothing that is known" % engine, out[3])
        ok("Counted calls of " in out[2], "%s: while it goes on" % engine, out[2])
        ok(re.search(r"^\[\d+\] .* 2\+9 +second \[", out[6], re.M) and
           re.search(r" 3/3 +main|^ +\S+ +\S+ +30/78 +first \[", out[6], re.M) and
           re.search(r" 1\+6 +<cycle 1 as a whole>", out[6]) and "seconds" in out[6],
           "%s: as gprof tells them, with times" % engine, out[6])
        ok("No breakpoints" in out[7] and "counted.c" not in out[8],
           "%s: no breakpoint is left" % engine, out[8])


def test_some(directory):
    """Some functions alone, in a library that is loaded later too; saved and loaded."""
    file = os.path.join(directory, "a.prof")
    out = Gdb("counted", ["500"]).run(
        QUIET, SURE, "prof-start --count=leaf,qsort --count=nosuch --output=" + file, "run", "prof-status",
        "prof-stop", FLAT, GRAPH, "prof-gprof --flat --format=json", "prof-gprof --flat")[2:]
    ok("no function \"qsort\" yet: gdbprof counts its calls once it is loaded.\n" in out[0] and
       "no function \"nosuch\" yet" in out[0] and "\"leaf\" yet" not in out[0],
       "what is not there yet is named", out[0])
    ok("There was no function \"nosuch\": gdbprof counted no calls of it.\n" in out[3] and
       "qsort\":" not in out[3], "and what never was", out[3])
    flat = calls(out[4])
    ok(flat.get("leaf") == ("78", "all") and sorts(out[5]),
       "a function of a library is counted as soon as it is loaded", out[4] + out[5])
    ok(flat.get("first") == ("", "no"), "what was not counted has no number", out[4])
    try:
        table = {row["name"]: row for row in json.loads(out[6])["rows"]}
    except (ValueError, KeyError):
        table = {}
    ok(table.get("leaf", {}).get("calls") == 78 and table.get("first", {}).get("calls", 0) is None,
       "json has it too", out[6])
    ok(re.search(r"^ *\d+\.\d\d +\d+\.\d\d +\d+\.\d\d +78 +\d+\.\d\d +\d+\.\d\d  leaf$", out[7], re.M)
       and "/call" in out[7] and
       re.search(r"^ *\d+\.\d\d +\d+\.\d\d +\d+\.\d\d {9,}first$", out[7], re.M),
       "the flat profile has time per call, and blanks", out[7])
    again = Gdb().run("prof-load " + file, FLAT, GRAPH, "prof-load %s %s" % (file, file), FLAT)
    ok(again[1] == out[4] and again[2] == out[5], "a file has it all", "\n".join(again))
    ok(calls(again[4]).get("leaf") == ("156", "all"), "calls are added up", again[4])
    other = os.path.join(directory, "b.prof")
    sums = Gdb("counted", ["1"]).run(QUIET, "prof-start", "run", "prof-stop", "prof-save " + other,
                                     "prof-load %s %s" % (file, other), FLAT, "prof-gprof --flat")
    ok(calls(sums[6]).get("leaf") == ("78", "part") and
       re.search(r" >78 +leaf$", sums[7], re.M) and re.search("^Some calls of .* were not counted", sums[7], re.M),
       "what only one of two has counted is told from that", sums[6] + sums[7])


def test_words():
    out = Gdb("counted").run("prof-start --count=12", "prof-start --count=leaf,", "prof-start --count",
                             "set prof count-limit 0", "show prof count-limit", "prof-status")
    ok(says(out[0], "\"12\" names no functions", "FILE.c:*") and says(out[1], "\"\" names no"),
       "what names no functions is refused", out[0] + out[1])
    ok(says(out[2], "needs a value") and says(out[3], "\"0\" is not a share"), "values are checked",
       out[2] + out[3])
    ok("10 percent" in out[4] and "Nothing has been recorded" in out[5], "nothing was changed",
       out[4] + out[5])


def test_limit():
    """At breakpoints: in non-stop mode no function is patched."""
    out = Gdb("counted", ["1", "storm", "100"]).run(
        NON_STOP, QUIET, "prof-start --count=never,second", "run", "prof-status", "prof-stop", FLAT,
        "prof-gprof --flat")[3:]
    sentence = re.search(r"^never is called too often: gdbprof stopped counting after (\d+) calls "
                         r"\(\"set prof count-limit\"\)\.$", out[2], re.M)
    ok(sentence and out[1].count("too often") == 1 and "Some calls of never were not counted.\n" in out[2],
       "what is called too often is dropped, and that is said", out[1] + out[2])
    ok(re.search(r"Breakpoints that count calls kept threads stopped for \d+\.\d+ s, \d+\.\d\d % of the program's time\.",
                 out[2]),
       "what it cost is told", out[2])
    flat = calls(out[3])
    ok(sentence and flat.get("never") == (sentence.group(1), "part") and
       flat.get("second") == ("2", "all"), "its number is known to be too small", out[3])
    ok(sentence and re.search(r" >%s  +never$" % sentence.group(1), out[4], re.M),
       "in text too", out[4])


def test_user():
    """The user's own breakpoints, at the same place; calls by GDB, and pauses, do not count."""
    out = Gdb("counted", ["1"]).run(
        QUIET, SURE, "break *leaf", "prof-start --count=leaf,second,ping", "run", "bt 1", "finish",
        "continue", "info breakpoints", "print $_hit_bpnum", "delete", "break second", "continue",
        "print leaf(1)", "delete", "prof-pause", "break ping", "continue", "prof-resume", "delete",
        "continue", "prof-stop", FLAT)[2:]
    ok("Breakpoint 1, " in out[2] and "#0  leaf" in out[3] and "Run till exit" in out[4] or
       "first ()" in out[4], "the user's breakpoint stops", "\n".join(out[2:5]))
    # Older than that variable: GDB 10 to 12.
    ok("already hit 2 times" in out[6] and re.search(r"= (1|void)$", out[7], re.M), "and counts as ever",
       out[6] + out[7])
    flat = calls(out[-1])
    ok(flat.get("leaf") == ("76", "all"), "calls by GDB do not count, nor any in a pause", out[-1])
    ok(flat.get("second", ("",))[0] == "1" and flat.get("ping", ("",))[0] in ("3", "4"),
       "others do", out[-1])


def test_signals():
    """GDB comes to a breakpoint again after a signal; the program's calls are as many as ever."""
    for engine, mode in ("stop", "set non-stop off"), ("catch", "set non-stop off"), ("stop", NON_STOP), \
            ("catch", NON_STOP):
        out = Gdb("counted", ["500", "signals"]).run(
            mode, QUIET, SURE, "handle SIGALRM nostop noprint pass",
            "prof-start --rate=500 --engine=%s --count=counted.c:*" % engine, "run", "prof-stop",
            GRAPH, "show displaced-stepping")[1:]
        found = {arc: count for arc, count in arcs(out[6]).items() if arc in CALLS}
        blind = engine == "catch" and (mode == NON_STOP or not patches())
        ok(found == CALLS if not blind else
           all(count <= found.get(arc, 0) for arc, count in CALLS.items()) and
           "may count a call twice" in out[5],
           "%s, %s: the program's own signals change nothing, or that is said" % (engine, mode),
           "\n".join(out[3:]))
        ok("is auto" in out[7], "GDB's setting is as it was", out[7])


def test_inferiors():
    """A second inferior ends the counting: GDB would wait for ever for threads that meet breakpoints."""
    for mode, setting in ("set non-stop off", "auto" if patches() else "off"), (NON_STOP, "off"):
        out = Gdb("heaps", ["3", "2000"]).run(
            mode, QUIET, SURE, "tbreak main", "prof-start --count=grab", "run", "show displaced-stepping",
            "add-inferior", "show displaced-stepping", "continue", "prof-stop", GRAPH)
        ok("is " + setting in out[6] and "is auto" in out[8], "%s: GDB's setting goes with a second inferior" % mode,
           "\n".join(out))
        ok("exited normally" in out[9] and "only while GDB has one program" in out[10],
           "%s: counting ends, and the program comes to its end" % mode, "\n".join(out))


def test_runs():
    out = Gdb("counted", ["1"]).run(QUIET, SURE, ALL, "run", "run", "prof-stop", GRAPH)
    twice = {arc: 2 * count for arc, count in CALLS.items()}
    ok(has(out[-1], twice), "a second run is counted too", out[-1])
    out = Gdb("counted", ["1"]).run(
        QUIET, "break main", "prof-start --count=leaf", "run",
        "add-inferior -exec " + program("spin"), "continue", "prof-stop")
    ok("gdbprof counts calls only while GDB has one program.\n" in out[-1], "one program at a time",
       out[-1])
    out = Gdb("counted").run("add-inferior -exec " + program("spin"), "prof-start --count=leaf")
    ok(says(out[1], "only while GDB has one program"), "or none", out[1])


def test_ways():
    """Without Zydis nothing is patched, and the reason is a sentence."""
    status = Gdb("counted", ["1"]).run("break main", "prof-start --count=leaf", "run", "prof-status")[3]
    expected = r"Patches count the calls of leaf\.$" if patches() else \
        r"Breakpoints count the calls of leaf, which cannot be patched\.  [A-Z].*[^.]\.$"
    ok(re.search("^" + expected, status, re.M), "how calls are counted is told", status)


def test_followed():
    """GDB lets go of a parent while the child of vfork() has no program space."""
    for mode in "set non-stop off", NON_STOP:
        out = Gdb("family", ["vfork"]).run(
            mode, QUIET, SURE, "set follow-fork-mode child", "prof-start --engine=stop --count=first,child", "run",
            "prof-stop", FLAT)
        found = calls(out[-1])
        ok(found.get("first") == ("1", "all") and found.get("child") == ("1", "all"),
           mode + ": a child of vfork() that is followed is counted", "\n".join(out))


def test_attached():
    process = subprocess.Popen([program("spin")])
    # Patches count in all-stop mode; GDB 10 was seen to attach in no other.
    mode = NON_STOP if patches() else "set non-stop off"
    out = Gdb().run(mode, "attach %d" % process.pid, "prof-start --count=turn", "prof-status", "prof-stop",
                    "detach")[1:]
    ok("Breakpoints for counted calls stand in a process that GDB has attached to: if GDB is\nkilled, the "
       "process ends by SIGTRAP" in out[1] and "SIGTRAP" in out[2] and "SIGTRAP" not in out[3],
       "what a killed GDB leaves in a process is told", out[1])
    ok(wait_until(lambda: state(process.pid) == "R"), "which goes on afterwards", out[4])
    process.kill()
    process.wait()


LAMBDAS = """
#include <algorithm>
struct holder { int kept; int use(int x) { return [this](int y) { return y + kept; }(x); } };
static int outer(int x) { auto inner = [=](auto y) { return x + y; }; return inner(1) + inner('b'); }
int main()
{
	int numbers[] = {3, 1, 2}, sum = 0;
	for (int i = 0; i < 7; i++) {
		auto add = [](int a, long b) { return a + (int)b; };
		auto take = [](int a, long b) { return a - (int)b; };
		sum = add(sum, i);
		if (i % 2)
			sum = take(sum, i);
	}
	std::for_each(numbers, numbers + 3, [&](int x) { sum += x; });
	return sum + holder{3}.use(1) + outer(2);
}
"""


def test_lambdas(path):
    """Functions that are written within functions are of their file, too."""
    subprocess.run(["g++", "-g", "-O0", "-x", "c++", "-", "-o", path], input=LAMBDAS, text=True, check=True,
                   cwd=os.path.dirname(path))
    out = Gdb(path).run(QUIET, SURE, "prof-start --engine=none --count=<stdin>:*", "run", "prof-stop", FLAT,
                        "prof-callers --format=csv 'holder::use(int)'")
    flat = {name: count for name, (count, counted) in calls(out[5]).items() if counted == "all"}
    # Those of one signature are told apart, by what the symbol table has.  g++ 12 and older number all
    # lambdas of a function, newer ones those of one signature.
    flat = {name.replace("{lambda(int)#3}", "{lambda(int)#1}"): count for name, count in flat.items()}
    expected = {"main::{lambda(int, long)#1}::operator()(int, long) const": "7",
                "main::{lambda(int, long)#2}::operator()(int, long) const": "3",
                "main::{lambda(int)#1}::operator()(int) const": "3",
                "outer(int)::{lambda(auto:1)#1}::operator()<int>(int) const": "1",
                "outer(int)::{lambda(auto:1)#1}::operator()<char>(char) const": "1",
                "holder::use(int)": "1", "outer(int)": "1", "main()": "1",
                "holder::use(int)::{lambda(int)#1}::operator()(int) const": "1"}
    # GDB before 13 cannot be asked for symbols of a program that has ended, and without an engine nobody
    # may know its file: there the first line tells them apart.
    if gdb_version() < 13:
        numbered = {"main::{lambda(int, long)#1}": 9, "main::{lambda(int, long)#2}": 10, "main::{lambda(int)#1}": 15,
                    "outer(int)::{lambda(auto:1)#1}": 4}
        for symbol, line in numbered.items():
            flat = {name.replace("{lambda at <stdin>:%d}" % line, symbol): count for name, count in flat.items()}
    ok({name: count for name, count in flat.items() if name in expected} == expected,
       "lambdas are counted with their file", out[4] + out[5])
    panel = {(row["role"], row["name"]): row["attributed"] for row in rows(out[6])}
    ok(panel.get(("caller", "main()")) == panel.get(("self", "holder::use(int)")) == "1" and
       any(role == "callee" and "lambda" in name for role, name in panel),
       "where no samples were taken, prof-callers shows the calls", out[6])


TWINS = """
#include <stdlib.h>
volatile unsigned long sink;
long rounds;
template <class F> __attribute__((noinline)) void repeat(F f) { for (int i = 0; i < rounds; i++) f(i); }
int main(int, char **argv)
{
	rounds = atol(argv[1]);
	auto out = [](int x) __attribute__((noinline)) { for (int j = 0; j < 10000; j++) sink += x; };
	repeat(out);
	repeat([](int x) { for (int j = 0; j < 10000; j++) sink += x; });
	repeat([](int x) { for (int j = 0; j < 10000; j++) sink -= x; });
}
"""


def test_twins(path):
    """Sampled lambdas of one signature are several functions, whose code is shown."""
    source = path + ".cc"
    with open(source, "w") as file:
        file.write(TWINS)
    subprocess.run(["g++", "-g", "-O1", "-o", path, source], check=True)
    names = ["main::{lambda(int)#1}::operator()(int) const", "{lambda at twins.cc:11}::operator()",
             "{lambda at twins.cc:12}::operator()"]
    out = grown(lambda rounds: Gdb(path, [str(rounds)]).run(
        "set prof max-stopped 100", "prof-start --rate=500", "run", "prof-stop",
        "prof-functions --format=csv", *["prof-%s '%s' --format=csv" % (view, name)
                                         for name in names for view in ("source", "disas")]),
                lambda out: total(out[4]) > 300, 20000)
    shares = {row["name"]: float(row["exclusive_percent"]) for row in rows(out[4])}
    ok(all(shares.get(name, 0) > 10 for name in names) and sum(shares.get(name, 0) for name in names) > 90,
       "lambdas of one signature are told apart", out[4])
    ok(all("sink " in text for text in out[5::2]) and all("<sink>" in text for text in out[6::2]),
       "and their code is shown", "\n".join(out[5:]))


def test_remote():
    with gdbserver(program("counted"), "1") as server:
        out = Gdb("counted").run(
            QUIET, SURE, "set remotetimeout 20", "set sysroot /", "target remote " + server.address,
            "prof-start --count=first,leaf,second,ping,pong,qsort", "continue", "prof-stop", GRAPH)
    expected = {arc: count for arc, count in CALLS.items() if arc[1] not in ("work", "threads")}
    found = {arc: count for arc, count in arcs(out[-1]).items() if arc in CALLS}
    ok(found == expected and sorts(out[-1]),
       "gdbserver: calls are counted", "\n".join(out[5:]))


def gprof_arcs(text):
    """{(caller, callee): calls} of what GNU gprof prints."""
    found = {}
    for entry in text.split("-----------------------------------------------\n"):
        lines = entry.splitlines()
        primary = next((i for i, line in enumerate(lines) if line.startswith("[")), None)
        if primary is None:
            continue
        callee = re.search(r"(\S+)(?: <cycle \d+>)? \[\d+\]$", lines[primary]).group(1)
        for line in lines[:primary]:
            called = re.search(r" (\d+)(?:/\d+)? +(\S+)(?: <cycle \d+>)? \[\d+\]$", line)
            if called and not callee.startswith("<"):
                found[called.group(2), callee] = int(called.group(1))
    return found


def test_gprof(directory):
    """A program counts its own calls while they are counted."""
    name = "what GNU gprof counts is counted"
    exe = program("counted-pg")
    why = lacking("gprof")
    if why:
        skip(1, name, why)
        return
    out = Gdb(exe, ["1", "alone"]).run("cd " + directory, SURE, ALL, "run", "prof-stop",
                                       GRAPH + " --inline=off")
    text = subprocess.run(["gprof", "-b", "-q", exe, os.path.join(directory, "gmon.out")],
                          stdout=subprocess.PIPE, check=True).stdout.decode()
    wanted = gprof_arcs(text)
    found = {arc: count for arc, count in arcs(out[-1]).items()
             if arc[0] not in ("__libc_start_call_main", "msort_with_tmp") and
             not arc[0].startswith("<")}
    wanted.pop(("main", "compare"), None)
    ok(wanted and {arc: found.get(arc) for arc in wanted} == wanted and
       wanted.get(("first", "leaf")) == 50, name, "%s\n%s\n%s\n%s" % (out[4], wanted, found, text))


plan(58)
with tempfile.TemporaryDirectory() as folder:
    test_lambdas(os.path.join(folder, "lambdas"))
    test_twins(os.path.join(folder, "twins"))
    test_engines()
    test_some(folder)
    test_words()
    test_limit()
    test_user()
    test_signals()
    test_inferiors()
    test_runs()
    test_ways()
    test_followed()
    test_attached()
    test_remote()
    test_gprof(folder)
