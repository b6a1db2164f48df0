# SPDX-License-Identifier: GPL-3.0-or-later
"""A program bare and recorded: what it printed, made and returned, and how much of it was seen."""

import glob
import hashlib
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

from session import Gdb, looks, total  # noqa: E402

FOLDERS = "/usr/bin:/usr/sbin:/bin:/sbin:/usr/games"
RATE = 200
BARE_LIMIT = 120  # seconds
BUSY = 0.2  # seconds that a thread waits for a CPU, for each that it has one
ENOUGH = 0.5  # seconds of CPU time, to say how much of it was seen

# Where its standard input and output are, unless its command line says otherwise.
STREAMS = "</dev/null >stdout 2>stderr "

# The clock, and the CPU time of all children that GDB's process has waited for: the kernel adds that
# of a traced process, and of those that this has waited for, when GDB learns of its end.
CLOCKS = ("python import resource, time; used = resource.getrusage(resource.RUSAGE_CHILDREN); "
          "print('clock: %.6f children: %.6f' % (time.monotonic(), used.ru_utime + used.ru_stime))")

FUNCTIONS = "prof-functions --format=csv"
WAITS = "prof-functions --metric=runqueue --format=csv"

# What became of a program: STATUS as a shell has it, and the contents of all FILES by name.
Outcome = namedtuple("Outcome", "status files")

# A run in GDB: its OUTCOME, CPU and WALL time in seconds, and what GDB has TOLD since.
Run = namedtuple("Run", "outcome cpu wall told")

# What was seen of CPU seconds by the kernel's account, in DURATION seconds: so many SAMPLES at a RATE
# in Hz; UNMET seconds of threads that no tick could be sent to, as prof-stop says in TEXT; seconds
# that threads WAITED for a CPU.
Seen = namedtuple("Seen", "cpu samples duration rate unmet waited threads text")


def seen_of(cpu, stop, functions, waits):
    """What was Seen of CPU seconds by what prof-stop has printed, and prof-functions, of samples and
    of waits.

    The RATE is how often the threads were looked at, which on a busy machine is less often than was
    asked for.  Ticks that were lost count as not seen.
    """
    duration, _, looked = looks(stop)
    return Seen(cpu, total(functions), duration, looked,
                number(r"^Threads that block .* ([0-9.]+) s of CPU time", stop),
                total(waits), number(r"; (\d+) thread", stop), stop)


def find(command):
    """The path of the program that COMMAND begins with, and the rest of it; None: not here.  It may
    be a pattern of paths: compilers have folders by version."""
    first, _, rest = command.partition(" ")
    path = max(glob.glob(first), default=None) if "/" in first else shutil.which(first, path=FOLDERS)
    return (path, rest) if path else None


