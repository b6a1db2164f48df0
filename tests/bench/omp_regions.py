# SPDX-License-Identifier: GPL-3.0-or-later
"""What tracing OpenMP costs: empty parallel regions of libomp, traced and not, in turns."""

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


def run(words, file):
    """What WORDS, which start the program, print, and what it writes to FILE."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment(), timeout=LONGEST)
    with open(file, encoding="utf-8") as opened:
        found = fields(opened.read())
    if "median" not in found:
        fail("The program was not run to its end:", done.stdout[-2000:])
    return done.stdout, found


def show_threads(made, threads):
    """Show by how much tracing makes regions of THREADS slower."""
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
    say("  %7d  %-24s %9.0f ns %9.0f ns %9.0f ns %10d %9d" % (
        threads, "%.2f (%.2f - %.2f)" % (middle, low, high), *least, least[1] - least[0], events, lost))


def show():
    head("OPENMP: empty parallel regions of libomp, traced and not")
    say("The program runs bare and traced, in turns.  The ratio is of the median time of an empty region in a traced run to\n"
        "that in the bare run before it: its median (quartiles).  Then the least time of a region in any bare run, in any\n"
        "traced run, and the difference.\n")
    say("  %7s  %-24s %12s %12s %12s %10s %9s" % ("threads", "ratio", "bare", "traced", "more", "events", "lost"))
    compiler = shutil.which("clang")
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "region")
        built = compiler and subprocess.run(
            [compiler, "-O2", "-g", "-fopenmp", "-o", made, os.path.join(TOP, "tests", "bench", "openmp", "region.c")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).returncode == 0
        for threads in THREADS if built else ():
            attempt("OpenMP, %d threads" % threads, show_threads, made, threads)
    if not built:
        say("This is left out: clang or libomp is not installed.")
