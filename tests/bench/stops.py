# SPDX-License-Identifier: GPL-3.0-or-later
"""One silent stop: what it costs the program, and whose the parts are."""

import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from common import (LOADER, LONGEST, QUICK, attempt, environment, fail, fields, gaps, head, program,
                    run, say)
from live import SECONDS, work
from sessions import sampled, session

ROUNDS = 2 if QUICK else 5
RATE = 1000


def show_parts():
    command = work(("busy", "1"), 1)
    told, seen = [], {"bare": [], "sample": [], "GDB": []}
    for _ in range(ROUNDS):
        for kind in ("bare", "sample"):
            text = run([program("floor"), kind, str(RATE)] + command)
            values = fields(text)
            seen[kind].append(statistics.median(gaps(text, int(values["stops"]))))
            if kind == "sample":
                told.append(values)
        one = session(command, [sampled("GDB", RATE)], 1)["GDB"][0]
        seen["GDB"].append(statistics.median(gaps(one.text, one.samples)))
    least = {kind: min(values) for kind, values in seen.items()}
    part = {name: min(values[name] for values in told) for name in told[0]}
    ours = [("who sent the signal (PTRACE_GETSIGINFO)", part["getsiginfo"]),
            ("the thread's time (schedstat)", part["schedstat"]),
            ("its registers (PTRACE_GETREGSET)", part["registers"]),
            ("its stack's memory (process_vm_readv)", part["memory"])]
    own = sum(ns for _, ns in ours) / 1e3
    walk = part["walk"] / 1e3
    say("As the program sees it: how much longer a unit of its work takes with a stop in it, medians of")
    say("the stops of a run, the least of %d runs.  (The medians of the runs: bare %s, in GDB %s.)\n" % (
        ROUNDS, *(" ".join("%.1f" % us for us in seen[kind]) for kind in ("bare", "GDB"))))
    say("%-46s %8s %s" % ("", "us", "of the bare stop"))
    for name, us in (
            ("a bare tracer's stop: signal, wake-ups, resume", least["bare"]),
            *(("  " + name, ns / 1e3) for name, ns in ours),
            ("ours, but for the walk", own), ("the walk of %d frames" % part["frames"], walk),
            ("GDB's: its wait in poll(), and the hook there",
             least["GDB"] - least["bare"] - own - walk),
            ("in all: a silent stop in GDB", least["GDB"]),
            ("the same by the tracer that samples", least["sample"])):
        say("%-46s %8.1f %8.2f" % (name, us, us / least["bare"]))
    say("\nAfter the program was resumed, the sample is put into the queue: %.0f ns." % part["queue"])
    say("A walk of %d frames, warm: %.1f us with the stack's memory (wanted: below 10 us for 20);" % (
        part["frames"], part["warm-walk"] / 1e3))
    say("  %.1f ns a frame.  An address that was never seen: %.0f ns (%.0f times that).  The first walk" %
        (part["warm-frame"], part["cold-row"], part["cold-row"] / part["warm-frame"]))
    say("  of all, which opens the load objects: %.0f us." % (part["first-walk"] / 1e3))


# ---- system calls

def threads(process):
    """{name: id} of the threads of PROCESS; GDB's own is "gdb"."""
    names = {}
    for thread in sorted(map(int, os.listdir("/proc/%d/task" % process))):
        with open("/proc/%d/task/%d/comm" % (process, thread)) as file:
            names.setdefault(file.read().strip(), thread)
    return names


def traced(thread):
    with open("/proc/%d/status" % thread) as file:
        return int(re.search(r"TracerPid:\s*(\d+)", file.read()).group(1))


def wait_until(condition, what):
    end = time.monotonic() + LONGEST
    while not condition():
        if time.monotonic() > end:
            fail("Waited in vain for " + what)
        time.sleep(0.02)


