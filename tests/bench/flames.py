# SPDX-License-Identifier: GPL-3.0-or-later
"""Stacks that perf has seen, made folded stacks and a picture: by gdbprof, and by others."""

import os
import random
import re
import resource
import shutil
import subprocess
import tempfile
import zlib

from common import BUILD, LOADER, QUICK, attempt, environment, fail, head, run, say

SAMPLES = 100000 if QUICK else 1000000
STACKS = 20000
DEEPEST = 24
LONGEST = 600  # seconds that one tool may take
# By name, the commands that it may be: the second is what Debian's ruby-stackprof calls it.
TOOLS = {"stackcollapse-perf.pl": ("stackcollapse-perf.pl",),
         "flamegraph.pl": ("flamegraph.pl", "stackprof-flamegraph.pl")}
PERF = ["perf", "record", "-g", "-F"]


def find(tool):
    """The command that TOOL is, or None."""
    return next(filter(None, map(shutil.which, TOOLS[tool])), None)


def make_stacks():
    """Stacks that have grown from each other, as those of programs have: names, root first."""
    source = random.Random(1)
    stacks = [["main"]]
    while len(stacks) < STACKS:
        stack = stacks[source.randrange(len(stacks))]
        keep = stack[:source.randint(1, len(stack))]
        grown = ["app::module%d::step%d(int)" % (source.randrange(40), source.randrange(25))
                 for _ in range(source.randint(1, 6))]
        stacks.append((keep + grown)[:DEEPEST])
    return stacks


def write_inputs(perf, folded):
    """Writes SAMPLES of these stacks as perf script prints them, and as folded stacks, a line each."""
    stacks, source = make_stacks(), random.Random(2)
    frames = ["".join("\t%16x %s+0x10 (/usr/bin/app)\n" % (0x401000 + zlib.crc32(name.encode()) % 65536, name)
                      for name in reversed(stack)) for stack in stacks]
    lines = [";".join(stack) + " 1\n" for stack in stacks]
    with open(perf, "w") as text, open(folded, "w") as short:
        for i in range(SAMPLES):
            # Few stacks are met often, and many now and then.
            chosen = int(len(stacks) * source.random() ** 3)
            text.write("app  100 [000] %.6f:          1 cycles:\n%s\n" % (i / 1e4, frames[chosen]))
            short.write(lines[chosen])


def timed(*steps):
    """The seconds on a CPU that each of the STEPS, (name, GDB command), takes in one GDB."""
    command = ["gdb", "-nx", "-batch", "-x", LOADER, "-ex", "python import time"]
    for name, step in steps:
        command += ["-ex", "python began = time.process_time()", "-ex", step, "-ex",
                    "python print('%s %%.6f' %% (time.process_time() - began))" % name]
    done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment(), timeout=LONGEST)
    found = {name: float(value) for name, value in
             re.findall(r"^([a-z]+) ([\d.]+)$", done.stdout, re.MULTILINE)}
    if set(found) != {name for name, _ in steps}:
        fail("gdbprof has not done all:", done.stdout[-2000:])
    return found


