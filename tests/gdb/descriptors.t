#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where GDB may open few files, it and all threads of the program are served, or a sentence says why not."""

from session import Gdb, ok, plan

THREADS = 30
BAD = ("Traceback", "unable to open", "Too many open files", "internal-error", "Python Exception")


class Limited(Gdb):
    """A GDB that may open so many files."""

    def __init__(self, files, *arguments, **words):
        super().__init__(*arguments, **words)
        self.files = files

    def command(self, *first):
        return ["prlimit", "--nofile=%d:%d" % (self.files, self.files)] + super().command(*first)


def sound(text):
    return not any(word in text for word in BAD)


plan(7)
out = Limited(40, "crowd", [str(THREADS), "0.2"]).run(
    "set print thread-events off", "prof-start", "run", "prof-stop")
ok("exited normally" in out[2] and sound(out[2]), "40 files, 30 threads: GDB has what it needs", out[2])
ok("; %d threads" % (THREADS + 1) in out[3], "all threads are recorded", out[3])
ok("watch" not in out[3] and sound(out[3]), "and nothing is missing", out[3])

# Of fewer than that, a recording is refused before GDB itself lacks any.
out = Limited(18, "crowd", ["3"]).run("prof-start", "run", "prof-functions")
ok("ulimit -n" in out[0], "18 files: prof-start says that they are too few", out[0])
ok("nothing to show" in out[2], "and records nothing", out[2])

# GDB needs some itself: from there on the loader loads, or says in a sentence why it cannot.
traced, gdb = "", None
for files in range(12, 22):
    gdb = Limited(files)
    gdb.run("prof-status")
    if "prof.py\", line" in gdb.text:
        traced += "with %d files:\n%s" % (files, gdb.text)
ok(not traced, "the loader prints no traceback", traced)
ok("begin with prof-start" in gdb.text, "and loads where there are enough", gdb.text)
