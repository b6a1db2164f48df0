# SPDX-License-Identifier: GPL-3.0-or-later
"""The same programs sampled in other ways: with GDB's own walk, by perf, and by gdbpmp."""

import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from common import LONGEST, QUICK, attempt, environment, fail, head, run, say, spread, took
from live import PROGRAMS, SECONDS, show_ways, work
from sessions import plain, sampled, session

ROUNDS = 2 if QUICK else 3
PERF = ["perf", "record", "-F", "1000", "--call-graph", "dwarf"]


def show_walk(title, arguments, cpus):
    names = ["GDB's walk, %d Hz" % rate for rate in (100, 1000)]
    ways = [plain("GDB")] + [
        sampled(name, rate, options="--engine=catch --unwinder=gdb")
        for name, rate in zip(names, (100, 1000))]
    runs = session(work(arguments, cpus), ways, ROUNDS)
    say("\n" + title)
    show_ways(runs, "GDB", names)


def show_walks():
    say("GDB's walk (--engine=catch --unwinder=gdb), against the same under GDB, not sampled; %d rounds" %
        ROUNDS)
    for title, arguments, cpus, rates in PROGRAMS:
        if len(rates) > 1:
            attempt("GDB's walk, " + title, show_walk, title, arguments, cpus)


def perf_lacks():
    """Why perf cannot be used here, or None."""
    if not shutil.which("perf"):
        return "it is not installed"
    with tempfile.TemporaryDirectory() as folder:
        command = PERF + ["-o", os.path.join(folder, "data"), "true"]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.strip().split("\n")[0] if done.returncode else None


def show_perf():
    why = perf_lacks()
    if why:
        say("\nperf is left out: %s." % why)
        return
    say("\n%s, against the program alone; %d rounds\n" % (" ".join(PERF), ROUNDS))
    say("%-28s %-26s %-10s %s" % ("", "own time / alone", "samples/s", "MB a second"))
    for title, arguments, cpus, rates in PROGRAMS:
        command = work(arguments, cpus)
        slower, rate, size = [], [], []
        for _ in range(ROUNDS):
            alone = took(run(command))
            with tempfile.TemporaryDirectory() as folder:
                text = run(PERF + ["-o", os.path.join(folder, "data")] + command)
            seconds, own = took(text)
            found = re.search(r"wrote ([\d.]+) MB .*\((\d+) samples\)", text)
            if not found:
                fail("perf has not said what it recorded:", text[-2000:])
            slower.append(own / alone[1])
            size.append(float(found.group(1)) / seconds)
            rate.append(int(found.group(2)) / own)
        say("%-28s %-26s %-10.0f %.1f" % (
            title, spread(slower, "%.3f"), statistics.median(rate), statistics.median(size)))


def show_gdbpmp():
    folder = os.environ.get("GDBPMP")
    if not folder:
        say("\ngdbpmp is left out: GDBPMP=FOLDER tells where a checkout of it is.")
        return
    script = os.path.join(folder, "gdbpmp.py")
    if not os.path.exists(script):
        fail("GDBPMP: there is no " + script)
    say("\ngdbpmp attached to a running program, as fast as it can (-s 0.001); \"lost\" is what a thread's")
    say("own time was longer than alone.  With GDB 13 a program may stand still from sample to sample.\n")
    say("%-28s %8s %10s %10s %s" % ("", "samples", "s attached", "samples/s", "lost of that"))
    for title, arguments, cpus, rates in PROGRAMS[:2]:
        command = work(arguments, cpus, SECONDS * 8)
        alone = took(run(command))
        program = subprocess.Popen(command, text=True, stdout=subprocess.PIPE,
                                   env=environment())
        with tempfile.TemporaryDirectory() as place:
            output = os.path.join(place, "profile")
            began = time.monotonic()
            text = run(["python3", script, "-p", str(program.pid), "-s", "0.001", "-n", "100",
                        "-o", output], allowed=True)
            attached = time.monotonic() - began
            written = os.path.exists(output)
        printed = program.communicate(timeout=LONGEST)[0]
        if program.returncode:
            fail("the program did not survive gdbpmp: status %d" % program.returncode, text[-2000:])
        lost = (took(printed)[1] - alone[1]) / int(arguments[1])
        if not written:
            fail("gdbpmp has written nothing:", text[-2000:])
        say("%-28s %8d %10.2f %10.0f %.0f %%" % (
            title, 100, attached, 100 / attached, 100 * lost / attached))


def show():
    head("OTHERS, on the same programs")
    show_walks()
    attempt("perf", show_perf)
    attempt("gdbpmp", show_gdbpmp)
