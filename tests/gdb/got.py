# SPDX-License-Identifier: GPL-3.0-or-later
"""For GDB: `got-keep` remembers all slots of the program, `got-compare` prints which have changed.

Slots are what the linker fills in: .got and its like, of all load objects but the agent.
"""

import re

import gdb

SECTION = re.compile(r"(0x[0-9a-f]+) - (0x[0-9a-f]+) is (\.got\S*|\.data\.rel\.ro)(?: in (.*))?")


def slots():
    """The contents of these sections by where they are."""
    memory = gdb.selected_inferior()
    found = {}
    for low, high, name, file in SECTION.findall(gdb.execute("info files", False, True)):
        if "profagent" in file or "ld-linux" in file:
            continue
        begin = int(low, 16)
        found[file, name] = bytes(memory.read_memory(begin, int(high, 16) - begin))
    return found


class Got(gdb.Command):
    """Remembers or compares."""

    kept = {}

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_DATA)
        self.name = name

    def invoke(self, argument, from_tty):
        """Keep them, or say which have changed since."""
        now = slots()
        if self.name == "got-keep":
            Got.kept = now
            print("%d sections" % len(now))
            return
        if argument == "own":
            now = {key: now[key] for key in now if not key[0]}
        changed = [key for key in now if now[key] != Got.kept.get(key)]
        print("changed: %s" % changed if changed else "all slots are the same")


Got("got-keep")
Got("got-compare")
