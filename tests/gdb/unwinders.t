#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where call frame information does not do, GDB walks, if it knows more; and only then."""

import os
import re
import subprocess
import tempfile

from session import Gdb, engines, gdb_version, grown, ok, plan, require, rows, skip, total

# Knows the caller of hidden(), in tests/programs/hidden.c.
UNWINDER = """
import gdb
from gdb.unwinder import Unwinder, register_unwinder


class Id:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


class Hidden(Unwinder):
    def __init__(self):
        super().__init__("hidden")
        self.call = None

    def __call__(self, frame):
        pc = int(frame.read_register("rip"))
        self.call = self.call or int(gdb.parse_and_eval("(unsigned long)&hidden_call"))
        if pc != self.call:
            return None
        sp = int(frame.read_register("rsp"))
        word = gdb.lookup_type("unsigned long")
        saved = gdb.Value(sp).cast(word.pointer())
        made = frame.create_unwind_info(Id(gdb.Value(sp + 16), gdb.Value(pc)))
        made.add_saved_register("rsp", gdb.Value(sp + 16).cast(word))
        made.add_saved_register("rbp", saved.dereference())
        made.add_saved_register("rip", (~(saved + 1).dereference()).cast(word))
        return made


register_unwinder(None, Hidden())
"""

# Two functions that a compiler might make: without a frame pointer, and with one.
CODE = """
	.globl made
	.type made, @function
made:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	mov $1, %ebp
	call *%rsi
	pop %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size made, . - made
"""
FRAMED = CODE.replace("mov $1, %ebp", "mov %rsp, %rbp").replace(".cfi_def_cfa_offset 8", "")

FAILED = "<Stack-unwind-failed>"
UNITS = 12000  # of work: a third of a second


def has_samples(out):
    """Does OUT, of record(), have as many as the checks of shares need?"""
    return total(out[-3]) > 100


def record(name, args, *before, start="", enough=has_samples):
    """What a recording of NAME gives: inclusive percents, the chain of callers, and all output."""
    out = grown(lambda units: Gdb(name, [*args, str(units)]).run(
        *before, "set prof max-stopped 100", "prof-start --rate=500 " + start, "run", "prof-stop",
        "prof-functions --format=csv", "prof-tree --format=csv", "info breakpoints"), enough, UNITS)
    percent = {row["name"]: float(row["inclusive_percent"]) for row in rows(out[-3])}
    chain = [(row["level"], row["name"]) for row in rows(out[-2]) if float(row["percent"]) > 50]
    names = [name for _, name in sorted(chain, key=lambda pair: int(pair[0]))]
    return percent, names, out


def is_whole(names, *wanted):
    """Is the heaviest chain one from the start of the program on, that ends with WANTED?"""
    return names[-len(wanted):] == list(wanted) and "main" in names[:-len(wanted)] and \
        names.index("main") > 0


def walked(out):
    """How many stacks GDB has walked, by what prof-stop says."""
    found = re.search(r"GDB walked (\d+) stack", out[-4])
    return int(found.group(1)) if found else 0


def test_unwinder(folder):
    """A frame that only an unwinder in Python can pass."""
    script = os.path.join(folder, "unwinder.py")
    with open(script, "w") as file:
        file.write(UNWINDER)
    source = "source " + script
    percent, names, out = record("hidden", [])
    ok(percent.get(FAILED, 0) > 80 and walked(out) == 0, "without the unwinder the stack is cut",
       out[-3] + out[-4])
    ok("work" in names and names[-1] == "work" and "hidden" in names, "as far as known", out[-2])
    percent, names, out = record("hidden", [], source)
    ok(percent.get(FAILED, 0) < 5 and is_whole(names, "caller", "hidden", "work"),
       "with the unwinder it is whole", out[-2])
    ok(walked(out) > 20, "which is said", out[-4])
    ok("No breakpoints" in out[-1], "the catchpoint is gone", out[-1])
    percent, names, out = record("hidden", [], source, start="--unwinder=cfi")
    ok(percent.get(FAILED, 0) > 80 and walked(out) == 0, "--unwinder=cfi takes no other", out[-4])
    percent, names, out = record("hidden", [], source, start="--unwinder=gdb")
    ok(names[-3:] == ["caller", "hidden", "work"] and walked(out) == 0,
       "--unwinder=gdb takes it too", out[-2])
    percent, names, out = record("hidden", [], source, "disable unwinder global hidden")
    ok(percent.get(FAILED, 0) > 80 and walked(out) == 0, "an unwinder that is disabled is not asked",
       out[-4])


# A function that works, then calls: nothing tells of its frame but what reads it.
READ = """
	.globl made
	.type made, @function
made:	push %rbp
	mov $1, %ebp
	imul $30000, %rdi, %rax
1:	dec %rax
working: jnz 1b
	call *%rsi
	pop %rbp
	ret
	.size made, . - made
"""
WORKING = 0x20000010  # where working is


# A program of 32 bits; its time is spent in work().
OTHER = """
	.globl _start
_start:	call deep
	mov $1, %eax
	xor %ebx, %ebx
	int $0x80
deep:	push %ebp
	mov %esp, %ebp
	call work
	pop %ebp
	ret
work:	push %ebp
	mov %esp, %ebp
	mov $1000000000, %ecx
1:	dec %ecx
	jnz 1b
	pop %ebp
	ret
"""


