# SPDX-License-Identifier: GPL-3.0-or-later
"""What tracing messages costs: two ranks of MPI play ping-pong, traced in every other window."""

import os
import re
import shutil
import subprocess
import tempfile

from common import LOADER, LONGEST, QUICK, TOP, attempt, environment, fail, fields, head, say

SECONDS = 2 if QUICK else 10
ROUNDS = 100 if QUICK else 1000
SIZES = ((8, "8 bytes"), (1 << 20, "1 MB"))
LIBRARIES = ("openmpi", "mpich")
CLOCKS = (("clock", "clock alone"), ("counter", "counter alone"))


def launch(library, folder, words):
    """What each of two ranks prints that `mpirun` of LIBRARY starts as WORDS."""
    line = ["mpirun." + library]
    if library == "openmpi":
        line += ["--oversubscribe"] + ["--allow-run-as-root"] * (os.geteuid() == 0)
    files = [os.path.join(folder, "rank.%d" % rank) for rank in range(2)]
    for rank, file in enumerate(files):
        line += [":"] * rank + ["-n", "1", "sh", "-c", 'file=$1; shift; exec "$@" >"$file" 2>&1', "sh", file, *words]
    done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment(), timeout=LONGEST)
    texts = []
    for file in files:
        with open(file, encoding="utf-8", errors="replace") as opened:
            texts.append(opened.read())
    if done.returncode:
        fail("mpirun.%s failed with status %d:" % (library, done.returncode), done.stdout + "".join(texts)[-2000:])
    return texts


def show_size(library, folder, size, title):
    """Show by how much tracing makes messages of SIZE bytes slower."""
    gdb = ["gdb", "-nx", "-batch", "-iex", "set width 0", "-x", LOADER, "-ex", "prof-start --mpi --engine=none",
           "-ex", "run", "-ex", "prof-stop", "--args", os.path.join(folder, library), str(size), str(SECONDS)]
    texts = launch(library, folder, gdb)
    found = fields(texts[0])
    events = [re.search(r"MPI; (\d+) events?(?:, of which (\d+) were lost)?", text) for text in texts]
    if "median" not in found or not all(events):
        fail("%s, %s: the program was not run to its end." % (library, title), "".join(texts)[-2000:])
    say("  %s %12.0f/s %10d %7d" % (ratios(library, title, found), found["calls-a-second"], sum(int(event[1]) for event in events),
                                    sum(int(event[2] or 0) for event in events)))


def ratios(library, title, found):
    """The first columns of a line of FOUND, the program's figures."""
    return "%-10s %-15s %-24s %5.3f %12.2f us" % (
        library, title, "%.3f (%.3f - %.3f)" % (found["median"], found["lower"], found["upper"]), found["best"], found["round-us"])


def show_clock(library, folder, size, clock, title):
    """Show by how much two looks at CLOCK per call alone make messages of SIZE bytes slower, without GDB."""
    texts = launch(library, folder, [os.path.join(folder, library), str(size), str(SECONDS), clock])
    found = fields(texts[0])
    if "median" not in found:
        fail("%s, %s: the program was not run to its end." % (library, title), "".join(texts)[-2000:])
    say("  " + ratios(library, title, found))


def show_calls(library, folder):
    """Show how many ns a traced call takes more: the least of many short rounds."""
    path = os.path.join(folder, "calls." + library)
    compile_for(library, "calls.c", path)
    # Open MPI starts a process for a rank that no launcher has started.
    env = dict(environment(), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    text = subprocess.run(["gdb", "-nx", "-batch", "-iex", "set width 0", "-x", LOADER, "-ex",
                           "prof-start --mpi --engine=none", "-ex", "run", "--args", path, str(ROUNDS)], env=env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=LONGEST).stdout
    found = fields(text)
    if "traced-ns" not in found:
        fail("%s: the program was not run to its end." % library, text[-2000:])
    say("  %-10s %10.0f ns %10.0f ns %10.0f ns" % (
        library, found["bare-ns"], found["traced-ns"], found["traced-ns"] - found["bare-ns"]))


def compile_for(library, source, path):
    subprocess.run(["mpicc." + library, "-O2", "-g", "-w", "-o", path,
                    os.path.join(TOP, "tests", "bench", "mpi", source), "-ldl"], check=True)


def show():
    head("MESSAGES: ping-pong of two ranks of MPI, traced and not")
    say("The ranks play in windows of 50 ms, and call MPI in every other one so that gdbprof traces it.  The ratio is of the\n"
        "time of a round trip in such a window to that in those beside it: its median (quartiles); and of the least time in\n"
        "such windows to the least in others.  Round trips are those of the fastest window that is not traced, events a second\n"
        "those of the fastest that is.  On fewer than four CPUs the two GDBs, which read the events, compete with the ranks.\n"
        "In the lines \"alone\" nothing is traced, and there is no GDB: the program itself looks at a clock before and after each\n"
        "call in every other window, by clock_gettime() or by reading the CPU's counter (rdtsc), which nothing is faster than.  No\n"
        "tracer that records when calls begin and end can be cheaper than the latter.\n")
    say("  %-10s %-15s %-24s %5s %15s %14s %10s %7s" % ("", "", "ratio", "least", "round trip", "events", "events", "lost"))
    here = [library for library in LIBRARIES if shutil.which("mpicc." + library) and shutil.which("mpirun." + library)]
    with tempfile.TemporaryDirectory() as folder:
        for library in here:
            compile_for(library, "pingpong.c", os.path.join(folder, library))
            for size, title in SIZES:
                attempt("messages, %s, %s" % (library, title), show_size, library, folder, size, title)
            for clock, title in CLOCKS:
                attempt("messages, %s, %s" % (library, title), show_clock, library, folder, SIZES[0][0], clock, title)
        say("\nA call of MPI_Sendrecv, 8 bytes from a rank to itself, with a record of the send, the receive and the call:\n")
        say("  %-10s %13s %13s %13s" % ("", "not traced", "traced", "more"))
        for library in here:
            attempt("messages, %s, a call" % library, show_calls, library, folder)
    for library in LIBRARIES:
        if library not in here:
            say("%s is left out: it is not installed." % library)
