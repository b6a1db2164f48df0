#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""At every instruction of all kinds of calls the stack is the one that GDB finds; and whatever comes,
goes and takes another's place, stacks are right."""

import os
import re
import shutil
import subprocess
import tempfile

from agreement import verify
from session import BUILD, TOP, Gdb, grown, ok, plan, program, require, rows, total

STEPPER = r"""
import subprocess

NAMES = ("rax rdx rcx rbx rsi rdi rbp rsp " + " ".join("r%d" % i for i in range(8, 16)) + " rip").split()
SKIPPED = (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME)


def walk_host():
    # Lookup addresses, and whether GDB's settings ended the walk.
    frame = gdb.newest_frame()
    found = []
    interrupted = True
    while frame is not None:
        pc = frame.pc()
        if not pc and not interrupted:
            return found, False
        if frame.type() not in SKIPPED:
            found.append(pc if interrupted else pc - 1)
            interrupted = frame.type() == gdb.SIGTRAMP_FRAME
        last, frame = frame, frame.older()
    return found, last.unwind_stop_reason() == gdb.FRAME_UNWIND_NO_REASON


def walk_own(helper):
    frame = gdb.newest_frame()
    words = ["%x" % (int(frame.read_register(name)) & (1 << 64) - 1) for name in NAMES]
    helper.stdin.write(" ".join(words) + "\n")
    helper.stdin.flush()
    end, called, *found = helper.stdout.readline().split()
    return [int(word, 16) for word in found], int(end), called == "1"


# While they switch stacks, the C library's call frame information is that of the stack that they
# have left: the walk fails, or with glibc 2.31 ends in what a program begins with, and GDB's finds wrong callers.
# What __start_context ends in was called by nobody.
SWITCHES = ("swapcontext", "setcontext", "__start_context")


def is_switching(own, end, host):
    name = gdb.newest_frame().name()
    same = len(own) <= len(host) and all(abs(a - b) <= 1 for a, b in zip(own, host))
    return name in SWITCHES and (end == 2 and own == host[:len(own)] or OLD_LIBRARY and end == 0 and same)


def is_misdescribed(own, end):
    # In a procedure linkage table with endbr64, GNU ld 2.35 takes the last jump for one before the push.
    return OLD_LINKER and end == 2 and len(own) == 1 and "bnd jmp" in gdb.execute("x/i $pc", False, True)


def is_equal(own, end, called, host, left):
    if left:
        own = own[:len(host)]
    elif end == 0 and not called: # where a program begins, or a coroutine
        host = host[:len(own)]
    return len(own) == len(host) and all(abs(a - b) <= 1 for a, b in zip(own, host))


def steps(helper, stop, most):
    # Steps until the function STOP, and tells how many steps there were, and where they differ.
    helper = subprocess.Popen([helper, str(gdb.selected_inferior().pid)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    count = frames = switches = 0
    wrong = []
    seen = {}
    last = int(gdb.parse_and_eval("(long)&" + stop)) if stop else None
    while count < most and gdb.newest_frame().pc() != last:
        name = gdb.newest_frame().name()
        # Without symbols it is the name of something else.
        place = name if gdb.newest_frame().function() else gdb.newest_frame().pc() // 256
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > 150:
            # The clock of the vdso goes on while it is read step by step, so that it starts anew.
            gdb.execute("finish" if name == "clock_gettime" else "stepi 20", False, True)
            continue
        own, end, called = walk_own(helper)
        host, left = walk_host()
        frames += len(host)
        if is_equal(own, end, called, host, left):
            pass
        elif is_switching(own, end, host) or is_misdescribed(own, end):
            switches += 1
        else:
            wrong.append("%s: %s %d, GDB %s" % (
                gdb.execute("x/i $pc", False, True).strip(), [hex(a) for a in own], end,
                [hex(a) for a in host]))
        gdb.execute("stepi", False, True)
        count += 1
    helper.stdin.close()
    helper.wait()
    print("STEPS %d FRAMES %d WRONG %d REACHED %s SWITCHES %d" % (
        count, frames, len(wrong), gdb.newest_frame().name(), switches))
    for text in wrong[:10]:
        print("  " + text)
"""