def test_machine(folder):
    """A program of a machine whose frames are not known here: GDB walks all of it."""
    source = os.path.join(folder, "other.s")
    made = os.path.join(folder, "other")
    with open(source, "w") as file:
        file.write(OTHER)
    subprocess.run(["as", "--32", "-o", made + ".o", source], check=True)
    subprocess.run(["ld", "-m", "elf_i386", "-o", made, made + ".o"], check=True)
    try:
        subprocess.run([made], check=False)
    except OSError as error:
        skip(2, "a program for another machine", "the kernel runs none: %s" % error.strerror)
        return
    _, names, out = record(made, [])
    # GDB before 13 cannot be asked for symbols of a program that has ended.
    ok(names == (["_start", "deep", "work"] if gdb_version() >= 13 else ["<Unknown>"] * 3),
       "a program for another machine", out[-2] + out[-4])
    ok("engine catch" in out[1] and "does not know the call frames" in out[-4], "which is said",
       out[1] + out[-4])


def make(folder, name, code, *strip):
    """An ELF program of CODE, to be placed somewhere by tests/programs/jit.c."""
    source = os.path.join(folder, name + ".s")
    made = os.path.join(folder, name)
    with open(source, "w") as file:
        file.write(code)
    subprocess.run(["cc", "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x20000000,-e,made,"
                    "--build-id=none", "-o", made, source], check=True)
    if strip:
        subprocess.run(["objcopy", *strip, made], check=True, stderr=subprocess.DEVNULL)
    return made


def test_jit(folder):
    """Code that the program tells GDB of while it runs."""
    made = make(folder, "described", CODE)
    percent, names, out = record("jit", [made])
    ok(percent.get(FAILED, 0) < 5 and is_whole(names, "caller", "made", "work"),
       "code that a program has made, with call frame information", out[-2] + out[-4])
    ok(walked(out) > 20 and "No breakpoints" in out[-1], "which GDB walked", out[-4])
    percent, names, out = record("jit", [made], start="--unwinder=cfi")
    ok(percent.get(FAILED, 0) > 80, "--unwinder=cfi knows of the files alone", out[-2])
    percent, names, out = record("jit", [made], start="--engine=perf")
    ok(not PERF or (percent.get(FAILED, 0) > 80 and "With --engine=stop" in out[-4]),
       "--engine=perf neither, and says which does", out[-4])
    made = make(folder, "framed", FRAMED, "-R", ".eh_frame")
    percent, names, out = record("jit", [made])
    ok(percent.get(FAILED, 0) < 5 and is_whole(names, "caller", "made", "work"),
       "code that a program has made, with frame pointers alone", out[-2] + out[-4])


def chains(tree):
    """Which percentage of samples TREE has for each chain of names from main on."""
    found, chain, total = {}, [], 0
    for row in rows(tree):
        chain = chain[:int(row["level"]) - 1] + [row["name"]]
        total += int(row["in_only"])
        if "main" in chain:
            found[tuple(chain[chain.index("main"):])] = int(row["in_only"])
    return {chain: 100 * samples / total for chain, samples in found.items()}


def frames(backtrace):
    """The names that BACKTRACE shows, the outermost first."""
    return tuple(reversed(re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) \(", backtrace, re.M)))


def test_reader(folder):
    """Code that the program tells GDB of, which a reader alone knows (jit-reader-load)."""
    reader = os.path.join(folder, "reader.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unwinders", "reader.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", reader, source], check=True)
    arguments = [make(folder, "read", READ, "--strip-all")]
    load = "jit-reader-load " + reader
    out = Gdb("jit", [*arguments, str(UNITS)]).run(
        load, "tbreak caller", "run", "tbreak *%d" % WORKING, "continue", "backtrace",
        "tbreak work", "continue", "backtrace")
    shown = [frames(out[5]), frames(out[8])]
    ok(shown == [("main", "caller", "compiled"), ("main", "caller", "compiled", "work")],
       "a reader knows code that a program has made", out[5] + out[8])

    def has_both(out):
        found = chains(out[-2])
        return has_samples(out) and all(found.get(chain, 0) > 10 for chain in shown)

    for start in "", "--unwinder=gdb", "--engine=catch":
        # Most of either part may pass while GDB has no CPU.
        _, _, out = record("jit", arguments, load, start=start, enough=has_both)
        ok(has_both(out) and sum(chains(out[-2]).get(chain, 0) for chain in shown) > 80,
           "it is shown as by backtrace, %s" % (start or "--unwinder=auto"), out[-2] + out[-4])
        if not start:
            ok(walked(out) > 20, "which GDB walked", out[-4])
            ok("No breakpoints" in out[-1], "and the catchpoint is gone", out[-1])
    # GDB may have had no CPU to say what the last code was called.
    percent, _, out = record("jit", arguments, load, start="--unwinder=cfi",
                             enough=lambda out: has_samples(out) and "<Unknown>" not in out[-2])
    ok(percent.get(FAILED, 0) > 80 and percent.get("compiled", 0) > 80,
       "--unwinder=cfi does not go past it", out[-2])


require("cc", "objcopy")
PERF = "perf" in engines()
plan(22)
with tempfile.TemporaryDirectory() as place:
    test_unwinder(place)
    test_jit(place)
    test_reader(place)
    test_machine(place)
