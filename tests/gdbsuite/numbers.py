# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives the catchpoint of the engine catch a number far above those that the suite uses.

The catchpoint takes the next breakpoint number, and nearly every file of the suite expects fixed numbers.
No command of GDB sets its breakpoint counter.  This script finds the counter in GDB's memory, by making
breakpoints and comparing, and raises it while gdbprof makes the catchpoint.
"""

import array
import ctypes
import os

import gdb

FAR = 1000000  # the catchpoint is number FAR + 1


def variables():
    """The address ranges of GDB's static variables, [(start, end)]: .data, then .bss."""
    places, program = [], os.readlink("/proc/self/exe")
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            span, access, _, _, _, *name = line.split(None, 5)
            start, end = (int(word, 16) for word in span.split("-"))
            ours = name and name[0].strip() == program
            if access.startswith("rw") and (ours or (places and not name and places[-1][1] == start)):
                places.append((start, end))
    return places


def having(value):
    """The addresses of all static variables of GDB that are an int with VALUE."""
    size = ctypes.sizeof(ctypes.c_int)
    for start, end in variables():
        words = array.array("i", ctypes.string_at(start, end - start))
        yield from (start + i * size for i, word in enumerate(words) if word == value)


def make():
    """Make a breakpoint, of a kind that needs no program, and return its number."""
    gdb.execute("catch fork", to_string=True)
    return int(gdb.convenience_variable("bpnum"))


def find():
    """GDB's breakpoint counter, as a ctypes.c_int in GDB's memory."""
    found = set(having(make()))
    for _ in range(2):
        found &= set(having(make()))
    for address in sorted(found):
        count = ctypes.c_int.from_address(address)
        old, count.value = count.value, FAR
        if make() == FAR + 1:
            return count
        count.value = old
    raise gdb.GdbError("The script numbers.py does not find the breakpoint counter of this GDB.")


def main():
    """Hide that breakpoints were made here, and replace gdb.execute(), through which gdbprof makes its catchpoint."""
    count, execute = find(), gdb.execute
    gdb.execute("delete", to_string=True)
    count.value = 0
    gdb.set_convenience_variable("bpnum", 0)

    def execute_far(command, *args, **keywords):
        if not command.startswith("catch signal SIGURG"):
            return execute(command, *args, **keywords)
        old, count.value = count.value, FAR
        try:
            return execute(command, *args, **keywords)
        finally:
            count.value = old

    gdb.execute = execute_far


main()