EDGES = r"""
def edges(helper):
    # Until the function returns, its caller is the one of its first instruction, which GDB knows;
    # and what it has called stands inside of it, as GDB knows too.
    helper = subprocess.Popen([helper, str(gdb.selected_inferior().pid)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    name = gdb.newest_frame().name()
    base = int(gdb.newest_frame().read_register("rsp"))
    host, left = walk_host()
    first, end, called = walk_own(helper)
    wrong = [] if is_equal(first, end, called, host, left) else ["at first: %s" % [hex(a) for a in first]]
    count = 0
    while int(gdb.newest_frame().read_register("rsp")) <= base:
        own, end, called = walk_own(helper)
        host, _ = walk_host()
        inside = len(own) - len(first) + 1
        count += 1
        if inside < 1 or own[inside:] != first[1:] or own[:inside] != host[:inside]:
            wrong.append("%s: %s" % (gdb.execute("x/i $pc", False, True).strip(), [hex(a) for a in own]))
        if inside > 1 and count > 500:
            # Since gcc 13, frame_dummy() of a static program has libgcc look at all that .eh_frame describes.
            gdb.execute("tbreak *%d" % (own[inside - 1] + 1), False, True)
            gdb.execute("continue", False, True)
        else:
            gdb.execute("stepi", False, True)
    helper.stdin.close()
    helper.wait()
    print("STEPS %d FRAMES %d WRONG %d REACHED %s SWITCHES 0" % (count, len(first), len(wrong), name))
    for text in wrong:
        print("  " + text)
"""

OLD_LIBRARY = os.confstr("CS_GNU_LIBC_VERSION") == "glibc 2.31"
OLD_LINKER = " 2.35" in subprocess.run(
    ["ld", "--version"], capture_output=True, text=True, check=False).stdout.partition("\n")[0]
SOURCE = os.path.join(TOP, "tests", "programs", "steps.c")
HELPER = os.path.join(BUILD, "tests", "bench", "walk")
WAYS = {
    "optimized, lazy binding": ["-O2", "-Wl,-z,lazy"],
    "not optimized, indirect branch tracking, not movable": ["-O0", "-Wl,-z,lazy,-z,ibtplt", "-fcf-protection", "-no-pie"],
    "optimized, frame pointers, stripped": ["-O2", "-fno-omit-frame-pointer", "-Wl,-z,now"],
    "optimized for size, static": ["-Os", "-static"],
}
# Where the tests stop; of the rest only .eh_frame tells.
UNDESCRIBED = ("_init", "frame_dummy", "__do_global_dtors_aux", "_fini")
KEPT = ["--keep-symbol=" + name for name in ("begin", "end") + UNDESCRIBED]


def result(text):
    """Steps, and differences, that STEPPER tells."""
    words = text[text.find("STEPS"):].split() if "STEPS" in text else []
    return (int(words[1]), int(words[5]), words[7], int(words[9])) if words else (0, 0, "", 0)


def test_edges(exe, script, way):
    """What linkers make of pieces, and compilers bring along, which no call frame information describes."""
    commands = []
    for name in UNDESCRIBED:
        commands += ["delete", "break *" + name, "continue", "python edges(%r)" % HELPER]
    out = Gdb(exe, load=False).run(
        "source " + script, "handle SIGUSR1 nostop noprint pass", "starti", *commands)
    for name, text in zip(UNDESCRIBED, out[6::4]):
        count, wrong, reached, _ = result(text)
        ok(count >= 2 and not wrong and reached == name, "%s: %s, which nobody describes" % (way, name),
           "\n".join(out))


def step(folder, way, options):
    exe = os.path.join(folder, "steps")
    subprocess.run(["cc", "-g", *options, "-o", exe, SOURCE], check=True)
    if "stripped" in way:
        subprocess.run(["objcopy", "--strip-all", *KEPT, exe], check=True)
    script = os.path.join(folder, "stepper.py")
    with open(script, "w") as file:
        file.write("OLD_LIBRARY, OLD_LINKER = %r, %r\n" % (OLD_LIBRARY, OLD_LINKER) + STEPPER + EDGES)
    out = Gdb(exe, load=False).run(
        "source " + script, "handle SIGUSR1 nostop noprint pass", "starti",
        "python steps(%r, '', 300)" % HELPER, "break begin", "continue", "finish",
        "python steps(%r, 'end', 20000)" % HELPER)
    count, wrong, _, _ = result(out[3])
    ok(count == 300 and not wrong, way + ": the first instructions", "\n".join(out)[-3000:])
    test_edges(exe, script, way)
    count, wrong, reached, switches = result(out[7])
    ok(count > 500 and not wrong and switches < 60 and reached == "end", way + ": all calls", out[7][-3000:])


ENOUGH = 60  # stacks
MANY = 300   # of shares
TURNS = 40   # of swaps, at the least

# The same code in the same place, but for the size of its frame.  With a stack that may be executed
# glibc 2.41 would not load it.
LIBRARY = """
	.globl %s
	.type %s, @function
%s:	.cfi_startproc
	.byte 0x48, 0x81, 0xec
	.long %d
	.cfi_def_cfa_offset %d
	call *%%rdi
	.byte 0x48, 0x81, 0xc4
	.long %d
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size %s, . - %s
	.section .note.GNU-stack,"",@progbits
"""


