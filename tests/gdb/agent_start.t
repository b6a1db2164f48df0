#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that GDB starts with the agent in them: they do what they do without."""

import os
import re
import signal
import stat
import subprocess
import tempfile

from dialog import Dialog
from session import BUILD, Gdb, again, ok, plan, program, wait_until

START = "prof-start --heap --engine=none"
# Once the program has had a CPU for a moment.
KILL = "python exec(%r)" % ("""
import os, signal, sys, time
sys.path.insert(0, %r)
from beside import start_beside
pid = gdb.selected_inferior().pid
def used():
    with open("/proc/%%d/stat" %% pid) as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))
def kill(before):
    while used() < before + 5:
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
start_beside(kill, used())
""" % os.path.dirname(os.path.abspath(__file__)))
AGENT = os.path.join(BUILD, "libprofagent.so")
GOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "got.py")


def printed(text):
    """What the program has printed, of TEXT that GDB printed around it."""
    return [line for line in text.splitlines() if not re.match(
        r"\[(Inferior|Thread|New|Detaching|Attaching)|Using host|warning:|$", line)]


def visible(text):
    """The variables that a program has printed, but for those that bash has for itself."""
    return sorted(line for line in printed(text) if not re.match(r"_=|OLDPWD=|SHLVL=", line))


def compare(what, *args, **options):
    """Run a program with ARGS both ways; is what it prints, and how it ends, the same?"""
    plain = Gdb(*args, **options).run("run", "print $_exitcode", "print $_siginfo.si_signo")
    traced = Gdb(*args, **options).run(
        START, "run", "print $_exitcode", "print $_siginfo.si_signo", "prof-stop")
    ok(printed(plain[0]) == printed(traced[1]) and plain[1:] == traced[2:4], what,
       "\n".join(plain) + "\n---\n" + "\n".join(traced))
    return "".join(traced)


def events(text):
    """How many events prof-stop says that there were."""
    found = re.search(r"; (\d+) events", text)
    return int(found.group(1)) if found else 0


def loaded(text):
    """The libraries that `info sharedlibrary' lists in TEXT, or a stop at a library event."""
    return re.findall(r"(?:^| )(/\S+)$", text, re.M)


def slotted(paths):
    """How many of the load objects PATHS have slots by which they allocate or free memory."""
    listed = [subprocess.run(["readelf", "-Wr", path], capture_output=True, text=True, check=True).stdout
              for path in paths]
    return sum(bool(re.search(r"_(JUMP_SLOT?|GLOB_DAT) .* (malloc|calloc|realloc|free)@", text))
               for text in listed)


plan(43)

# What it takes to be started is put back, whatever the user has set.
out = Gdb("heaps", ["2", "2000"]).run(
    "show exec-wrapper", START, "show exec-wrapper", "break main", "run", "show exec-wrapper",
    "show environment LD_PRELOAD", "continue", "prof-stop", "show exec-wrapper")
ok("LD_PRELOAD" in out[2] and out[5] == out[0] == out[9], "a wrapper is set for one start",
   "\n".join(out))
ok("not defined" in out[6] and "right" in out[7], "and the environment is left alone", out[6])
ok(events(out[8]) > 2000, "the program's allocations are traced", out[8])

out = Gdb("heaps").run("show exec-wrapper", START, "prof-stop", "show exec-wrapper")
ok(out[0] == out[3], "without a run, prof-stop puts the wrapper back", "\n".join(out))

# Names of the agent's own are none of the program's: `break begin` is no place in the agent.
with tempfile.TemporaryDirectory() as folder:
    names = ["begin", "end", "call", "tell", "enter", "leave", "thread"]
    path = os.path.join(folder, "named")
    subprocess.run(["gcc", "-g", "-x", "c", "-", "-o", path], text=True, check=True, input="".join(
        "int %s(int x) { return x + 1; }\n" % name for name in names) + "int main(void) { return end(-1); }\n")
    out = Gdb(path).run(START, "break main", "run", *["break " + name for name in names],
                        "info sharedlibrary libprofagent", "continue")
