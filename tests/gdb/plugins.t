#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Libraries that the program loads while it runs (dlopen): their calls are traced from the first one on."""

import os
import re
import shutil
import subprocess
import tempfile

from session import Gdb, gdb_version, ok, plan, rows, skip_all

TIMES = 30

# Its first code allocates before dlopen() returns.
PLUGIN = """
#include <stdlib.h>
void *first, *second;
__attribute__((constructor)) static void begin(void) { first = malloc(111); }
__attribute__((destructor)) static void end(void) { free(first); }
void use(void) { second = malloc(222); }
"""

BROKEN = """
#include <stdlib.h>
extern int nowhere(void);
int fail(void) { free(malloc(333)); return nowhere(); }
"""

# Other threads allocate, and look up symbols, meanwhile.
PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int done;
static void *look(void *unused)
{
	while (!done)
		dlsym(RTLD_DEFAULT, "no such function");
	return unused;
}
static void *take(void *unused)
{
	for (int i = 0; i < 1000; i++)
		free(malloc(444));
	return unused;
}
static void between(void) { puts("between"); }
int main(int argc, char **argv)
{
	int times = atoi(argv[1]), failed = 0;
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, take, NULL);
	pthread_create(&threads[1], NULL, look, NULL);
	for (int i = 0; i < times; i++) {
		void *plugin = dlopen("./plugin.so", (i % 2 ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
		((void (*)(void))dlsym(plugin, "use"))();
		dlclose(plugin);
		failed += !dlopen("./broken.so", RTLD_NOW);
		if (i == times / 2)
			between();
	}
	done = 1;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	printf("%d of %d failed\\n", failed, times);
	return 0;
}
"""


def build(text, name, *options):
    subprocess.run(["cc", "-x", "c", "-g", "-w", "-o", name, "-", *options], input=text.encode(), check=True)


def session(*begin):
    """What is printed of a session that begins with the commands BEGIN."""
    return Gdb(os.path.abspath("loads"), [str(TIMES)]).run(
        "set print thread-events off", *begin, "run", "prof-stop", "prof-leaks",
        "prof-callers malloc --format=csv --metric=allocs", "info breakpoints")


def callers(text):
    """How often functions have called malloc(), of the csv TEXT of prof-callers."""
    return {row["name"]: float(row["attributed"]) for row in rows(text) if row["role"] == "caller"}


def all_named(counts, calls):
    """Have the plug-in's functions called malloc() so often?  GDB may have forgotten a library's names, or know another
    one at its address, by the time that a stack is taken there: the plug-in is gone some microseconds after its calls."""
    return sum(count for name, count in counts.items() if name != "take" and not name.startswith(("__GI_", "_dl"))) == calls


if gdb_version() < 12:
    skip_all("GDB before 12 cannot take a breakpoint out of a program that runs")
plan(4 * 3 + 2)
folder = tempfile.mkdtemp(prefix="gdbprof-plugins-")
os.chdir(folder)
build(PLUGIN, "plugin.so", "-shared", "-fPIC")
build(BROKEN, "broken.so", "-shared", "-fPIC")
build(PROGRAM, "loads", "-pthread", "-ldl")

plain = session()[1]
for engine in ("none", "stop", "catch", "auto"):
    out = session("prof-start --heap --engine=" + engine)
    counts = callers(out[5])
    ok(all_named(counts, 2 * TIMES) and counts.get("take") == 1000,
       engine + ": the calls of plug-ins are recorded, those of their constructors too", "\n".join(out))
    leaked = sum(int(size) for size in re.findall(r"Bytes Leaked = (\d+)$", out[4], re.M) if int(size) % 111 == 0)
    ok(leaked == 222 * TIMES and " begin " not in out[4],
       engine + ": what they free is freed", out[4])
    ok([line for line in out[2].splitlines() if "process" not in line] ==
       [line for line in plain.splitlines() if "process" not in line] and "No breakpoints" in out[6],
       engine + ": and GDB prints the same", out[2] + plain + out[6])

out = Gdb(os.path.abspath("loads"), [str(TIMES)]).run(
    "tbreak between", "run", "prof-start --heap --engine=none", "continue", "prof-stop",
    "prof-callers malloc --format=csv --metric=allocs")
rest = TIMES - TIMES // 2 - 1
ok(all_named(callers(out[5]), 2 * rest), "so are those of plug-ins that come after the agent has come late", "\n".join(out))
out = Gdb(os.path.abspath("loads"), [str(TIMES)]).run(
    "prof-start --heap --engine=none", "break between", "run", "prof-stop", "continue",
    "prof-callers malloc --format=csv --metric=allocs")
ok(all_named(callers(out[5]), 2 * (TIMES - rest)) and "%d of %d failed" % (TIMES, TIMES) in out[4] and "exited normally" in out[4],
   "and none after prof-stop", "\n".join(out))
shutil.rmtree(folder)
