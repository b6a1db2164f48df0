#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The core never prints, never ends its host and keeps no state; libraries show what they must."""

import glob
import os
import re

from tree import AGENT, BUILD, AGENT_OBJECTS, LIBRARY, PLUGIN, none, ok, output, plan

plan(8)

PRINTS = {"printf", "vprintf", "puts", "putchar", "putc", "perror", "psignal", "stdout", "stderr",
          "__printf_chk", "__vprintf_chk", "_IO_putc", "error", "warn", "warnx", "syslog"}
JUMPS = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"}
ENDS = {"exit", "_exit", "_Exit", "quick_exit", "abort", "err", "errx", "verr", "verrx",
        "pthread_exit"} | JUMPS


def used(names, library=LIBRARY):
    """Where LIBRARY, the core, uses one of the symbols NAMES."""
    found = []
    for line in output("nm", "-A", "-u", library).splitlines():
        place, name = line.rsplit(None, 1)
        if name in names:
            found.append("%s uses %s" % (place.split(":")[1], name))
    return found


none(used(PRINTS), "the core does not print")
# It jumps out of libraries, not out of its host: they would go on for hours, or end the host.
JUMP = ["%s uses %s" % (file, name) for file in ("demangle.o", "dwarf.o") for name in JUMPS]
none([use for use in used(ENDS) if use not in JUMP],
     "the core does not end its host")

# What is constant but for its addresses stands in .data.rel.ro: it is no state.
STATE = re.compile(r"^\S+ .{7} (\.data|\.bss|\.tdata|\.tbss|\*COM\*)(?!\.rel\.ro)\S*\s+\S+ (?:\.\w+ )?([^.\s].*)$")
# What a library that calls back hands nothing over for: where it is left.
ALLOWED = ["dwarf.o: innermost in .tbss"]
wrong = []
member = ""
for line in output("objdump", "-t", LIBRARY).splitlines():
    head = re.match(r"^(\S+\.o):", line)
    match = STATE.match(line)
    if head:
        member = head.group(1)
    elif match:
        wrong.append("%s: %s in %s" % (member, match.group(2), match.group(1)))
none([name for name in wrong if name not in ALLOWED], "the core has no variables outside its objects")



def exported(library):
    """The symbols that LIBRARY shows."""
    return sorted(line.split()[-1] for line in
                  output("nm", "-D", "--defined-only", library).splitlines())


ok(exported(PLUGIN) == ["PyInit__prof"], "the plugin exports PyInit__prof and nothing else",
   "\n".join(exported(PLUGIN)))
ok(exported(AGENT) == ["ompt_start_tool", "prof_agent", "prof_agent_begin", "prof_agent_stage"],
   "the agent exports what it and gdbprof meet at, and what OpenMP looks for", "\n".join(exported(AGENT)))
needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", "-W", AGENT))
# Before glibc 2.34 it has parts of its own.
ok(set(needed) - {"libdl.so.2", "libpthread.so.0"} == {"libc.so.6"}, "the agent needs the C library only", "\n".join(needed))
# libffi, which is linked into it, allocates memory: nothing of it is redirected.
uses = {line.split()[-1].split("@")[0]
        for line in output("nm", "-u", *AGENT_OBJECTS).splitlines() if not line.endswith(":")
        and line.strip()}
none(uses & (PRINTS | ENDS), "the agent neither prints nor ends the program")
TAKEN = {"malloc", "calloc", "realloc", "free", "mmap", "munmap", "pthread_mutex_lock", "sem_wait"}
none(["%s: %s" % (os.path.basename(path), name)
      for path in glob.glob(os.path.join(BUILD, "core", "agent", "*.o"))
      if os.path.basename(path) != "hooks.o"
      for name in TAKEN & {line.split()[-1] for line in output("nm", "-u", path).splitlines()}],
     "the agent calls no function that it takes but by way of the hooks")