ok(all("location" not in told and re.search(r"Breakpoint \d+ at .*line %d" % (i + 1), told)
       for i, told in enumerate(out[3:3 + len(names)])), "names of the agent are not in the way",
   "\n".join(out))
ok("Yes  " in out[-2] and "(*)" not in out[-2], "and GDB does not miss debugging information", out[-2])

# A stop in the dynamic linker, before the program begins, is left to GDB as it is.
solib = ["run", "info registers rip", "continue", "continue"]
plain = Gdb("heaps", ["1", "2000"]).run("set stop-on-solib-events 1", *solib)
out = Gdb("heaps", ["1", "2000"]).run("set stop-on-solib-events 1", START, *solib, "prof-stop")
more = set(loaded(out[4])) - set(loaded(plain[3]))
ok(plain[1] == out[2] and plain[2] == out[3] and set(loaded(plain[3])) < set(loaded(out[4])) and
   # Before glibc 2.34 dlsym() is in a library of its own.
   more in ({AGENT}, {AGENT, next((path for path in more if "/libdl.so" in path), AGENT)}),
   "GDB stops at the same shared library events", "\n".join(plain) + "\n---\n" + "\n".join(out))
ok("exited normally" in out[5] and events(out[6]) > 2000, "and the program is traced", out[5] + out[6])
ok("gdbprof cannot load the agent where" not in out[6], "and nothing else is said of it in the end", out[6])

out = Gdb("heaps", ["1", "2000"]).run(START, "run", "run", "prof-stop")
ok(events(out[3]) > 4000, "what is run again is traced again", out[3])

# The program sees the environment that it would see without.
compare("the environment is the same", "/usr/bin/env")
library = "libc.so.6" # the one that surely is there
for value in library, "":
    plain = Gdb("/usr/bin/env").run("set environment LD_PRELOAD " + value, "run")
    traced = Gdb("/usr/bin/env").run("set environment LD_PRELOAD " + value, START, "run", "prof-stop",
                                     "show environment LD_PRELOAD")
    ok(printed(plain[1]) == printed(traced[2]) and events(traced[3]) > 5 and
       "LD_PRELOAD = " + value in traced[4], "so it is with LD_PRELOAD=%s" % value,
       "\n".join(plain + traced))

with tempfile.TemporaryDirectory() as folder:
    wrapper = os.path.join(folder, "wrapper")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nWRAPPED=yes exec "$@"\n')
    os.chmod(wrapper, stat.S_IRWXU)
    for own in wrapper, "env WRAPPED=yes", "env LD_PRELOAD=libc.so.6 WRAPPED=yes":
        plain = Gdb("/usr/bin/env").run("set exec-wrapper " + own, "run")
        traced = Gdb("/usr/bin/env").run("set exec-wrapper " + own, START, "run", "prof-stop",
                                         "show exec-wrapper")
        ok(visible(plain[1]) == visible(traced[2]) and
           "WRAPPED=yes" in traced[2] and events(traced[3]) > 5 and own in traced[4],
           "and with the user's wrapper, " + os.path.basename(own), "\n".join(plain + traced))

out = Gdb("/usr/bin/env").run("set startup-with-shell off", START, "run", "prof-stop",
                              "show environment LD_PRELOAD")
ok(events(out[3]) > 5 and "LD_PRELOAD" not in out[2] and "not defined" in out[4],
   "without a shell it is started all the same", "\n".join(out))

# The user may have changed that at a prompt in between.
for first, then in ("on", "off"), ("off", "on"):
    gdb = Dialog("/usr/bin/env")
    for command in "set startup-with-shell " + first, START, "set startup-with-shell " + then:
        gdb.say(command)
    out = [gdb.say(command) for command in ("run", "prof-stop", "show environment LD_PRELOAD", "show exec-wrapper")]
    gdb.end()
    ok("exited normally" in out[0] and "LD_PRELOAD" not in out[0] and events(out[1]) > 5 and
       "not defined" in out[2] and "env" not in out[3],
       "also where that is turned %s after prof-start" % then, "\n".join(out))