def count_calls(command, watched):
    """
    ({name: {system call: count}}, samples) of the threads of GDB called WATCHED, while COMMAND goes
    on after main(), sampled if there is more than one.
    """
    with tempfile.TemporaryDirectory() as folder:
        ready, go = os.path.join(folder, "ready"), os.path.join(folder, "go")
        start = ["-x", LOADER, "-ex", "set prof max-stopped 100",
                 "-ex", "prof-start --engine=stop --rate=200"] if len(watched) > 1 else []
        gdb = subprocess.Popen(
            ["gdb", "-nx", "-batch", "-iex", "set width 0", "-ex", "break main"] + start +
            ["-ex", "run", "-ex", "delete",
             "-ex", "shell touch %s; while ! test -e %s; do sleep 0.05; done" % (ready, go),
             "-ex", "continue"] + (["-ex", "prof-stop"] if start else []) + ["--args"] + command,
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment())
        wait_until(lambda: os.path.exists(ready) or gdb.poll() is not None, "GDB's first stop")
        if gdb.poll() is not None:
            fail("GDB has ended:", gdb.communicate()[0])
        ids = threads(gdb.pid)
        tracers = {}
        for name in watched:
            path = os.path.join(folder, name)
            tracers[name] = path, subprocess.Popen(
                ["strace", "-c", "-o", path, "-p", str(ids[name])],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until(lambda: traced(ids[name]), "strace")
        with open(go, "w"):
            pass
        text = gdb.communicate(timeout=LONGEST)[0]
        calls = {}
        for name, (path, tracer) in tracers.items():
            tracer.wait(LONGEST)
            with open(path) as file:
                lines = [line.split() for line in file]
            calls[name] = {words[-1]: int(words[3]) for words in lines
                           if len(words) >= 5 and words[3].isdigit() and words[-1] != "total"}
    found = re.search(r"(\d+) samples in", text)
    if start and not (found and int(found.group(1))):
        fail("The program was not sampled:", text)
    return calls, int(found.group(1)) if start else 0


def show_calls():
    if not shutil.which("strace"):
        say("\nstrace is not installed: system calls are not counted.")
        return
    command = work(("busy", "1"), 1, SECONDS * 4)
    base, _ = count_calls(command, ["gdb"])
    calls, samples = count_calls(command, ["gdb", "gdbprof-ticker"])
    say("\nSystem calls a silent stop, counted by strace over %d samples of one busy thread; beside what" %
        samples)
    say("GDB does without.  (By GDB's event loop it were 21.)\n")
    for name, title in (("gdb", "GDB's thread"), ("gdbprof-ticker", "the ticker")):
        each = {call: (count - base.get(name, {}).get(call, 0)) / samples
                for call, count in calls[name].items()}
        most = sorted(((count, call) for call, count in each.items() if count >= 0.1), reverse=True)
        say("%-14s %5.1f:  %s" % (title, sum(each.values()), ", ".join(
            "%s %.1f" % (call, count) for count, call in most)))


# ---- counts

def show_work():
    """Counts that do not depend on what else the machine does."""
    say("\nA sample in counts: instructions by callgrind, allocations by a malloc() that counts\n")
    few, many = 1000, 3000
    valgrind = shutil.which("valgrind")
    if not valgrind:
        say("valgrind is not installed: instructions are not counted.")
    say("%-40s %14s %14s" % ("", "instructions", "allocations"))
    for kind, title in (("walk", "a warm walk (GDB's thread)"), ("queue", "into the queue and out"),
                        ("record", "into the experiment (the recorder)")):
        allocations = fields(run([program("count"), kind, str(many)]))["allocations"] / many
        instructions = "-"
        if valgrind:
            counts = []
            for rounds in (few, many):
                text = run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null",
                            program("count"), kind, str(rounds)])
                counts.append(int(re.search(r"Collected : (\d+)", text).group(1)))
            instructions = "%.0f" % ((counts[1] - counts[0]) / (many - few))
        say("%-40s %14s %14.4f" % (title, instructions, allocations))


def show():
    head("A SILENT STOP, and its parts")
    attempt("the parts of a stop", show_parts)
    attempt("system calls", show_calls)
    attempt("counts", show_work)
