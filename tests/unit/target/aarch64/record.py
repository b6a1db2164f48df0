#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a header VARIANT.h each: what GDB sees of the program here at each of its instructions.

On Debian: apt-get install gcc-aarch64-linux-gnu qemu-user gdb-multiarch; then, from anywhere:

    tests/unit/target/aarch64/record.py

Each variant of the program is built twice, the second time with call frame information for all of
its code.  GDB steps the second one on a processor without pointer authentication, which GDB 13
cannot see through under QEMU, and tells the frames.  It steps the first one on a processor with it,
and tells registers and memory.  Both take the same way.
"""
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FLAGS = ("-nostdlib -static -ffreestanding -fno-stack-protector -fvisibility=hidden "
         "-fasynchronous-unwind-tables -Wl,--build-id=none -Wl,-z,noseparate-code -Wl,--eh-frame-hdr "
         "-fno-pie -no-pie -Wl,-z,max-page-size=4096").split()
VARIANTS = {
    "plain": ["-O0"],
    "optimized": ["-O2"],
    "frameless": ["-O2", "-fomit-frame-pointer", "-DOLD_KERNEL"],
    "authenticated": ["-O1", "-mbranch-protection=pac-ret"],
    "authenticated_leaves": ["-Os", "-mbranch-protection=pac-ret+leaf+b-key"],
}
WORD = 8
NEEDED = range(19, 32)  # x19 to x30, and sp
NO_BREAK = "~"
HEAD = """/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Only for target_aarch64.c.  Made, of the program beside it, by
 *
 *	apt-get install gcc-aarch64-linux-gnu qemu-user gdb-multiarch
 *	tests/unit/target/aarch64/record.py
 */
