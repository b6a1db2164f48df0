#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording begins and goes on whenever there is a process, however that comes and goes."""

import os
import re
import subprocess
import tempfile

from session import TOP, Gdb, grown, ok, plan, program, rows

LIBRARY = """
static volatile unsigned long sink;
__attribute__((noinline)) static void inside(long rounds)
{
	unsigned long sum = sink;

	for (long i = 0; i < rounds * 100000; i++)
		sum = sum * 31 + i;
	sink = sum;
}
void library_work(long rounds)
{
	inside(rounds);
	sink++;
}
"""
VIEW = "prof-functions --format=csv --limit=0"
ENOUGH = 20  # samples


def functions(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text)}


def duration(text):
    """The seconds that a heading tells."""
    found = re.search(r" in ([0-9.]+) s[;.]", text)
    return float(found.group(1)) if found else -1


def record(exe, args, *commands):
    """Run COMMANDS with a recording around them; return the functions and all output."""
    out = Gdb(exe, args).run("set prof max-stopped 100", "prof-start --rate=1000", *commands,
                             "prof-stop", VIEW)
    return functions(out[-1]), out[2:]


def have(found, names):
    """Are there samples enough in FOUND of functions that have the NAMES in theirs?"""
    return all(any(name in known and samples > ENOUGH for known, samples in found.items()) for name in names)


def phases(names, *commands, library=()):
    """The same of the program phases, which works until there are samples enough of all NAMES."""
    return grown(lambda rounds: record("phases", [str(rounds), *library], *commands),
                 lambda got: have(got[0], names), 1000)


plan(29)

# In the middle of a session.
out = grown(lambda rounds: Gdb("phases", [str(rounds)]).run(
    "set prof max-stopped 100", "break two", "run", "prof-start --rate=1000", "continue",
    "prof-stop", VIEW), lambda out: have(functions(out[6]), ("two", "three")), 1000)
found = functions(out[6])
ok("Breakpoint 1, two" in out[2] and "exited normally" in out[4], "start in the middle", out)
ok(have(found, ("two", "three")) and "one" not in found,
   "what was before is not in it", out[6])

# start, and two runs.
found, out = record("phases", ["1000"], "start", "continue", "prof-status", "run", "prof-status")
ok("Temporary breakpoint 1, main" in out[0] and "exited normally" in out[1], "start", out[0])
once, twice = duration(out[2]), duration(out[4])
ok(0 < once < twice - 0.1, "a second run is added to the first", "%s and %s s" % (once, twice))
out = grown(lambda rounds: Gdb("phases", [str(rounds)]).run(
    "set prof max-stopped 100", "prof-start --rate=1000", "run", VIEW, "run", VIEW, "prof-stop"),
            lambda out: have(functions(out[3]), ("one", "two", "three")), 1000)
first, second = functions(out[3]), functions(out[5])
ok(all(second.get(name, 0) > first.get(name, 0) > ENOUGH for name in ("one", "two", "three")),
   "its samples too", out[3] + out[5])
ok("2 threads" in out[6], "of a thread of its own", out[6])

# A process that is there already.
with subprocess.Popen([program("leaving"), "spin"], stdout=subprocess.PIPE) as process:
    process.stdout.readline()
    out = Gdb(program("leaving")).run(
        "attach %d" % process.pid, "prof-start --rate=1000", "tbreak before", "continue",
        "tbreak before", "continue", "detach", VIEW, "prof-stop")
    found = functions(out[7])
    ok(process.poll() is None and "detached]" in out[6], "attach and detach", out)
    with open("/proc/%d/status" % process.pid, encoding="utf-8") as file:
        status = file.read()
    process.kill()
ok(found.get("burner", 0) > 1 and found.get("before", 0) > 1, "all its threads are sampled",
   out[7])
ok(re.search(r"TracerPid:\t0\n", status) is not None, "it is left alone", status)

# With threads that burn.
found, out = record("leaving", ["exit"], "run", "print $_exitcode")
ok("exited with code 06" in out[0] and "= 6" in out[1], "exit with threads", out[0])
ok(found.get("burner", 0) > 20 and found.get("before", 0) > 5, "and their samples", out[-1])
found, out = record("leaving", ["exec"], "run", "print $_exitcode")
ok("executing new program" in out[0] and "exited with code 04" in out[0], "exec in a thread",
   out[0])
ok(all(found.get(name, 0) > 5 for name in ("burner", "before", "execute", "after")),
   "samples of both programs, by their names", out[-1])
found, out = record("leaving", ["fork"], "run")
ok("exited with code 05" in out[0] and out[0].count("Detaching after fork") == 20,
   "children are not disturbed", out[0])
ok(found.get("before", 0) > 20, "the parent is sampled on", out[-1])
found, out = record("leaving", ["spin"], "tbreak before", "run", "kill", "prof-status")
ok("killed" in out[2] and "waiting for a program" in out[3], "kill", out[2] + out[3])
# Left alone it would hold on to our output.
found, out = record("leaving", ["spin"], "tbreak before", "run > /dev/null 2>&1", "detach",
                    "prof-status")
ok("detached]" in out[2] and "waiting for a program" in out[3], "detach", out[2] + out[3])
pid = re.search(r"process (\d+)", out[2])
if pid:
    os.kill(int(pid.group(1)), 9)

# A library that is gone when it is looked at.
with tempfile.TemporaryDirectory() as folder:
    source, library = os.path.join(folder, "lib.c"), os.path.join(folder, "libgone.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(LIBRARY)
    for what, flags, names in (("with", ["-g"], ("inside", "library_work")),
                               ("without", ["-s"], ("libgone.so", "library_work"))):
        subprocess.run(["cc", "-O1", "-fno-optimize-sibling-calls", "-shared", "-fPIC", *flags,
                        "-o", library, source], check=True)
        found, out = phases(names, "run", library=[library])
        ok("exited normally" in out[0], "a library comes and goes", out[0])
        ok(have(found, names), "its functions are named, %s debugging information" % what, out[-1])
        found, out = phases(("three", *names), "tbreak three", "run", VIEW, "continue", library=[library])
        ok(have(functions(out[2]), names), "so are they at a stop, %s" % what, out[2])
        ok(have(found, ["three"]), "and those of the others", out[-1])

# Pauses, and stops.
# The pause begins before the call: a tick may be met on the first instruction of `two`, where a breakpoint stops it.
with open(os.path.join(TOP, "tests", "programs", "phases.c"), encoding="utf-8") as file:
    call = next(number for number, line in enumerate(file, 1) if line == "\ttwo(rounds);\n")
found, out = phases(("one", "three"), "break phases.c:%d" % call, "break three", "run", "prof-pause", "continue",
                    "prof-resume", "continue")
ok(have(found, ("one", "three")), "around a pause all is sampled", out[-1])
ok(found.get("two", 0) == 0, "in the pause nothing is", out[-1])
found, out = record("phases", ["1000"], "tbreak two", "run", "prof-status", "shell sleep 0.3",
                    "prof-status", "continue")
ok(duration(out[2]) == duration(out[4]) > 0, "no time passes at the prompt", out[2] + out[4])
ok(0 < duration(out[-2]) < duration(out[2]) + 60, "and some when it goes on", out[-2])
