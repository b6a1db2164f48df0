#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""All functions of load objects are counted, exactly, and the program does what it does without."""

import os
import re
import shutil
import subprocess
import tempfile

from session import Gdb, engines, lacking, ok, patches, plan, rows, skip, skip_all

# Exceptions, jumps, signals, variable arguments, structs on the stack, recursion, and threads.
SOURCE = """
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>
struct big { long items[6]; };
static thread_local volatile long sink;
volatile int go;
static jmp_buf place;
static long leaf(long n) { sink += n; return sink; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static long sum(int n, ...) { va_list l; va_start(l, n); long s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }
static long take(big b, int i) { return b.items[i % 6] + leaf(i); }
static void thrower(int n) { if (n % 3 == 0) throw std::runtime_error("x"); leaf(n); }
static int catcher(int n) { try { thrower(n); } catch (const std::exception &) { return 1; } return 0; }
static void jumper(int n) { if (n % 2) longjmp(place, 1); }
static int jumps(int n) { if (setjmp(place)) return 1; jumper(n); return 0; }
static void handler(int) { leaf(1); }
static void *work(void *) { for (int i = 0; i < 5000; i++) leaf(i); return (void *)(long)fib(10); }
static void load(const char *path)
{
	for (int i = 0; i < 3; i++) {
		void *library = dlopen(path, RTLD_NOW);
		void (*function)() = (void (*)())dlsym(library, "later");
		for (int j = 0; j < 40; j++)
			function();
		dlclose(library);
	}
}
int main(int count, char **words)
{
	big b = {{1, 2, 3, 4, 5, 6}};
	pthread_t threads[4];
	while (count > 2 && !go)
		usleep(1000);
	signal(SIGUSR1, handler);
	for (int i = 0; i < 999; i++) {
		sink += take(b, i) + sum(3, i, 2, 3) + catcher(i) + jumps(i);
		if (i % 100 == 0)
			raise(SIGUSR1);
	}
	for (auto &thread : threads)
		pthread_create(&thread, nullptr, work, nullptr);
	for (auto &thread : threads)
		pthread_join(thread, nullptr);
	load(words[1]);
	printf("%ld %d\\n", sink % 1000, fib(12));
	return 0;
}
"""
LATER = """
volatile int here;
static __attribute__((noinline)) void within(void) { here++; }
void later(void) { within(); within(); }
__attribute__((constructor)) static void begin(void) { within(); }
"""

# Of fib(), as a flat profile has it, without the calls that it makes of itself.
CALLS = {"leaf(long)": 999 + 666 + 10 + 4 * 5000, "fib(int)": 4 + 1, "sum(int, ...)": 999, "take(big, int)": 999,
         "thrower(int)": 999, "catcher(int)": 999, "jumper(int)": 999, "jumps(int)": 999, "handler(int)": 10,
         "work(void*)": 4, "load(char const*)": 1, "main(int, char**)": 1}
LIBRARY = {"later": 3 * 40, "within": 3 * (2 * 40 + 1), "begin": 3}
FLAT = "prof-gprof --flat --format=csv"
FEW = 3  # functions whose breakpoints are asked
QUIET = ["set print thread-events off", "handle SIGUSR1 nostop noprint pass"]
SQL = """create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into t select i, 'text' || (i % 97), i * 1.5 from n;
create index x on t(b);
select b, count(*), sum(c) from t group by b order by 3 desc limit 3;
"""
PYTHON = "import json\nprint(json.dumps({str(i): [i] * (i % 7) for i in range(500)}))\ntry: {}[0]\nexcept KeyError: print(1)"


def counted(text):
    """{function: calls} of a flat profile in CSV."""
    return {row["name"]: int(row["calls"]) for row in rows(text) if row["counted"] == "all"}


def chosen(found, names):
    return {name: found.get(name) for name in names}


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def printed(text):
    """What the program has printed."""
    return re.findall(r"^\d+ \d+$", text, re.M)


def test_start(engine, words, *others):
    """From the start: WORDS of --count, which stand for the program, and for OTHERS."""
    bare = subprocess.run(["./whole", "./later.so"], stdout=subprocess.PIPE, check=True).stdout.decode()
    out = Gdb("./whole", ["./later.so"]).run(
        *QUIET, "prof-start --engine=%s --count=%s" % (engine, words), "break load", "run", "prof-status", "x/3i fib", "continue",
        "prof-stop", FLAT)
    found = counted(out[-1])
    name = "%s, %s: " % (engine, words)
    ok(chosen(found, CALLS) == CALLS, name + "all functions of the program are counted", chosen(found, CALLS))
    ok(chosen(found, LIBRARY) == (LIBRARY if "later" in others else dict.fromkeys(LIBRARY)),
       "those of a library are, that comes and goes, if they are to be", chosen(found, LIBRARY))
    ok(("_Unwind_RaiseException" in found) == (not {"all", "libgcc_s"}.isdisjoint(others)), "and others", sorted(found))
    ok(printed(out[7]) == bare.split("\n")[:1] and "exited normally" in out[7], "the program does what it does without",
       "%s %s" % (bare, out[7]))
    ok(re.search(r"Patches count the calls of \d\d+ functions of whole\.", out[5]) and
       ("functions of libc.so.6." in out[5]) == ("all" in others) and "Breakpoints" not in out[5] and "jmp" not in out[6],
       "prof-status says how many they are", out[5] + out[6])