/* clang-format off */
"""


def build(flags, path):
    subprocess.run(["aarch64-linux-gnu-gcc", *FLAGS, *flags, str(HERE / "start.S"),
                    str(HERE / "program.c"), "-o", path],
                   check=True)


def emit_bounds(name, path, first, last):
    """Prints the bounds of the functions of PATH from FIRST to LAST."""
    lines = subprocess.run(["aarch64-linux-gnu-nm", path], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    addresses = {line.split()[2]: int(line.split()[0], 16) for line in lines}
    high = min(address for address in addresses.values() if address > addresses[last])
    print(f"static const uint64_t {name}[] = {{{addresses[first]:#x}, {high:#x}}};")


def run_gdb(program, cpu, what):
    """The steps of PROGRAM, as WHAT of the functions below tells them."""
    socket, out = program + ".socket", program + ".json"
    qemu = subprocess.Popen(["qemu-aarch64", "-cpu", cpu, "-g", socket, program],
                            env={}, stdin=subprocess.DEVNULL)
    try:
        while not os.path.exists(socket) and qemu.poll() is None:
            time.sleep(0.01)
        environment = dict(os.environ, STEPS_OF=program, STEPS_WHAT=what, STEPS_OUT=out)
        subprocess.run(["gdb-multiarch", "-nx", "-batch", "-ex", "set osabi GNU/Linux",
                        "-ex", f"target remote {socket}", "-x", __file__, program],
                       env=environment, check=True, stdout=subprocess.DEVNULL)
    finally:
        qemu.kill()
        qemu.wait()
    return json.loads(Path(out).read_text())


def emit_lines(items):
    """Prints ITEMS, as many to a line as there is room for."""
    print(textwrap.fill(chr(10).join(items).replace(" ", NO_BREAK), 92, break_long_words=False,
                        break_on_hyphens=False, initial_indent="\t",
                        subsequent_indent="\t").replace(NO_BREAK, " "))


def emit_words(name, words):
    print(f"static const uint64_t {name}[] = {{")
    emit_lines(f"{word:#x}," for word in words)
    print("};\n")


def emit_variant(name, flags, folder):
    recorded, twin = str(folder / name), str(folder / name) + "_twin"
    build(flags, recorded)
    build([*flags, "-DDESCRIBED"], twin)
    frames = run_gdb(twin, "cortex-a57", "frames")
    states = run_gdb(recorded, "max,sve=off,sme=off", "states")
    ways = [frame[0] for frame in frames], [state["registers"][32] for state in states]
    assert ways[0] == ways[1], "the twins went different ways"
    print(f"/* {' '.join(flags)} */")
    emit_bounds(f"{name}_bare", recorded, "bare_leaf", "bare_branch")
    emit_bounds(f"{name}_grow", recorded, "grow", "grow")
    emit_bounds(f"{name}_leaf", recorded, "leaf", "leaf")
    subprocess.run(["aarch64-linux-gnu-strip", "-R", ".comment", recorded], check=True)
    data = Path(recorded).read_bytes()
    data += bytes(-len(data) % WORD)
    emit_words(f"{name}_elf", [int.from_bytes(data[i:i + WORD], "little")
                               for i in range(0, len(data), WORD)])
    print(f"static const struct change {name}_changes[] = {{")
    seen, told, registers, outer, changes = set(), {}, [0] * 34, [], []
    for frame, state in zip(frames, states):
        if frame[0] in seen:
            continue
        seen.add(frame[0])
        changes += [("r", i, state["registers"][i]) for i in NEEDED
                    if state["registers"][i] != registers[i]]
        registers = state["registers"]
        sp = registers[31]  # where readable memory begins is told even if it is 0
        changes += [("m", address, value) for address, value in state["memory"]
                    if told.get(address, -1 if address == sp else 0) != value]
        told.update(state["memory"])
        frame.reverse()
        changes += [("f", i, frame[i]) for i in range(len(frame) - 1)
                    if i >= len(outer) or outer[i] != frame[i]]
        outer = frame[:-1]
        changes.append(("s", len(frame), frame[-1]))
    emit_lines(f"{{'{what}', {where:{'#x' if what == 'm' else ''}}, {value:#x}}},"
               for what, where, value in changes)
    print("};")
    print(f"{name}: {len(frames)} steps, {len(seen)} stops", file=sys.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in VARIANTS.items():
            with open(HERE / f"{name}.h", "w", encoding="utf-8") as file, \
                    contextlib.redirect_stdout(file):
                print(HEAD)
                emit_variant(name, flags, Path(folder))


def tell_frames(gdb):
    """Lookup addresses, the innermost first, as prof_unwinder_walk() tells them."""
    found, exact, frame = [], True, gdb.newest_frame()
    while frame:
        found.append(frame.pc() - (not exact))
        exact = frame.type() == gdb.SIGTRAMP_FRAME
        frame = frame.older()
    return found


def tell_state(gdb, top):
    """Registers as in struct user_pt_regs, and the words of the stack from sp on."""
    mask = (1 << 64) - 1
    frame = gdb.newest_frame()
    names = [f"x{i}" for i in range(31)] + ["sp", "pc", "cpsr"]
    registers = [int(frame.read_register(name)) & mask for name in names]
    low, end = registers[31], top
    alternate = int(gdb.parse_and_eval("(long)&alternate"))
    if alternate <= low < alternate + 8192:
        end = alternate + 8192
    data = bytes(gdb.selected_inferior().read_memory(low, end - low))
    words = [(low + i, int.from_bytes(data[i:i + WORD], "little"))
             for i in range(0, len(data), WORD)]
    return {"registers": registers, "memory": words}


def step_all():
    """In GDB: steps from begin() to its end."""
    import gdb
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set backtrace past-main on")
    gdb.execute("handle SIGUSR1 nostop noprint pass")
    gdb.execute("break *begin")
    gdb.execute("break *handle")
    gdb.execute("continue")
    top = int(gdb.parse_and_eval("(long)$sp"))
    last = int(gdb.newest_frame().older().pc())
    what = os.environ["STEPS_WHAT"]
    steps = []
    while int(gdb.newest_frame().pc()) != last:
        steps.append(tell_frames(gdb) if what == "frames" else tell_state(gdb, top))
        gdb.execute("stepi", to_string=True)
    Path(os.environ["STEPS_OUT"]).write_text(json.dumps(steps))


if "STEPS_OF" in os.environ:
    step_all()
else:
    main()
