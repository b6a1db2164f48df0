#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that closes one library after the other: gdbprof reads debugging information once and not for each of them."""

import os
import shutil
import subprocess
import tempfile

from session import Gdb, ok, plan, total

TIMES = 12

# Each round is executed by a copy of burn() of its own, so that there are new frames whenever the library goes.
PROGRAM = """
#include <dlfcn.h>
#include <time.h>
static volatile unsigned long sum;
static inline __attribute__((always_inline)) void burn(void)
{
	struct timespec now, begin;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 10000; i++)
			sum = sum * 31 + i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 100);
}
%s
int main(void)
{
	void (*rounds[])(void) = {%s};
	for (int i = 0; i < sizeof rounds / sizeof *rounds; i++) {
		void *library = dlopen("./library.so", RTLD_NOW);
		rounds[i]();
		dlclose(library);
	}
	return 0;
}
""" % ("\n".join("static __attribute__((noinline)) void round_%d(void) { burn(); }" % i for i in range(TIMES)),
       ", ".join("round_%d" % i for i in range(TIMES)))

# How often gdbprof, which alone opens files so, has the program open as a library goes: once to find stacks, and once for lines.
LOOK = """python
import os
def look(event):
    for name in os.listdir("/proc/self/fd"):
        try:
            with open("/proc/self/fdinfo/" + name) as file:
                flags = int(file.read().split("flags:")[1].split()[0], 8)
            if flags & os.O_NONBLOCK and os.readlink("/proc/self/fd/" + name).endswith("/closes"):
                seen.append(name)
        except OSError:
            pass
seen = []
gdb.events.free_objfile.connect(look)
"""


def build(text, name, *options):
    subprocess.run(["cc", "-x", "c", "-g", "-O2", "-w", "-o", name, "-", *options], input=text.encode(), check=True)


plan(3)
folder = tempfile.mkdtemp(prefix="gdbprof-unloading-")
os.chdir(folder)
build("int in_library;", "library.so", "-shared", "-fPIC")
build(PROGRAM, "closes", "-Wl,--build-id", "-ldl")
with open("look.gdb", "w", encoding="ascii") as file:
    file.write(LOOK)
out = Gdb(os.path.abspath("closes")).run(
    "prof-start --rate=1000", "source look.gdb", "run", "python print(len(seen))", "prof-stop",
    "python seen.clear(); look(None); print(len(seen))", "prof-functions --format=csv",
    "prof-lines --format=csv --metric=e.samples")
ok(out[3].strip().isdigit() and int(out[3]) > 1.5 * TIMES, "a line table stays open from one library that goes to the next", "\n".join(out))
ok(out[5].strip() == "0", "and is closed in the end", out[5])
ok(total(out[6]) > 10 * TIMES and all("round_%d," % i in out[6] for i in range(TIMES)) and
   "line " in out[7], "all functions have their names", out[6] + out[7])
shutil.rmtree(folder)
