#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent gets into processes that are there already, at safe points only, and out again."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from answers import cpu_jiffies
from dialog import Dialog
from session import Gdb, gdb_version, lacking, ok, plan, program, skip, wait_until

START = "prof-start --heap --engine=none"
GOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "got.py")
ENDLESS = "1000000000"  # rounds of heaps
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 1


def events(text):
    """How many events prof-stop says that there were."""
    found = re.search(r"; (\d+) events", text)
    return int(found.group(1)) if found else 0


class Running:
    """A program that runs by itself."""

    def __init__(self, *line, **options):
        self.process = subprocess.Popen(line, **{"stdout": subprocess.PIPE, **options})
        self.pid = self.process.pid

    def wait_for(self, what, least=3):
        """Wait until it has executed WHAT, is past the linker, and has run for LEAST jiffies; with
        none, until it sleeps."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                with open("/proc/%d/maps" % self.pid, encoding="utf-8") as file:
                    maps = file.read()
                with open("/proc/%d/stat" % self.pid, encoding="utf-8") as file:
                    state, *numbers = file.read().rsplit(")", 1)[1].split()
            except OSError:
                return False
            ready = int(numbers[10]) > least if least else state == "S"
            if what in maps and re.search(r"/libc[.-]", maps) and ready:
                return True
            time.sleep(0.01)
        return False

    def end(self):
        """What it printed, and how it ended."""
        return self.process.communicate(timeout=300)[0].decode(), self.process.returncode

    def finish(self):
        """The same of heaps, which ends when it is told to: once it has gone on for a while."""
        end = cpu_jiffies(self.pid) + 10
        wait_until(lambda: cpu_jiffies(self.pid) > end)
        self.process.terminate()
        return self.end()


def has_begun(pid):
    """Has each thread of the process PID got past its beginning, where it is no good place for the agent?"""
    runs = []
    for thread in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/schedstat" % (pid, thread), encoding="ascii") as file:
            runs.append(int(file.read().split()[0]))
    return min(runs) > 300000


def attach(count, delay):
    """Attach to heaps, of COUNT threads, begin to trace it, let go of it; say how it ended."""
    heaps = Running(program("heaps"), str(count), ENDLESS)
    heaps.wait_for("heaps")
    time.sleep(delay)
    out = Gdb().run("attach %d" % heaps.pid, START, "prof-status", "detach")
    printed, status = heaps.finish()
    return "takes the calls" in out[1], printed.startswith("right") and not status, out


plan(29 + 1 + 2 + 4)

# A thread that waits for others in pthread_join(), which goes on to another function for that.
heaps = Running(program("heaps"), "2", ENDLESS, "join")
heaps.wait_for("heaps")
out = Gdb().run("attach %d" % heaps.pid, START, "prof-stop", "detach")
heaps.process.kill()
heaps.end()
ok("takes the calls" in out[1], "threads that wait for others are no obstacle", out[1])

# Nothing of the user's is changed.
heaps = Running(program("heaps"), "3", ENDLESS)
heaps.wait_for("heaps")
wait_until(lambda: has_begun(heaps.pid))
LOOK = ["thread", "info display", "show scheduler-locking", "show unwindonsignal", "show language",
        "info breakpoints", "output $_", "output $bpnum", "show values", "show convenience"]
out = Gdb().run("attach %d" % heaps.pid, "break no_such if 1", "print 42", "display 1", "thread 2",
                *LOOK, START, *LOOK, "prof-stop", "print $", "detach")
before, started, after = out[5:15], out[15], out[16:26]
# Where a thread is led out to, the language that goes with the place may be another.
before, after = ([re.sub(r"; currently [^\"]+", "", text) for text in texts] for texts in (before, after))
ok("takes the calls" in started, "an attached process is traced", started + "\n".join(out))
ok([re.sub(r"PC 0x\w+", "", text) for text in before] ==
   [re.sub(r"PC 0x\w+", "", text) for text in after],
   "and what the user has selected and set stays", "\n".join(before + ["---"] + after))
ok("= 42" in out[27], "the value history too", out[27])
printed, status = heaps.finish()
ok(printed.startswith("right") and not status, "it goes on to a right end", printed)

# GDB tells scripts where a breakpoint is since version 13.
PLACES = gdb_version() >= 13
UNKNOWN = "breakpoints, watchpoints or catchpoints are set"

# In the middle of the heap, it is led out first; breakpoints of the user's there are not met.
out = Gdb("heaps", ["1", "30000"]).run(
    "tbreak main", "run", "break malloc", "continue", "continue", "info breakpoints", START,
    "backtrace 1", "info breakpoints", "continue", "delete", "continue", "prof-stop")
ok("takes the calls" in out[6] and "malloc" not in out[7] if PLACES else UNKNOWN in out[6],
   "a thread in malloc is led out", "\n".join(out))
# GDB 13 warns of the place that it stopped at when a library is loaded meanwhile, whoever loads it.
ok(out[5] == re.sub(r"warning: location number.*\n", "", out[8]), "breakpoints are as they were, and were not hit", out[5] + out[8])
ok("Breakpoint 2" in out[9] and "right" in out[11], "they are met by the program", "\n".join(out))
ok(events(out[12]) > 10000 if PLACES else UNKNOWN in out[12], "which is traced from then on", out[12])

# A function of the program's that the C library calls: the thread is led out of all of it.
SORT = ["break compare", "run", "tbreak malloc", "continue"]
out = Gdb("traced", ["sort"]).run(*SORT, START, "continue", "prof-status", "delete",
                                  "tbreak take_and_give", "continue", "prof-status", "continue")
ok(("reached a breakpoint before it left" if PLACES else UNKNOWN) in out[4], "a breakpoint on its way ends it", out[4])
ok("Breakpoint 1, compare" in out[5] and "takes the calls" not in out[6], "and is met as usual",
   out[5])
ok("takes the calls" in out[10] and "0 63 sorted" in out[11], "it is tried again", "\n".join(out))
out = Gdb("traced", ["sort"]).run(*SORT, "delete", START, "backtrace", "continue")
ok("takes the calls" in out[5] and "qsort" not in out[6] and "0 63 sorted" in out[7],
   "a thread is led out of all of the C library", "\n".join(out))
out = Gdb("traced", ["sort"]).run(*SORT, "delete", "watch *(int *) $sp", START)
ok("watchpoints" in out[6], "not where that would pass a watchpoint", out[6])

# Begun again, and let go.
heaps = Running(program("heaps"), "2", ENDLESS)
heaps.wait_for("heaps")
out = Gdb().run("source " + GOT, "attach %d" % heaps.pid, START, "prof-stop", "got-keep", START,
                "got-compare", "prof-stop", "got-compare", START, "detach", "prof-status",
                "attach %d" % heaps.pid, "got-compare", "detach")
ok("takes the calls" in out[5] and "changed" in out[6] and "are the same" in out[8],
   "tracing can begin again", "\n".join(out))
ok("takes the calls" in out[9] and "are the same" in out[13], "a process is let go without patches",
   "\n".join(out))
printed, status = heaps.finish()
ok(printed.startswith("right") and not status, "and ends as it would have", printed)

# GDB is killed while it traces.
heaps = Running(program("heaps"), "2", ENDLESS)
heaps.wait_for("heaps")
gdb = subprocess.Popen(
    Gdb().command("-ex", "attach %d" % heaps.pid, "-ex", START, "-ex", "continue"),
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
text = b""
while b"Continuing" not in text:
    piece = os.read(gdb.stdout.fileno(), 4096)
    text += piece
    if not piece:
        break
gdb.kill()
gdb.communicate()
printed, status = heaps.finish()
ok(b"takes the calls" in text and printed.startswith("right") and not status,
   "a process whose GDB is killed goes on", text.decode() + printed)

# It runs, in the background.
gdb = Dialog("traced", ["spare"])
for command in ("tbreak take", "run", "continue &"):
    gdb.say(command)
begun = gdb.say(START)
ok("Tracing waits" in begun, "a process that runs is left alone", gdb.text)
gdb.say("interrupt")
stopped = gdb.ask(lambda text: "takes the calls" in text, "prof-status")
ok("takes the calls" in stopped, "until it stops", gdb.text)
gdb.end("prof-stop", "kill")

# Another process runs: a stop of it would end a call that GDB has this one make.
gdb = Dialog("heaps", ["1", ENDLESS])
for command in ("set non-stop on", "tbreak main", "run", "add-inferior -exec " + program("heaps"), "inferior 2",
                "set args 1 " + ENDLESS, "run &", "inferior 1"):
    gdb.say(command)
begun = gdb.say(START)
ok("another process is running" in begun, "nor is one loaded into while another process runs", gdb.text)
gdb.say("kill inferiors 2")
gdb.say("inferior 1")  # GDB 10 selects the other one
gdb.say("next")
stopped = gdb.ask(lambda text: "takes the calls" in text, "prof-status")
ok("takes the calls" in stopped, "until that has ended", gdb.text)
gdb.end("prof-stop", "kill")

# All threads sleep.
waits = Running(program("waits"), "1000000000", stdin=subprocess.PIPE)
waits.wait_for("waits")
out = Gdb().run("attach %d" % waits.pid, START, "detach")
waits.process.terminate()
waits.end()
ok("takes the calls" in out[1], "threads that sleep need not wake up", "\n".join(out))

reader = Running(program("traced"), "read", stdin=subprocess.PIPE)
reader.wait_for("traced", 0)
out = Gdb().run("attach %d" % reader.pid, START, "detach")
printed = reader.process.communicate(b"typed\n")[0]
ok("takes the calls" in out[1] and printed == b"read typed\n", "be it in the middle of stdio",
   "\n".join(out) + str(printed))

# Children that GDB keeps: it stops when the first of the two has ended, and the other goes on then.
for follow, detach in ("child", "on"), ("parent", "off"):
    out = Gdb("traced", ["fork"]).run(
        "set follow-fork-mode " + follow, "set detach-on-fork " + detach, "set schedule-multiple on",
        START, "run", "inferior 1", "continue", "inferior 2", "continue", "prof-stop")
    ok("exited" in out[4] and "signal" not in "".join(out[4:9]) and
       (follow == "child" or events(out[9]) > 100),
       "children that are kept, %s" % follow, "\n".join(out))

# Targets that are not traced.
with tempfile.TemporaryDirectory() as folder:
    core = os.path.join(folder, "core")
    out = Gdb("heaps").run("break main", "run", "generate-core-file " + core, "kill", "core " + core,
                           START)
    ok("it does not run" in out[5], "a core file is refused", out[5])
why = lacking("gdbserver")
if why:
    skip(1, "a remote target is refused", why)
else:
    out = Gdb("heaps").run("target remote | gdbserver - " + program("heaps"), START, "prof-status",
                           "kill")
    ok("gdbprof traces only processes on this machine" in out[1], "a remote target is refused", out[1])
out = Gdb("heaps-static").run(START)
ok("linked statically" in out[0], "a static program is refused", out[0])
out = Gdb("heaps").run("set non-stop on", "break main", "run", START, "kill")
ok("Error" not in out[3] and "internal" not in out[3], "non-stop mode is no obstacle", out[3])

# At any point, over and over.
for count in 1, 4:
    results = [attach(count, random.random() / 20) for i in range(ROUNDS)]
    # There are places from which no thread can be led out.
    while not any(got for got, _, _ in results) and len(results) < ROUNDS + 5:
        results.append(attach(count, random.random() / 20))
    ok(all(right for _, right, _ in results) and any(got for got, _, _ in results),
       "attached to at any point, %d threads go on to a right end" % count,
       "\n".join("\n".join(out) for _, _, out in results))

# Programs of Debian's.
with tempfile.TemporaryDirectory() as folder:
    data = os.path.join(folder, "data")
    with open(data, "wb") as file:
        generator = random.Random(1)
        for _ in range(60000):
            file.write(b"%d %d\n" % (generator.randrange(10 ** 9), generator.randrange(100)))
    # With one file only, xz 5.8 opens no more files, the agent's neither.
    line = ["-T2", "--block-size=200000", "-kc", data, data]
    wanted = subprocess.run(["xz", *line], capture_output=True, check=True).stdout
    packed = os.path.join(folder, "packed")
    out = Gdb(shutil.which("xz"), line).run(START, "run %s > %s" % (" ".join(line), packed), "prof-stop")
    with open(packed, "rb") as file:
        ok(file.read() == wanted and events(out[2]) > 10, "xz -T2 has the same output",
           "\n".join(out))
    # As long as nobody reads from the pipe it does not end; GDB lets go of it before.
    xz = Running("xz", *line)
    xz.wait_for("/xz")
    out = Gdb().run("attach %d" % xz.pid, START, "detach")
    ok(xz.process.communicate()[0] == wanted and "takes the calls" in out[1], "also attached to",
       "\n".join(out))
    query = ("create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n "
             "where i < 200000) insert into t select i, i * 37 % 1000 from n; "
             "select b, count(*), sum(a) from t group by b order by b;")
    wanted = subprocess.run(["sqlite3", ":memory:", query], capture_output=True, check=True).stdout
    rows = os.path.join(folder, "rows")
    out = Gdb(shutil.which("sqlite3"), [":memory:", query]).run(
        START, "run :memory: '%s' > %s" % (query, rows), "prof-stop")
    with open(rows, "rb") as file:
        ok(file.read() == wanted and events(out[2]) > 1000, "sqlite3 has the same output",
           "\n".join(out))
    sqlite = Running("sqlite3", ":memory:", query)
    sqlite.wait_for("/sqlite3")
    out = Gdb().run("attach %d" % sqlite.pid, START, "continue", "prof-stop")
    ok(sqlite.end()[0].encode() == wanted, "also attached to", "\n".join(out))
