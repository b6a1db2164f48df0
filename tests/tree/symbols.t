#!/usr/bin/python3
"""The core never prints, never ends its host and keeps no state; the plugin shows one symbol."""

import re

from tree import LIBRARY, PLUGIN, none, ok, output, plan

plan(4)

PRINTS = {"printf", "vprintf", "puts", "putchar", "putc", "perror", "psignal", "stdout", "stderr",
          "__printf_chk", "__vprintf_chk", "_IO_putc", "error", "warn", "warnx", "syslog"}
JUMPS = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"}
ENDS = {"exit", "_exit", "_Exit", "quick_exit", "abort", "err", "errx", "verr", "verrx",
        "pthread_exit"} | JUMPS


def used(names):
    """Where the core uses one of the symbols NAMES."""
    found = []
    for line in output("nm", "-A", "-u", LIBRARY).splitlines():
        place, name = line.rsplit(None, 1)
        if name in names:
            found.append("%s uses %s" % (place.split(":")[1], name))
    return found


none(used(PRINTS), "the core does not print")
# It jumps out of a library, not out of its host, to stop what could go on for hours.
none([use for use in used(ENDS) if use not in ["demangle.o uses " + name for name in JUMPS]],
     "the core does not end its host")

# What is constant but for its addresses stands in .data.rel.ro: it is no state.
STATE = re.compile(r"^\S+ .{7} (\.data|\.bss|\.tdata|\.tbss|\*COM\*)(?!\.rel\.ro)\S*\s+\S+ (?:\.\w+ )?([^.\s].*)$")
wrong = []
member = ""
for line in output("objdump", "-t", LIBRARY).splitlines():
    head = re.match(r"^(\S+\.o):", line)
    match = STATE.match(line)
    if head:
        member = head.group(1)
    elif match:
        wrong.append("%s: %s in %s" % (member, match.group(2), match.group(1)))
none(wrong, "the core has no variables outside its objects")

symbols = [line.split()[-1] for line in output("nm", "-D", "--defined-only", PLUGIN).splitlines()]
ok(symbols == ["PyInit__prof"], "the plugin exports PyInit__prof and nothing else",
   "\n".join(symbols))