# However a program is linked, its calls are taken, and the slots are as they were afterwards.
for way in "lazy", "now", "noplt":
    out = Gdb("heaps-" + way, ["2", "2000"]).run(
        START, "break drop", "run", "delete", "info sharedlibrary", "prof-status", "prof-stop",
        "continue")
    # The agent's own slots are left alone, and those of the dynamic linker.
    objects = [program("heaps-" + way)] + [
        path for path in loaded(out[4]) if path != AGENT and "/ld-" not in path]
    ok(len(objects) > 1 and "slots in %d load objects" % slotted(objects) in out[5] and
       events(out[6]) > 10 and "right" in out[7], "linked %s, it is traced" % way, "\n".join(out))
    # On a busy machine a thread may not come out of the C library in time.
    out = again(lambda: Gdb("heaps-" + way, ["2", "2000"]).run(
        "break drop", "ignore 1 100", "run", "delete", "source " + GOT, "got-keep", START, "got-compare own",
        "prof-stop", "got-compare own", "got-keep", START, "got-compare", "prof-stop", "got-compare",
        "continue"), lambda out: "gdbprof cannot load the agent where" not in out[6] + out[11])
    # To load the agent, the C library binds some of its own.
    ok("changed:" in out[7] and "changed:" in out[12] and "right" in out[15] and
       all("all slots are the same" in out[i] for i in (9, 14)),
       "and its slots are the same in the end", "\n".join(out))

# What makes it hard.
text = compare("a program that closes all files", "traced", ["close"])
ok(events(text) > 2000, "is traced on", text)
text = compare("a program that changes its own slots", "traced", ["redirect"])
text = compare("libraries that come and go", "traced", ["load"])
ok(events(text) > 100, "are traced", text)
text = compare("children", "traced", ["fork"])
ok(600 <= events(text) < 2000, "are not traced, and their parent is", text)
text = compare("a heap of its own", "ownheap")
ok(events(text) >= 100, "is traced as far as others use it", text)
compare("a crash is the same", "traced", ["crash"])

out = Gdb("traced", ["spare"]).run(
    START, "tbreak give if $_prof_samples() == 1", "tbreak take", "run", "kill", "prof-stop",
    "show exec-wrapper")
ok("killed" in out[4] and "LD_PRELOAD" not in out[6], "a program that is killed", "\n".join(out))

out = Gdb("traced", ["spare"]).run(
    START, "tbreak take", "run", KILL, "continue", "prof-stop")
ok("SIGKILL" in out[4] and events(out[5]) > 10, "or kills itself", "\n".join(out))

# What cannot be.
out = Gdb("heaps-static").run(START, "prof-status", "show exec-wrapper")
ok("linked statically" in out[0] and "LD_PRELOAD" not in out[2] and "Nothing" in out[1],
   "a static program is refused", "\n".join(out))
out = Gdb("heaps").run("set auto-solib-add off", START)
ok("auto-solib-add" in out[1], "without symbols of libraries", out[1])
out = Gdb("heaps").run("set may-write-memory off", START)
ok("may-write-memory" in out[1], "or the right to write", out[1])

# It would end at once if another library came before its own.
out = Gdb("shares-asan").run("tbreak main", START, "run", "prof-status", "kill")
ok("address sanitizer" in out[1] and "takes the calls" in out[3] and "ASan" not in out[2],
   "a program with an address sanitizer", "\n".join(out))

# It can be paused.
out = Gdb("traced", ["sort"]).run(
    START, "break give", "run", "ignore 1 10", "continue", "prof-pause", "prof-status",
    "ignore 1 20", "continue", "prof-status", "prof-resume", "ignore 1 20", "continue", "prof-status")
counts = [events(out[i]) for i in (6, 9, 13)]
ok(10 < counts[0] == counts[1] < counts[2] and "the heap" in out[9], "while it is paused nothing is",
   "\n".join(out))

# Both at once.
out = Gdb("heaps", ["2", "300000"]).run("prof-start --heap --sync=all --rate=1000", "run", "prof-stop")
ok(events(out[2]) > 300000 and "right" in out[1] and " Hz asked for" in out[2] and
   not out[2].startswith("0 samples"), "sampling goes on beside it", "\n".join(out))
