#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs print what they print untraced, whatever function is traced: a wrapper calls the function
that the program would have called, with what the program gave."""

import os
import re
import subprocess
import sys
import tempfile

from session import Gdb, ok, plan, rows

START = "prof-start --engine=none"
UNKNOWN = "GDB does not know the arguments and the return type of %s"

# A function in assembler, one that the dynamic linker chooses, and one that takes a function.
ASSEMBLED = """
	.text
	.globl	weigh
	.type	weigh, @function
weigh:
	lea	(%rdi,%rsi,2), %rax
	ret
	.size	weigh, .-weigh
	.section .note.GNU-stack,"",@progbits
"""
LIBRARY = """
#include <stdarg.h>
#include <stdio.h>
static long slow(long x, double y) { return x * 10 + (long)y; }
static long (*choose(void))(long, double) { return slow; }
long chosen(long x, double y) __attribute__((ifunc("choose")));
int apply(int (*print)(const char *, ...), int *numbers) { return print("%d %d\\n", numbers[0], numbers[1]); }
int (*pick(int which, ...))(const char *, ...)
{
	va_list rest;
	va_start(rest, which);
	int sum = va_arg(rest, int) + va_arg(rest, int);
	va_end(rest);
	return sum == which ? printf : 0;
}
"""
USER = """
#include <stdio.h>
long weigh(long, long), chosen(long, double);
int apply(int (*)(const char *, ...), int *);
int (*pick(int, ...))(const char *, ...);
long (*volatile taken)(long, double);
int main(void)
{
	int numbers[] = {3, 4};
	taken = chosen;
	for (long i = 0; i < 5; i++) {
		printf("%ld %ld %ld\\n", weigh(i, 7), chosen(i, 2.5), taken(i, 7.5));
		apply(pick(9, 4, 5), numbers);
	}
	return 3;
}
"""
CHOSEN = "prof-trace chosen --prototype='long (long, double)' --arg=1:x,returned:y"


def build(folder):
    """The library and its users in FOLDER: of one the address of what it calls is a jump of its own."""
    for name, text in (("weigh.s", ASSEMBLED), ("lib.c", LIBRARY), ("user.c", USER)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    for command in (["-shared", "-fPIC", "-o", "libwrapped.so", "weigh.s", "lib.c"],
                    ["-fPIE", "-pie", "-o", "user", "user.c"],
                    ["-fno-pic", "-no-pie", "-o", "fixed", "user.c"]):
        users = ["libwrapped.so", "-Wl,-rpath," + folder] if "user.c" in command else []
        subprocess.run(["gcc", "-g", "-O1", *command, *users], cwd=folder, check=True)


def traced(text):
    """Of `prof-traces --format=csv`, the calls of each function, and the sum of each argument."""
    return {(row["function"], row["argument"]): (row["calls"], row["sum"]) for row in rows(text)}


def test_types(folder):
    for name in ("user", "fixed"):
        path = os.path.join(folder, name)
        plain = subprocess.run([path], stdout=subprocess.PIPE, text=True, check=False).stdout
        out = Gdb(path).run(START, "prof-trace weigh", "prof-trace chosen", "run", "prof-stop")
        ok(plain in out[3] and "code 03" in out[3], "%s: what is no type is not taken for one" % name, out[3])
        ok(UNKNOWN % "weigh" in out[4] and UNKNOWN % "chosen" in out[4],
           "%s: the prototypes are asked for" % name, out[4])
        out = Gdb(path).run(START, "prof-trace weigh --prototype='long (long, long)' --arg=1:x,returned:y",
                            CHOSEN, "run", "prof-stop", "prof-traces --format=csv")
        found = traced(out[5])
        ok(plain in out[3] and "code 03" in out[3], "%s: with prototypes they are called right" % name, out[3])
        ok(found.get(("weigh", "y")) == ("5", "80") and found.get(("chosen", "x")) == ("10", "20") and
           found.get(("chosen", "y")) == ("10", "245"), "%s: and their calls are recorded" % name,
           out[4] + out[5])
        out = Gdb(path).run(START, "prof-trace apply --arg=returned:printed",
                            "prof-trace pick --arg=1:which", "run", "prof-stop", "prof-traces --format=csv")
        found = traced(out[5])
        ok(plain in out[3] and found.get(("apply", "printed")) == ("5", "20") and
           found.get(("pick", "which")) == ("5", "45"),
           "%s: arguments behind ... are told from those of a function that is handed on" % name,
           "\n".join(out[3:]))


def test_middle(folder):
    """What GDB knows while the program is there is the same."""
    out = Gdb(os.path.join(folder, "user")).run(
        "break apply", "run", START, "prof-trace weigh", "prof-trace chosen", "prof-trace memset",
        CHOSEN, "delete", "continue", "prof-stop", "prof-traces --format=csv")
    ok(all(UNKNOWN % name in told for name, told in zip(("weigh", "chosen", "memset"), out[3:])),
       "without a type a function is refused at once", "\n".join(out[3:6]))
    # What has the address already calls the function itself.
    ok(traced(out[10]).get(("chosen", "x")) == ("4", "10"), "with a prototype it is traced", "\n".join(out[6:]))


REFUSED = {"setjmp": "can return a second time", "_setjmp": "can return a second time",
           "vfork": "can return a second time", "dlsym": "which load object"}


def test_refused():
    out = Gdb("given", ["1"]).run("break attempt", "run", START, *[
        "prof-trace %s --prototype='int (void *)'" % name for name in REFUSED], "prof-trace")
    for (name, why), told in zip(REFUSED.items(), out[3:]):
        ok("%s cannot be traced: it" % name in told and why in told, "%s is not wrapped" % name, told)
    ok("No functions are traced" in out[-1], "and nothing of it is traced", out[-1])


# What the C library has in assembler, or chooses for the CPU, or has no type for GDB to know.
PROTOTYPES = {
    "void *(void *, int, unsigned long)": "memset memchr memrchr rawmemchr wmemset wmemchr",
    "void *(void *, const void *, unsigned long)": "memcpy memmove mempcpy wmemcpy",
    "int (const void *, const void *, unsigned long)": "memcmp strncmp wcsncmp wmemcmp strncasecmp",
    "int (const void *, const void *)": "strcmp wcscmp strcasecmp strcoll",
    "void *(void *, const void *)": "strcpy strcat stpcpy strstr wcscpy strpbrk",
    "void *(const void *, int)": "strchr strrchr strchrnul wcschr wcsrchr",
    "unsigned long (const void *)": "strlen wcslen",
    "unsigned long (const void *, const void *)": "strcspn strspn",
    "unsigned long (const void *, unsigned long)": "strnlen wcsnlen",
    "void *(void *, const void *, unsigned long, unsigned long)": "__memcpy_chk __memmove_chk",
    "void *(void *, int, unsigned long, unsigned long)": "__memset_chk",
    "double (double)": "sin cos tan atan exp log exp2 log2 expm1 log1p floor ceil rint trunc nearbyint "
                       "asin acos sinh cosh tanh cbrt erf erfc lgamma tgamma sqrt fabs",
    "double (double, double)": "pow atan2 fmod hypot copysign nextafter remainder",
    "void (double, void *, void *)": "sincos",
    "long (long, ...)": "syscall",
    "long (void *)": "time",
    "int (void *, void *)": "gettimeofday",
    "int (int, void *)": "clock_gettime fstat64",
    "int (void)": "getpid getppid getuid geteuid getgid getegid",
    "int (int)": "close dup umask",
    "int (const char *)": "chdir rmdir unlink",
}
SCRIPT = """
import math, os, re, select, signal, socket, struct, subprocess, sys, threading, time
for name in "sin cos tan asin acos atan sinh cosh tanh exp expm1 log log1p log2 sqrt cbrt erf erfc gamma lgamma " \\
        "floor ceil trunc fabs".split():
    if hasattr(math, name):  # cbrt came with Python 3.11
        print(name, [repr(getattr(math, name)(x)) for x in (0.25, 0.5, 0.875)])
