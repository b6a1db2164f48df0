#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single calls: of a list that the code on the page writes, of lists with jumps, and of files that were saved."""

import math
import os
import re
import subprocess
import tempfile

from session import Gdb, ok, plan, rows

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PAGE = os.path.join(TOP, "doc/howto/tail-latency.md")

# One of fifty requests compacts, which takes far longer than all the rest of a request.
SOURCE = """
#include <pthread.h>
#include <stddef.h>
static __thread volatile long sink;
void spin(long rounds) { for (long i = 0; i < rounds; i++) sink += i; }
void compact(void) { spin(500000); }
void request(int number) { spin(100); if (number % 50 == 49) compact(); }
void *serve(void *unused) { for (int i = 0; i < 500; i++) request(i); return unused; }
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, serve, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
"""

# main is left open, jumper() by a jump, and a name would clear a terminal.
JUMPS = """call main 0 1
call jumper 1 1.5
call "\x1b[2J\x1b]0;x\x07" 2 1.5
ret 3 1.75
left 4 2
call jumper 5 2
ret 6 2.25
"""


def hook():
    """The code on the page."""
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    return re.search(r"^    #define _GNU_SOURCE\n(?:    .*\n|\n)*", text, re.M).group()


def percentile(durations, percent):
    """Of the nearest rank."""
    return sorted(durations)[math.ceil(len(durations) * percent / 100) - 1]


plan(12)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    with open("calls.c", "w", encoding="utf-8") as file:
        file.write(hook())
    with open("serve.c", "w", encoding="utf-8") as file:
        file.write(SOURCE)
    subprocess.run(["cc", "-c", "calls.c"], check=True)
    subprocess.run(["cc", "-O1", "-fno-inline", "-finstrument-functions", "-rdynamic", "-pthread", "serve.c", "calls.o",
                    "-ldl", "-o", "serve"], check=True)
    subprocess.run(["./serve"], check=True)
    with open("jumps.txt", "w", encoding="utf-8") as file:
        file.write(JUMPS)
    with open("untimed.txt", "w", encoding="utf-8") as file:
        file.write("call f 0\nret 1\n")
    functions, request, callees, text, picture, saved, again = Gdb().run(
        "prof-load calls.txt", "prof-calls --format=csv", "prof-calls request --format=csv --limit=0",
        "prof-calls request --format=csv --limit=10", "prof-calls request --limit=3",
        "prof-calls request --format=svg --output=request.svg", "prof-save x.prof", "prof-calls request --limit=3")[1:]
    loaded = Gdb().run("prof-load x.prof", "prof-calls request --limit=3")[-1]
    several = Gdb().run("prof-load x.prof calls.txt", "prof-calls --format=csv")[-1]
    jumps = Gdb().run("prof-load jumps.txt", "prof-calls jumper", "prof-calls --format=csv", "prof-calls main")
    untimed = Gdb().run("prof-load untimed.txt", "prof-calls f")[-1]
    report = subprocess.run([os.path.join(TOP, os.environ.get("BUILD", "build"), "gdbprof"), "report", "--view=calls",
                             "--format=csv", "x.prof"], capture_output=True, text=True, check=False).stdout
    with open("request.svg", encoding="utf-8") as file:
        drawn = file.read()
    completed = Gdb().run("prof-load x.prof", "complete prof-calls req", "complete prof-calls --his")
    os.chdir(TOP)

figures = {row["function"]: row for row in rows(functions)}
ok([int(figures[name]["calls"]) for name in ("request", "compact", "spin", "serve", "main")] == [1000, 20, 1020, 2, 1],
   "all calls of two threads are there", functions)
single = {row["call"]: row for row in rows(request)}
durations = [float(row["duration"]) for row in single.values()]
ok(len(single) == 1000 and durations == sorted(durations, reverse=True), "the longest come first", request[:2000])
ok(all(math.isclose(float(figures["request"][name]), percentile(durations, percent))
       for name, percent in (("p50", 50), ("p90", 90), ("p99", 99), ("max", 100))), "percentiles are of the nearest rank", functions)
slow = {row["call"] for row in rows(request) if row["callee"] == "compact"}
ok(len(slow) == 20 and rows(callees) == [row for row in rows(request) if int(row["call"]) <= 10],
   "the calls that called something else are found, and the longest ten are the first ten", callees)
ok({row["caller"] for row in single.values()} == {"serve"} and len({row["thread"] for row in single.values()}) == 2,
   "calls have their caller and thread", request[:2000])
ok("These are the longest 3 of 1000 calls." in text and " serve calls request\n" in text and "  spin: 1 call, " in text,
   "the text has the longest and what they called", text)
ok(">max " in drawn and "Durations of Calls of request" in drawn and drawn.count('<rect class="b6"') >= 2,
   "the picture is a histogram", picture + drawn[-3000:])
ok(again == text and loaded.split("\n\n")[-1] == text.split("\n\n")[-1] and report == functions,
   "a saved file has the same, in another session and in the shell", "\n".join((saved, loaded, text, report, functions)))
ok({row["function"]: row["calls"] for row in rows(several)}["request"] == "2000", "calls of several files add up", several)
ok("left by a jump or an exception" in jumps[1] and "main,0,1,0,0,,,,," in jumps[2] and "\x1b" not in "".join(jumps) and
   "\x07" not in "".join(jumps) and "main (not returned)" in jumps[3],
   "open and left calls are shown as such, and names do no harm", "\n".join(jumps))
ok("prof-calls needs single calls with times, but this experiment has only stacks: samples are no calls" in untimed,
   "without times there is a sentence", untimed)
ok("prof-calls request" in completed[1] and "prof-calls --histogram" in completed[2], "functions and options are completed",
   "\n".join(completed))