def place(inputs, folder):
    """Make FOLDER with all that is in INPUTS, as links: what has one link only was made there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(inputs, folder, copy_function=os.link)
    os.mkdir(folder + ".home")
    return folder


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(folder + ".home", ignore_errors=True)


def files_made(folder):
    """Hashes of the files that are no inputs, by name."""
    made = {}
    for below, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(below, name)
            if os.lstat(path).st_nlink == 1:
                with open(path, "rb") as file:
                    made[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return made


def environment(folder):
    return {"HOME": folder + ".home", "PATH": FOLDERS, "SHELL": "/bin/sh"}


def run_bare(command, inputs, folder):
    """Run COMMAND, a path and its arguments, without GDB; its Outcome."""
    path, arguments = command
    place(inputs, folder)
    env = Gdb(env=environment(folder)).env
    for name in ("LINES", "COLUMNS"):
        env.pop(name, None)
    try:
        status = subprocess.run(
            ["/bin/sh", "-c", "exec %s %s%s" % (shlex.quote(path), STREAMS, arguments)],
            cwd=folder, env=env, timeout=BARE_LIMIT, check=False).returncode
        return Outcome(status if status >= 0 else 128 - status, files_made(folder))
    except subprocess.TimeoutExpired:
        return Outcome("not ended after %d s" % BARE_LIMIT, {})
    finally:
        clear(folder)


def number(pattern, text):
    """The number that PATTERN finds in TEXT, or 0."""
    found = re.search(pattern, text, re.M)
    return float(found.group(1)) if found else 0


def status_of(text):
    """The exit status of a program of which GDB has said TEXT."""
    if found := re.search(r"exited with code ([0-7]+)\]", text):
        return int(found.group(1), 8)
    if re.search(r"exited normally\]", text):
        return 0
    return "not ended: " + text[-300:]


def in_gdb(command, inputs, folder, begin, *after):
    """Run COMMAND in a GDB, after the commands BEGIN, and give AFTER when it has ended: a Run."""
    path, arguments = command
    place(inputs, folder)
    try:
        first = ["handle all nostop noprint pass", "set startup-with-shell on", "set cwd " + folder,
                 "unset environment LINES", "unset environment COLUMNS", *begin]
        before, said, then, *told = Gdb(path, env=environment(folder)).run(
            *first, CLOCKS, "run " + STREAMS + arguments, CLOCKS, *after)[len(first):]
        made = files_made(folder)
    finally:
        clear(folder)
    cpu, wall = (number(name + r": ([0-9.]+)", then) - number(name + r": ([0-9.]+)", before)
                 for name in ("children", "clock"))
    return Run(Outcome(status_of(said), made), cpu, wall, told)


def run_recorded(command, inputs, folder):
    """Run COMMAND in a GDB that records it; its Outcome, and what was Seen of it.

    The rate stays as it is: samples at a rate that goes up and down cannot be held against a time.
    """
    run = in_gdb(command, inputs, folder, ("set prof max-stopped 100", "prof-start --rate=%d" % RATE),
                 "prof-stop", FUNCTIONS, WAITS)
    return run.outcome, seen_of(run.cpu, *run.told)


def differences(bare, recorded):
    """How the Outcome RECORDED differs from BARE, a sentence each; none: they are the same."""
    said = []
    if bare.status != recorded.status:
        said.append("The exit status is %s, and %s recorded." % (bare.status, recorded.status))
    for name in sorted(bare.files.keys() | recorded.files.keys()):
        if bare.files.get(name) != recorded.files.get(name):
            said.append("The file %s %s." % (name, "is not made when recorded" if name
                        not in recorded.files else "is made only when recorded" if name
                        not in bare.files else "has other contents when recorded"))
    return said


def share(seen):
    """The share of CPU time that samples stand for, of all of SEEN together; None: no CPU time.

    Threads that wait for a CPU may be samples too, so that it may be more than all of it.
    """
    cpu = sum(one.cpu for one in seen)
    met = sum(one.samples / one.rate for one in seen if one.rate)
    return met / cpu if cpu else None


def chance(seen):
    """What chance takes from the share of SEEN, 3 standard deviations: where a thread has its CPU for
    a part of the time only, it is luck in how many looks it has it; one that has it always is met
    by each."""
    cpu = sum(one.cpu for one in seen)
    variance = sum(one.samples * max(0, 1 - one.cpu / one.duration) / one.rate ** 2
                   for one in seen if one.rate and one.duration)
    return 3 * math.sqrt(variance) / cpu


def is_busy(seen):
    """Did the threads wait for CPUs that others had?"""
    return sum(one.waited for one in seen) > BUSY * sum(one.cpu for one in seen)


def is_seen(seen, least, slack=0):
    """Was the share LEAST of the CPU time in SEEN met, if that was enough to tell, but for SLACK?

    What threads waited for makes not up for others that were not met at all.  On a busy machine the
    ticker takes its CPU from whoever has it.  If that is the thread to be sampled, this waits for a
    while after, and counts as one that had none: of N CPUs one is blind.
    """
    cpu = sum(one.cpu for one in seen)
    blind = 1 / os.cpu_count() if is_busy(seen) else 0
    return cpu < ENOUGH or (share(seen) + slack >= least * (1 - blind)
                            and sum(one.unmet for one in seen) <= (1 - least) * cpu)
