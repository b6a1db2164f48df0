# SPDX-License-Identifier: GPL-3.0-or-later
"""The core for large experiments: what each step takes, and how it grows."""

import subprocess
import tempfile

from common import QUICK, head, program, say

MILLIONS = (1, 2, 4) if QUICK else (1, 4, 16)
FILE_MILLIONS = 5 if QUICK else 50


def core_steps(*arguments):
    """The steps of one run of the core: {name: (seconds, bytes)}, and what it says of itself."""
    done = subprocess.run([program("core")] + list(arguments), check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    steps = {}
    for line in done.stdout.splitlines():
        name, seconds, size = line.split("\t")
        steps[name] = (float(seconds), int(size))
    return steps, done.stderr.strip()


def ratio(a, b):
    """How many times B is A, if that means anything."""
    return "%.2f" % (a / b) if b > 0.001 else "-"


def show_views(millions, steps):
    """Each view, unfiltered and filtered, against reading the file once."""
    once = steps["store load"][0]
    say("\nViews of %d million samples with 8 threads and 1,000 marks, as text, all and half of them (by"
        % millions)
    say("--interval), against reading the file once (%.2f s):\n" % once)
    for name in steps:
        view, comma, kind = name.rpartition(", ")
        if comma and kind == "filtered":
            whole = steps.get(view + ", text") or steps[view + " none, text"]
            say("%-27s %8s %8s" % (view, ratio(whole[0], once), ratio(steps[name][0], once)))


def show_file():
    """A file that nobody holds in memory, as a recording of many days makes it."""
    with tempfile.TemporaryDirectory() as folder:
        steps, says = core_steps("file", str(FILE_MILLIONS * 1000000), folder)
    say("\nA file of %d million samples, recorded with what is in it not in memory, and shown (wanted of 50 million:"
        % FILE_MILLIONS)
    say("the functions in 5 s and 300 MB; of the recent past in 1 s): %s\n" % says)
    for name, (seconds, size) in steps.items():
        say("  %-27s %8.3f s %8.1f MB" % (name, seconds, size / 1e6))


def show():
    small, middle, large = MILLIONS
    head("THE CORE: %d, %d and %d million samples of 100,000 stacks, 30 deep" % MILLIONS)
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for millions in MILLIONS:
            steps, says = core_steps(str(millions * 1000000), folder)
            runs.append(steps)
            say("  " + says)
    say("\nTime on a CPU, and the memory that a step needs besides what it works on, at its peak.  A ratio")
    say("of 1 does not depend on the number of samples; one of %d is in proportion to it.\n" %
        (middle // small))
    say("%-27s %8s %9s %9s %8s %8s %9s %9s" % (
        "", "%d M" % small, *("%d M/%d M" % pair for pair in ((middle, small), (large, middle))),
        "ns per", "%d M" % small,
        *("%d M/%d M" % pair for pair in ((middle, small), (large, middle)))))
    say("%-27s %8s %9s %9s %8s %8s %9s %9s" % (
        "step", "seconds", "time", "time", "sample", "MB", "memory", "memory"))
    for name in runs[0]:
        (s0, m0), (s1, m1), (s2, m2) = (run[name] for run in runs)
        say("%-27s %8.3f %9s %9s %8.0f %8.1f %9s %9s" % (
            name, s0, ratio(s1, s0), ratio(s2, s1), s2 / (large * 1e-3), m0 / 1e6,
            ratio(m1 / 1e9, m0 / 1e9), ratio(m2 / 1e9, m1 / 1e9)))
    show_views(middle, runs[1])
    show_file()
    (name, (seconds, size)), = core_steps("stacks")[0].items()
    say("\n%s into a call tree: %.3f s, %.1f MB (wanted: below 1 s)\n" % (
        name.capitalize(), seconds, size / 1e6))
    say("Draining a ring that the agent has filled (wanted: 20 million events/s of hot data):\n")
    for threads, stacks in ((1, 100), (4, 100), (8, 10000)):
        done = subprocess.run([program("ring_reader"), str(threads), str(stacks)], check=True, text=True,
                              stdout=subprocess.PIPE)
        say("  %d thread%s, %5d stacks each: %s" % (
            threads, " " if threads == 1 else "s", stacks, done.stdout.strip()))
