# SPDX-License-Identifier: GPL-3.0-or-later
"""What tracing OpenMP costs: empty parallel regions and loops of libomp, traced and not, in turns."""

import os
import re
import shutil
import statistics
import subprocess
import tempfile

from common import LOADER, LONGEST, QUICK, TOP, attempt, environment, fail, fields, head, say

SECONDS = 0.3 if QUICK else 1
TURNS = 3 if QUICK else 9
THREADS = (1, 2)
KINDS = {"region": [], "loop": ["-DLOOPS"]}  # and the flags of the compiler


def run(words, file):
    """What WORDS, which start the program, print, and what it writes to FILE."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment(), timeout=LONGEST)
    with open(file, encoding="utf-8") as opened:
        found = fields(opened.read())
    if "median" not in found:
        fail("The program was not run to its end:", done.stdout[-2000:])
    return done.stdout, found


def show_threads(made, kind, threads):
    """Show by how much tracing makes what is of KIND slower with THREADS."""
    line = [made, str(threads), str(SECONDS), made + ".out"]
    gdb = ["gdb", "-nx", "-batch", "-iex", "set width 0", "-x", LOADER, "-ex", "prof-start --omp --engine=none", "-ex",
           "run", "-ex", "prof-stop", "--args", *line]
    ratios, bare, traced, events, lost = [], [], [], 0, 0
    for _ in range(TURNS):
        bare.append(run(line, line[-1])[1])
        text, found = run(gdb, line[-1])
        traced.append(found)
        ratios.append(traced[-1]["median"] / bare[-1]["median"])
        told = re.search(r"OpenMP; (\d+) events?(?:, and (\d+) more that were lost)?", text)
        if not told:
            fail("Nothing was traced:", text[-2000:])
        events += int(told[1])
        lost += int(told[2] or 0)
    low, middle, high = statistics.quantiles(ratios, n=4)
    least = [min(each["least"] for each in all) for all in (bare, traced)]
    say("  %-6s  %7d  %-24s %9.0f ns %9.0f ns %9.0f ns %10d %9d" % (
        kind, threads, "%.2f (%.2f - %.2f)" % (middle, low, high), *least, least[1] - least[0], events, lost))


def show():
    head("OPENMP: empty parallel regions and loops of libomp, traced and not")
    say("The program runs bare and traced, in turns.  The ratio is of the median time of one in a traced run to that in\n"
        "the bare run before it: its median (quartiles).  Then the least time of one in any bare run, in any traced run, and\n"
        "the difference.  Loops have no barrier at their ends.\n")
    say("  %-6s  %7s  %-24s %12s %12s %12s %10s %9s" % ("", "threads", "ratio", "bare", "traced", "more", "events", "lost"))
    compiler = shutil.which("clang")
    with tempfile.TemporaryDirectory() as folder:
        built = bool(compiler)
        for kind, flags in KINDS.items() if compiler else ():
            made = os.path.join(folder, kind)
            built = subprocess.run(
                [compiler, "-O2", "-g", "-fopenmp", *flags, "-o", made, os.path.join(TOP, "tests", "bench", "openmp", "region.c")],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).returncode == 0
            for threads in THREADS if built else ():
                attempt("OpenMP, %s, %d threads" % (kind, threads), show_threads, made, kind, threads)
    if not built:
        say("This is left out: clang or libomp is not installed.")
