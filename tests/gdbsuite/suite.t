#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB's own test suite says with gdbprof what it says without: `make check-gdb-suite`.

SUITE="gdb.threads gdb.base/break.exp" selects folders and files, MODES="stop trace" ways to record,
JOBS how many files run at once, LIMIT the seconds that one run of a file may take.  Each file is run
without gdbprof and, if a test passes, in each mode; where results differ, AGAIN more times both ways.  The differences
that doc/gdbsuite.md lists are by construction.  The logs are in the folder gdbsuite of the build.
"""

import collections
import concurrent.futures
import glob
import os
import shutil
import signal
import subprocess
import sys
import threading

import results

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PLACE = os.path.join(TOP, os.environ.get("BUILD", "build"), "gdbsuite")
LIMIT = float(os.environ.get("LIMIT", 300))
AGAIN = int(os.environ.get("AGAIN", 3))
JOBS = int(os.environ.get("JOBS", os.cpu_count()))
PATIENCE = 30  # seconds that the suite waits for GDB to answer

# How GDB begins in each mode; who traces may sample as well.
MODES = {
    "perf": "prof-start --rate=500 --engine=perf",
    "stop": "prof-start --rate=500 --engine=stop",
    "trace": "prof-start --rate=500 --engine=stop --heap --sync",
    "catch": "prof-start --rate=500 --engine=catch",
}
# What the suite's configure writes; files about CTF end in an error where it does not say whether GDB reads that.
SITE = """set tool gdb
set srcdir "%s"
set objdir "%s"
set gdb_test_timeout %d
set enable_libctf yes
"""


def select(testsuite):
    """The files that SUITE names, as the suite names them, in its order."""
    wanted = os.environ.get("SUITE", "").split() or ["gdb.*"]
    found = []
    for word in wanted:
        path = os.path.join(testsuite, word)
        files = glob.glob(path) if word.endswith(".exp") else glob.glob(path + "/**/*.exp", recursive=True)
        if not files:
            sys.exit("GDB's test suite has no %s: SUITE names folders like gdb.base and files like "
                     "gdb.base/break.exp." % word)
        found += sorted(os.path.relpath(file, testsuite) for file in files)
    # It measures GDB's speed, and needs programs made for that.
    return [file for file in dict.fromkeys(found) if not file.startswith("gdb.perf/")]


class Suite:
    """GDB's suite in the folder TESTSUITE, in an environment of its own for each mode."""

    def __init__(self, testsuite):
        self.testsuite = testsuite
        self.lock = threading.Lock()
        self.processes = set()
        shutil.rmtree(os.path.join(PLACE, "run"), ignore_errors=True)
        os.makedirs(os.path.join(PLACE, "run"))
        with open(os.path.join(PLACE, "run", "site.exp"), "w", encoding="utf-8") as site:
            site.write(SITE % (testsuite, os.path.join(PLACE, "run"), PATIENCE))
        self.preload = os.path.join(PLACE, "xstate.so")
        subprocess.run(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", self.preload,
                        os.path.join(HERE, "xstate.c"), "-ldl"], check=True)

    def run(self, file, mode, turn):
        """Run FILE in MODE, "bare" being without gdbprof; return its results, and keep its log."""
        # The folder is the same each time, so that no name of a file differs.
        out = os.path.join("outputs", file.removesuffix(".exp"))
        where = os.path.join(PLACE, "run")
        shutil.rmtree(os.path.join(where, out), ignore_errors=True)
        os.makedirs(os.path.join(where, out))
        env = dict(os.environ, GDBPROF_SUITE_START=MODES.get(mode, ""), LC_ALL="C.UTF-8", DEBUGINFOD_URLS="",
                   TERM="dumb", GDBPROF_BUILD=os.path.dirname(PLACE), GDBPROF_SUITE_PRELOAD=self.preload)
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
            env.pop(name, None)
        command = [os.path.join(HERE, "bounded"), str(LIMIT), "runtest", "--status", "GDB_PARALLEL=yes",
                   "--outdir", out, "GDB=" + os.path.join(HERE, "gdb")]
        # Of its own accord the suite looks for gdbserver beside GDB's build alone.
        server = shutil.which("gdbserver")
        command += (["GDBSERVER=" + server] if server else []) + [file]
        status = self.execute(command, where, env)
        text = "ERROR: %s\n" % results.OVERDUE if status == 124 else ""
        kept = os.path.join(PLACE, "logs", "%s.%s.%d" % (file.removesuffix(".exp"), mode, turn))
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        for end in ("sum", "log"):
            name = os.path.join(where, out, "gdb." + end)
            if os.path.exists(name):
                shutil.move(name, "%s.%s" % (kept, end))
        shutil.rmtree(os.path.join(where, out), ignore_errors=True)
        try:
            with open(kept + ".sum", encoding="utf-8", errors="replace") as lines:
                text += lines.read()
        except OSError:
            text += "ERROR: no results\n"
        return results.read(text)

    def execute(self, command, where, env):
        with self.lock:
            process = subprocess.Popen(command, cwd=where, env=env, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.processes.add(process)
        status = process.wait()
        self.processes.discard(process)
        return status

    def end(self, *_):
        """End what runs; what would run next has no time to begin."""
        for process in list(self.processes):
            process.terminate()
        os._exit(1)

    def compare(self, file, modes):
        """Run FILE without gdbprof and in MODES: {mode: its Differences, or why there are none to compare},
        and the results without."""
        bare, found, late = [self.run(file, "bare", 0)], {}, "a run takes more than %d s" % LIMIT
        if not results.comparable(bare, [])[0]:
            return dict.fromkeys(modes, late), bare[0]
        if not results.passes(bare[0]):
            return dict.fromkeys(modes, "no test passes without gdbprof"), bare[0]
        for mode in modes:
            runs = [self.run(file, mode, 0)]
            for turn in range(1, AGAIN + 1):
                if not results.differences(bare[:1], runs[:1]):
                    break
                if len(bare) <= turn:
                    bare.append(self.run(file, "bare", turn))
                runs.append(self.run(file, mode, turn))
            found[mode] = results.differences(bare, runs) if all(results.comparable(bare, runs)) else late
        return found, bare[0]


def main():
    modes = os.environ.get("MODES", "").split() or list(MODES)
    if unknown := set(modes) - MODES.keys():
        sys.exit("There is no mode %s: MODES names some of %s." % (" ".join(sorted(unknown)), ", ".join(MODES)))
    testsuite = subprocess.run([os.path.join(HERE, "fetch"), os.path.join(PLACE, "source")], check=True,
                               stdout=subprocess.PIPE, text=True).stdout.strip()
    with open(os.path.join(TOP, "doc", "gdbsuite.md"), encoding="utf-8") as file:
        known = results.read_known(file.read())
    files = select(testsuite)
    print("1..%d" % (len(files) * len(modes)), flush=True)
    suite = Suite(testsuite)
    signal.signal(signal.SIGTERM, suite.end)
    signal.signal(signal.SIGINT, suite.end)
    counts, said = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as jobs:
        waiting = {jobs.submit(suite.compare, file, modes): file for file in files}
        for done in concurrent.futures.as_completed(waiting):
            file, (found, bare) = waiting[done], done.result()
            counts.update(status for line in bare.values() for status in line.split())
            for mode, differ in found.items():
                said += 1
                if isinstance(differ, str):
                    print("ok %d - %s, %s # SKIP %s" % (said, file, mode, differ), flush=True)
                    continue
                whys = [(one, results.reason(known, file, mode, one)) for one in differ]
                bad = [one for one, why in whys if why is None]
                print("%sok %d - %s, %s" % ("not " if bad else "", said, file, mode))
                for one, why in whys:
                    print("# %s%s" % ("by construction: " if why else "", results.describe(one)))
                sys.stdout.flush()
    print("# Without gdbprof: %s." % ", ".join("%d %s" % (counts[status], status) for status in sorted(counts)))


main()