def clock(command, output):
    """The seconds on a CPU that COMMAND takes to write what it prints to OUTPUT."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(output, "wb") as file:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=file,
                       stderr=subprocess.DEVNULL, timeout=LONGEST)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def columns(other):
    say("\n%-52s %9s %9s %9s" % ("", "gdbprof", other, ""))
    say("%-52s %9s %9s %9s" % ("", "CPU s", "CPU s", "ratio"))


def row(what, ours, others=None):
    """A line of the table; OTHERS is what another tool takes, or None."""
    say("%-52s %9.2f %9s %9s" % (what, ours, "-" if others is None else "%.2f" % others,
                                 "-" if others is None else "%.2f" % (ours / others)))


def measure(text, place):
    """The seconds that it takes to read the file TEXT, and to make folded stacks and an SVG of it."""
    return timed(("read", "prof-load " + text), ("fold", "prof-flame --output=%s/stacks" % place),
                 ("draw", "prof-flame %s/picture.svg" % place))


def show_stacks():
    with tempfile.TemporaryDirectory() as place:
        perf, folded = os.path.join(place, "perf"), os.path.join(place, "folded")
        collapsed, drawn = os.path.join(place, "collapsed"), os.path.join(place, "drawn.svg")
        write_inputs(perf, folded)
        say("%d samples of %d stacks, up to %d deep: %.0f MB as perf script prints them, %.0f MB folded" % (
            SAMPLES, STACKS, DEEPEST, os.path.getsize(perf) / 1e6, os.path.getsize(folded) / 1e6))
        ours, short = measure(perf, place), measure(folded, place)
        collapse, flame = (find(tool) for tool in TOOLS)
        theirs = clock([collapse, perf], collapsed) if collapse else None
        both = theirs + clock([flame, collapsed], drawn) if collapse and flame else None
        alone = clock([flame, folded], drawn) if flame else None
        columns("*.pl")
        row("perf script, read", ours["read"])
        row("    and folded", ours["read"] + ours["fold"], theirs)
        row("    and drawn as an SVG", ours["read"] + ours["fold"] + ours["draw"], both)
        row("folded stacks, read", short["read"])
        row("    and drawn as an SVG", short["read"] + short["draw"], alone)
        for tool, there in zip(TOOLS, (collapse, flame)):
            if not there:
                say("%s is left out: it is not on the PATH." % tool)


def record(data):
    """Has perf record a program until it has SAMPLES; returns how many it has."""
    program = os.path.join(BUILD, "tests", "programs", "shares")
    work = 300 if QUICK else 3000
    for _ in range(6):
        text = run(PERF + ["max", "-o", data, "--", program, str(work)])
        found = re.search(r"\((\d+) samples\)", text)
        if not found:
            fail("perf has not said what it recorded:", text[-2000:])
        samples = int(found[1])
        if samples >= SAMPLES:
            break
        work = int(work * min(10, 1.2 * SAMPLES / max(samples, 1)))
    return samples


def collapse(data, output):
    """The seconds that perf's own script takes to fold DATA, or None where this perf runs none."""
    command = ["perf", "script", "report", "stackcollapse", "-i", data]
    try:
        taken = clock(command, output)
    except subprocess.CalledProcessError:
        return None
    return taken if os.path.getsize(output) else None


def show_perf():
    if not shutil.which("perf"):
        say("\nperf is left out: it is not installed.")
        return
    with tempfile.TemporaryDirectory() as place:
        path = {name: os.path.join(place, name)
                for name in ("data", "text", "report", "collapsed", "drawn.svg")}
        done = subprocess.run(PERF + ["1000", "-o", path["data"], "true"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            say("\nperf is left out: %s." % done.stdout.strip().split("\n")[0])
            return
        samples = record(path["data"])
        script = clock(["perf", "script", "-i", path["data"]], path["text"])
        report = clock(["perf", "report", "--stdio", "--no-children", "-g", "folded,0,caller", "-i",
                        path["data"]], path["report"])
        folded = collapse(path["data"], path["collapsed"])
        flame = find("flamegraph.pl")
        both = folded + clock([flame, path["collapsed"]], path["drawn.svg"]) if folded and flame else None
        ours = measure(path["text"], place)
        say("\n%d samples that perf has recorded; perf script takes %.2f s to print them (%.0f MB)" % (
            samples, script, os.path.getsize(path["text"]) / 1e6))
        columns("report")
        row("what perf script prints, read", ours["read"])
        row("    and folded", ours["read"] + ours["fold"], report)
        row("    with what perf script takes", ours["read"] + ours["fold"] + script, report)
        columns("collapse")
        row("perf script, read and folded; perf's stackcollapse", ours["read"] + ours["fold"] + script,
            folded)
        row("    and drawn as an SVG; flamegraph.pl of that",
            ours["read"] + ours["fold"] + ours["draw"] + script, both)


def show():
    head("FLAME GRAPHS: what others have sampled, folded and drawn")
    attempt("folded stacks and pictures", show_stacks)
    attempt("what perf has recorded", show_perf)