def build_library(folder, name, size):
    source = os.path.join(folder, name + ".s")
    made = os.path.join(folder, "lib%s.so" % name)
    with open(source, "w") as file:
        file.write(LIBRARY % (name, name, name, size, size + 8, size, name, name))
    subprocess.run(["cc", "-shared", "-nostdlib", "-o", made, source], check=True)
    return made


def test_libraries(folder):
    """A library takes the place of one that is gone, with other frames at the same addresses."""
    libraries = [build_library(folder, "alpha", 24), "alpha",
                 build_library(folder, "omega", 4056), "omega"]
    same, (equal, stacks, _, _, said) = grown(
        lambda turns: ("same %d" % (turns - 1), verify([program("swaps"), str(turns)] + libraries)),
        lambda got: got[1][1] >= ENOUGH, TURNS)
    ok(same in said and equal == stacks >= ENOUGH, "one library in another's place, held against GDB",
       said)
    same, out = grown(
        lambda turns: ("same %d" % (turns - 1), Gdb("swaps", [str(turns)] + libraries).run(
            "set prof max-stopped 100", "prof-start --rate=1000", "run", "prof-stop",
            "prof-functions --format=csv")),
        lambda got: total(got[1][4]) >= MANY, TURNS)
    found = {row["name"]: float(row["inclusive_percent"]) for row in rows(out[4])}
    ok(same in out[2] and found.get("main", 0) > 80 and
       found.get("<Stack-unwind-failed>", 0) < 1, "their stacks are whole", out[4])
    ok(found.get("alpha", 0) > 20 and found.get("omega", 0) > 20, "and each has its name", out[4])

# A library that is busy while it is loaded, of which GDB is told when that is done, and as it is
# closed, below what the compiler has brought along.
BUSY = r"""
#include <stdlib.h>

static volatile long left;

__attribute__((noinline)) static void spin(long amount)
{
	for (left = amount; left > 0; left--)
		;
}

static int chosen(void)
{
	return 0;
}

static void *choose(void)
{
	spin(WORK);
	return chosen;
}

int answer(void) __attribute__((ifunc("choose")));

static void at_close(void)
{
	spin(WORK);
	left = 0;
}

__attribute__((constructor)) static void begin(void)
{
	atexit(at_close);
}
"""

LOADS = r"""
#include <dlfcn.h>

int answer(void);

int main(void)
{
	return answer() + dlclose(dlopen("./libother.so", RTLD_NOW));
}
"""


def build_busy(folder, work):
    """A program that is linked with the library BUSY, and loads and closes a copy; with so much WORK."""
    for name, text in (("busy.c", BUSY), ("loads.c", LOADS)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    for command in (["-DWORK=%d000000L" % work, "-shared", "-fPIC", "-o", "libbusy.so", "busy.c"],
                    ["-o", "loads", "loads.c", "-L.", "-lbusy", "-ldl", "-Wl,-z,now,-rpath,$ORIGIN"]):
        subprocess.run(["cc", "-O2", "-g"] + command, cwd=folder, check=True)
    shutil.copy(os.path.join(folder, "libbusy.so"), os.path.join(folder, "libother.so"))
    return os.path.join(folder, "loads")


def test_busy(folder):
    """GDB finds wrong callers there, which is no difference; and gdbprof's stacks are whole."""
    def run(work):
        out = Gdb(build_busy(folder, work)).run(
            "cd " + folder, "set prof max-stopped 100", "prof-start --rate=1000 --verify=1", "run",
            "prof-stop", "prof-functions --format=csv", "prof-flame")
        return out, [(line.rsplit(" ", 1)[0].split(";"), int(line.rsplit(" ", 1)[1]))
                     for line in out[6].strip().splitlines()]

    def count(stacks, name, in_main):
        return sum(weight for stack, weight in stacks
                   if name in stack and ("main" in stack) == in_main and "<Stack-unwind-failed>" not in stack)

    places = (("choose", False), ("at_close", True))
    out, stacks = grown(run, lambda got: min(count(got[1], *place) for place in places) >= ENOUGH, 100)
    found = re.search(r"Verified: (\d+) of (\d+) stacks", out[4])
    ok(found and found[1] == found[2],
       "what GDB does not know yet, and what nobody describes: there is no difference", out[4])
    ok(all(count(stacks, *place) >= ENOUGH for place in places) and "<Stack" not in out[6],
       "there all stacks are whole", out[6])


require("cc")
plan((2 + len(UNDESCRIBED)) * len(WAYS) + 3 + 2)
with tempfile.TemporaryDirectory() as place:
    for name, flags in WAYS.items():
        step(place, name, flags)
    test_libraries(place)
    test_busy(place)
