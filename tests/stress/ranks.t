#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Four ranks with threads, sampled and traced, on fewer CPUs: they come to their end, and nothing is missing.

ranks.t [SECONDS] has them communicate for SECONDS with each library of MPI, 5 if it is not said.
"""

import glob
import os
import re
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

from mpi import FIGURES, build, figures, launch, libraries
from session import BUILD, Gdb, ok, plan, total

SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
RANKS = 4
TESTS = 2


def seen(path):
    """What the profile PATH has: sends, receives, samples, and events that were lost."""
    out = Gdb().run("prof-load " + path, FIGURES, "prof-functions --format=csv", "prof-status")
    counts = figures(out[1])
    lost = re.search(r"(\d+) (?:was|were) lost", out[3])
    return counts[:1] + counts[2:3] + (total(out[2]), int(lost[1]) if lost else 0)


plan(2 * TESTS)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-ranks-"))

for library in libraries(TESTS):
    command = [os.path.join(BUILD, "gdbprof"), "record", "--mpi", "--rate=1000", "--output=%s.%%r.prof" % library, "--",
               build(library, "crowd.c"), str(SECONDS)]
    texts, said, status = launch(library, *[command] * RANKS, timeout=20 * SECONDS + 300)
    told = [re.search(r"sent (\d+) received (\d+) wrong 0", text) for text in texts]
    ok(status == 0 and all(told) and "<<timeout>>" not in said, library + ": ranks that share CPUs come to their end",
       "\n".join(texts) + said)
    found = [seen(path) for path in sorted(glob.glob(library + ".*.prof"))]
    print("#", library, found, flush=True)
    ok(len(found) == RANKS and all(
        match and len(each) == 4 and each[2] > 0 and int(match[1]) - each[3] <= each[0] <= int(match[1]) and
        int(match[2]) - each[3] <= each[1] <= int(match[2]) for match, each in zip(told, found)),
       library + ": all of their messages are counted", "%s\n%s" % (found, "\n".join(texts)))
