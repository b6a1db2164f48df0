# SPDX-License-Identifier: GPL-3.0-or-later
"""The program bursts under an engine: what it says of its own CPU time is what is found."""

import re
import subprocess

from session import Gdb, deviation, near, ok, program, rows, total

SECONDS = 2

# Samples stand for times that differ, by up to a half: so many of them say as much as one that does not.
UNEVEN = 1.5


# us: the kernel's clock rings no sooner after a thread goes on.  What was due in the wait before is found in the
# work behind it then.
SOONEST = 10
SLEEPS = "futex", "sleep"


def record(engine, rate, kind, span, before=()):
    """What the program says, what is said of the recording, and what is found: shares of the CPU time in
    percent by function, and the number of samples."""
    out = Gdb("bursts", [str(SECONDS), str(span), kind]).run(
        *before, "prof-start --engine=%s --rate=%d" % (engine, rate), "run", "prof-stop",
        "prof-functions --format=csv --metric=cpu", "prof-functions --format=csv")[len(before):]
    found = {row["name"]: float(row["inclusive_percent"]) for row in rows(out[3])}
    return out[1], "".join(out[1:4]), found, total(out[4])


def clocked(kind, span):
    """The part of the CPU time that the kernel's clock of samples counts: it stands still in switches."""
    said = subprocess.run([program("bursts"), "0.5", str(span), kind], stdout=subprocess.PIPE, text=True, check=True).stdout
    every, _, _, _, cpu = map(float, re.findall(r"[0-9.]+", said))
    return min(every / cpu, 1)


def check_bursts(engine, rate, kind, span, *settings, weight=1, counted=1):
    """Two tests, with SETTINGS: the parts of the work, and the work as a part of all.  A stop stands for up to
    WEIGHT samples.  What ticks the program counts the part COUNTED of all that it says."""
    said, all_said, found, samples = record(engine, rate, kind, span, ("set prof max-stopped 100", *settings))
    stops = samples / weight / UNEVEN
    own = re.search(r"all ([0-9.]+) once ([0-9.]+) twice ([0-9.]+) thrice ([0-9.]+)", said)
    own = [float(number) for number in own.groups()] if own else [1, 0, 0, 0]
    work = {name: found.get(name, 0) for name in ("once", "twice", "thrice")}
    # What came before its work began is not in its account.  By its own clock a burst that was interrupted
    # took longer: on a busy machine all bursts together may take longer than all of its CPU time.
    part = 100 * min(1, sum(own[1:]) / own[0] / counted) * found.get("serve", 0) / 100
    whole = max(sum(work.values()), 1)
    late = SOONEST / span if kind in SLEEPS else 0
    wrong = []
    for name, time, bursts in zip(work, own[1:], (1, 2, 3)):
        share = 100 * work[name] / whole
        expected = sorted((100 * time / max(sum(own[1:]), 1e-9), 100 * (bursts + late) / (6 + 3 * late)))
        if not near(share, min(max(share, expected[0]), expected[1]), stops * whole / 100):
            wrong.append((name, share, expected))
    ok(samples > rate * SECONDS / 2 and not wrong, "%s: work of %d us between calls of %s" % (engine, span, kind),
       "%s\n%s" % (wrong, all_said))
    # Interrupts are in the CPU time of what they interrupt, and not in its own account.
    ok(abs(whole - part) < 12 + 5 * deviation(part, stops), "and the calls have what is left",
       "%s of %s\n%s" % (whole, part, all_said))