print(math.pow(2.5, 3.1), math.fmod(7.5, 2), math.atan2(1, 2), math.ldexp(0.5, 3), 1e300 * 1e10, float("1.25e-3"))
print(time.strftime("%Y-%m-%d", time.gmtime(1e9)), os.path.realpath("/proc/self")[:6], sorted(os.listdir("/proc/self/ns"))[:3])
near, far = socket.socketpair()
near.sendall(b"x" * 100)
print(select.select([far], [], [], 10)[0] == [far], len(far.recv(200)))
print(subprocess.run(["/bin/echo", "a child"], stdout=subprocess.PIPE).stdout)
child = os.fork()
if not child:
    os._exit(3)
print(os.WEXITSTATUS(os.waitpid(child, 0)[1]))
threads = [threading.Thread(target=lambda: sum(range(1000))) for _ in range(4)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
print(re.sub(r"(\\w+)", lambda match: match.group(1)[::-1], "hello world"), struct.pack("<id", 1, 2.5), "%.20g %e" % (math.pi, 1e-5))
sys.exit(len(os.environ["WORD"]))
"""


def imported(path):
    """The functions that PATH calls in libraries, but for those that cannot be traced on their own."""
    text = subprocess.run(["nm", "-D", "--undefined-only", path], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return [line.split()[-1].split("@")[0] for line in text.splitlines() if "@GLIBC" in line]


def run_script(interpreter, script, commands):
    """How SCRIPT ends with COMMANDS before it is run, and what it prints; then all that GDB said."""
    with tempfile.NamedTemporaryFile("r") as file:
        gdb = Gdb(interpreter, env={"WORD": "seven..", "PYTHONHASHSEED": "0"})
        out = gdb.run(*commands, "run -I -S %s >%s" % (script, file.name), "prof-stop", "prof-traces --format=csv")
        return (re.findall(r"\) (exited.*)\]|signal (SIG\w+)", out[-3]), file.read()), "\n".join(out)


def test_all_imported():
    """All that an interpreter imports of the C library, many at a time."""
    given = {name: prototype for prototype, names in PROTOTYPES.items() for name in names.split()}
    interpreter = os.path.realpath(sys.executable)
    names = sorted(set(imported(interpreter)) | set(given))
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(SCRIPT)
        file.flush()
        plain, _ = run_script(interpreter, file.name, [])
        harmed, calls = [], 0
        for first in range(0, len(names), 60):
            commands = ["prof-trace %s" % name +
                        (" --prototype='%s'" % given[name] if name in given else "")
                        for name in names[first:first + 60]]
            found, text = run_script(interpreter, file.name, [START] + commands)
            calls += sum(int(row["calls"]) for row in rows(text))
            if found != plain:
                harmed.append("%s\n%s\n%s" % (commands, found, text[-2000:]))
    ok("code 07" in str(plain[0]) and "child" in plain[1], "an interpreter does all kinds of things", plain)
    ok(not harmed, "and the same with all %d functions traced" % len(names), "\n".join(harmed))
    ok(calls > 1000, "which it calls %d times" % calls)


plan(10 + 2 + len(REFUSED) + 1 + 3)
with tempfile.TemporaryDirectory() as place:
    build(place)
    test_types(place)
    test_middle(place)
test_refused()
test_all_imported()
