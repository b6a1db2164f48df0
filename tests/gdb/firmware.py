# SPDX-License-Identifier: GPL-3.0-or-later
"""Images without an operating system, for QEMU's machines and the boards that tests play."""

import os
import subprocess

from remote import Stub, free_port
from session import TOP

SOURCES = os.path.join(TOP, "tests", "programs", "firmware")
TOOLS = ("clang", "ld.lld")
FLAGS = ["-O1", "-g", "-ffreestanding", "-nostdlib", "-fno-omit-frame-pointer", "-fuse-ld=lld",
         "-Wl,-T," + os.path.join(SOURCES, "image.ld")]

# The emulator, what it emulates, how clang is told of that, and where memory begins there.
MACHINES = {
    "Cortex-M3": ("qemu-system-arm", ["-M", "lm3s6965evb"], ["-target", "thumbv7m-none-eabi", "-mcpu=cortex-m3"],
                  0, 0x20000000),
    "RISC-V": ("qemu-system-riscv32", ["-M", "virt", "-bios", "none"],
               ["-target", "riscv32-none-elf", "-march=rv32imac", "-mabi=ilp32", "-mno-relax"],
               0x80000000, 0x80010000)}


def build(machine, folder):
    """The image for MACHINE, made in FOLDER, or None."""
    _, _, target, rom, ram = MACHINES[machine]
    path = os.path.join(folder, "image")
    done = subprocess.run(
        ["clang", *target, *FLAGS, "-Wl,--defsym=ROM=%d" % rom, "-Wl,--defsym=RAM=%d" % ram, "-o", path,
         os.path.join(SOURCES, "image.c")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return path if done.returncode == 0 else None


def board(machine, image):
    """MACHINE with IMAGE, stopped at its first instruction; see Stub."""
    emulator, options, _, _, _ = MACHINES[machine]
    port = free_port()
    return Stub(emulator, *options, "-kernel", image, "-S", "-gdb", "tcp:127.0.0.1:%d" % port, "-display", "none",
                "-monitor", "none", "-serial", "none", port=port)
