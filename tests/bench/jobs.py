# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a parallel job: what it takes to load and add them up, and how it grows."""

import subprocess
import tempfile

from common import QUICK, head, program, say

RANKS = (10, 100) if QUICK else (100, 1000)
SAMPLES = 100000


def show():
    head("A PARALLEL JOB: %d and %d files of %d samples" % (*RANKS, SAMPLES))
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program("ranks"), "make", str(RANKS[1]), str(SAMPLES), folder], check=True)
        for ranks in RANKS:
            out = subprocess.run([program("ranks"), "load", str(ranks), folder], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
            runs.append({name: (float(seconds), int(size)) for name, seconds, size in (
                line.split("\t") for line in out.splitlines())})
    say("\nSeconds, and memory at the peak.  A ratio of time of %d is in proportion to the files; memory should" %
        (RANKS[1] // RANKS[0]))
    say("go by the different stacks, which are the same in all of them: 1.\n")
    say("%-12s %12s %12s %8s %8s" % ("step", "%d files" % RANKS[0], "%d files" % RANKS[1], "time", "memory"))
    for name, (seconds, size) in runs[0].items():
        more, larger = runs[1][name]
        say("%-12s %10.2f s %10.2f s %8.2f %8.2f" % (name, seconds, more, more / seconds, larger / size))
    say("\nAt most %.0f MB of memory, and %.2f us for a sample of %d files that is loaded." % (
        max(size for _, size in runs[1].values()) / 1e6, runs[1]["load"][0] * 1e6 / (RANKS[1] * SAMPLES), RANKS[1]))
