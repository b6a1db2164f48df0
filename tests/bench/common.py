# SPDX-License-Identifier: GPL-3.0-or-later
"""What all benchmarks share: where things are, how programs are run, how figures are shown."""

import os
import re
import statistics
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.path.join(TOP, os.environ.get("BUILD", "build")))
LOADER = os.path.join(TOP, "gdbscripts", "prof.py")
QUICK = bool(os.environ.get("BENCH_QUICK"))
LONGEST = 120  # seconds that one command may take


def program(name):
    """The path of one of the programs in tests/bench."""
    return os.path.join(BUILD, "tests", "bench", name)


def say(*words):
    print(*words, flush=True)


def head(text):
    say("\n%s\n%s\n" % (text, "=" * len(text)))


class Failure(Exception):
    """What was to be measured cannot be."""


failed = []  # the titles of all that did


def fail(why, text=""):
    """What cannot be measured is no figure."""
    raise Failure("%s\n%s" % (why, text))


def attempt(title, measure, *arguments):
    """Call MEASURE; if it fails say so, and go on: the whole benchmark then ends with status 1."""
    try:
        measure(*arguments)
    except (Failure, OSError, subprocess.SubprocessError) as error:
        failed.append(title)
        say("\nFAILED: %s: %s" % (title, error))


def environment():
    return dict(os.environ, DEBUGINFOD_URLS="", LC_ALL="C", GDBPROF_BUILD=BUILD)


def run(command, allowed=False):
    """What COMMAND prints; ALLOWED: it may fail."""
    done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment(), timeout=LONGEST)
    if done.returncode and not allowed:
        fail("%s failed with status %d" % (" ".join(command), done.returncode), done.stdout)
    return done.stdout


def took(text):
    """The seconds that tests/bench/load says it took, and its own of them."""
    found = re.search(r"took ([\d.]+) s, ([\d.]+) s its own", text)
    if not found:
        fail("The program was not run to its end:", text[-2000:])
    return float(found.group(1)), float(found.group(2))


def gaps(text, stops):
    """The us that each of the STOPS longest units of its first thread took more than others."""
    found = re.search(r"a unit (\d+) ns; longer:([ \d]*)", text)
    longest = sorted(map(int, found.group(2).split()), reverse=True)[:stops]
    if len(longest) < stops * 0.7:
        fail("Of %d stops the program has seen %d only." % (stops, len(longest)))
    return [(gap - int(found.group(1))) / 1e3 for gap in longest]


def fields(text):
    """{NAME: VALUE} of the lines that are a name and a number."""
    return {name: float(value) for name, value in
            re.findall(r"^([a-z-]+) ([\d.]+)$", text, re.MULTILINE)}


def spread(values, form):
    """The median of VALUES, and the least and the greatest."""
    return "%s (%s - %s)" % tuple(
        form % value for value in (statistics.median(values), min(values), max(values)))