def test_attach():
    process = subprocess.Popen(["./whole", "./later.so", "wait"], stdout=subprocess.PIPE)
    out = Gdb("./whole").run(*QUIET, "attach %d" % process.pid, "prof-start --engine=none --count=all", "set var go = 1",
                             "continue", "prof-stop", FLAT)
    found, expected = counted(out[-1]), {**CALLS, "main(int, char**)": None}
    ok(chosen(found, expected) == expected and chosen(found, LIBRARY) == LIBRARY,
       "attached, all functions are counted from then on", "%s %s" % (chosen(found, expected), chosen(found, LIBRARY)))
    ok(process.wait() == 0 and printed(process.stdout.read().decode()), "and the program ends as it would", out[-3])


def test_python():
    bare = subprocess.run(["/usr/bin/python3", "-c", PYTHON], stdout=subprocess.PIPE, check=True).stdout.decode()
    out = Gdb("/usr/bin/python3", ["-c", PYTHON]).run("prof-start --engine=stop --count=all", "run", "prof-stop", FLAT)
    found = counted(out[-1])
    ok(bare in out[1] and "exited normally" in out[1], "python3 prints the same", out[1])
    ok(len(found) > 1500 and found.get("Py_BytesMain") == 1, "and its functions are counted", str(len(found)))


def stops_at(function):
    """How often sqlite3 gets to FUNCTION, by a breakpoint of GDB's."""
    out = Gdb(shutil.which("sqlite3")).run("set breakpoint pending on", "break " + function, "ignore 1 100000000",
                                           "run < query.sql > /dev/null", "info breakpoints")
    return int((re.search(r"already hit (\d+) time", out[-1]) or [0, -1])[1])


def test_callgrind():
    """As many calls as callgrind finds, except of functions that call themselves, which it counts differently.

    Valgrind computes with fewer bits of a long double, so that sqlite3 may go another way there: then GDB's breakpoints tell.
    """
    name = "sqlite3: callgrind finds as many calls"
    why = lacking("valgrind", "sqlite3")
    if why:
        skip(1, name, why)
        return
    write("query.sql", SQL)
    with open("query.sql", encoding="utf-8") as query:
        subprocess.run(["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=found", "sqlite3"], stdin=query,
                       stdout=subprocess.DEVNULL, check=True)
    _, listed = Gdb().run("prof-load found", FLAT + " --limit=0")
    other = {row["name"]: int(row["calls"] or 0) for row in rows(listed)}
    out = Gdb(shutil.which("sqlite3")).run(
        "prof-start --engine=none --count=libsqlite3.so:*", "run < query.sql > /dev/null", "prof-stop", FLAT + " --limit=0")
    found = {function: calls for function, calls in counted(out[-1]).items()
             if function.startswith("sqlite3") and function in other and function + "'2" not in other}
    others = {function: calls for function, calls in found.items() if calls != other[function]}
    wrong = [(function, calls, other[function]) for function, calls in others.items()
             if len(others) > FEW or calls != stops_at(function)]
    ok(len(found) > 20 and not wrong, name, wrong or out[-1])


def test_storm():
    """Threads, children and libraries come and go: GDB steps over breakpoints of its own beside threads that go on."""
    out = Gdb("storm").run(*QUIET, "prof-start --engine=none --count=all", "run", "prof-stop")
    ok("exited normally" in out[3], "a program with threads, children and libraries does its work", out[3])


def test_refused():
    write("static.c", "int main(void) { return 0; }")
    subprocess.run(["cc", "-static", "static.c", "-o", "static"], check=True)
    out = Gdb("./static").run("prof-start --engine=none --count=all", "break main", "run", "prof-status", "continue", "prof-stop")
    ok(re.search(r"gdbprof does not count calls of functions in static[:.]", out[3]) and "exited normally" in out[4],
       "a program that cannot be patched remains as it is, with a sentence", out[3])
    out = Gdb("./whole", ["./later.so"]).run(
        *QUIET, "prof-start --engine=none --count=nothing.so:*", "run", "prof-stop")
    ok('no function "nothing.so:*" yet' in out[2] and 'There was no function "nothing.so:*"' in out[4],
       "what is never loaded is named", out[2] + out[4])


if not patches():
    skip_all("gdbprof cannot patch functions here")
plan(3 * 5 + 2 + 2 + 1 + 1 + 2)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    write("whole.cc", SOURCE)
    write("later.c", LATER)
    subprocess.run(["c++", "-g", "-O1", "-fno-inline", "-pthread", "whole.cc", "-o", "whole", "-ldl"], check=True)
    subprocess.run(["cc", "-g", "-O1", "-shared", "-fPIC", "later.c", "-o", "later.so"], check=True)
    test_start("none", "all", "all", "later")
    test_start("stop", "whole:*,later.so:*", "later")
    test_start("perf" if "perf" in engines() else "stop", "%s/whole:*,libgcc_s.so:*" % os.path.realpath(place), "libgcc_s")
    test_attach()
    test_python()
    test_callgrind()
    test_storm()
    test_refused()
