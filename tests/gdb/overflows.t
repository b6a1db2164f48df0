#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles by counters: prof-start --counter."""

import os
import re
import subprocess
import tempfile

import pmu
from session import Gdb, engines, forbid_perf, grown, ok, plan, program, rows, skip_all

PAGES = 300
VIEW = "prof-functions --format=csv --limit=0"


def events(text, which="inclusive"):
    """How many events each function of the only metric in TEXT has."""
    return {row["name"]: float(row[which]) for row in rows(text)}


def known(found):
    """What the program knows of its own pages."""
    return found.get("once", 0), found.get("twice", 0)


def overflows(texts):
    """How many page faults there were by what prof-stop says in TEXTS, and how many of them were not
    sampled: where gdbprof's thread waits for a CPU, the kernel has no room for all."""
    said = re.search(r"^Counter page-faults: .*; (\d+) overflows?(?:, (\d+) of which the kernel did not sample)?",
                     "\n".join(texts), re.M)
    return (int(said[1]), int(said[2] or 0)) if said else (0, 0)


def record(exe, args, *commands, **options):
    """What COMMANDS print, of a recording in which most events were sampled, and their code was known: where
    that thread has no CPU as long as the program is there, nobody can ask what was mapped."""
    return grown(lambda _: Gdb(exe, args, **options).run(*commands),
                 lambda out: 4 * overflows(out)[1] <= overflows(out)[0] and "\nonce," in "".join(out), 1)


def is_all(had, wanted, out):
    """Did once() and twice() have HAD page faults of those WANTED, but for those that were not sampled?"""
    missing = [of - in_it for in_it, of in zip(had, wanted)]
    return min(missing) >= 0 and sum(missing) <= overflows(out)[1]


def test_faults():
    """Each page that is touched is found in the function that touches it."""
    out = record(
        "touches", [str(PAGES), "2"],
        "prof-start --counter=page-faults", "run", "prof-stop", VIEW, VIEW + " --metric=page-faults",
        "prof-callers once", "prof-threads --format=csv", "prof-metrics", "prof-lines --limit=3",
        "prof-tree --collapse=full", VIEW + " --metric=samples", "prof-functions --metric=fault-pages",
        "prof-gprof --limit=2", VIEW + " --state=user")
    said = re.search(r"once (\d+) twice (\d+)", out[1])
    wanted = (int(said[1]), int(said[2])) if said else None
    ok(out[0].strip() == "Recording by counters: page-faults.", "it is said what is recorded", out[0])
    had = known(events(out[3]))
    ok(wanted == (3 * PAGES, 6 * PAGES) and is_all(had, wanted, out) and known(events(out[3], "exclusive")) == had,
       "each fault is in its function", out[1] + out[2] + out[3])
    ok(out[3] == out[4], "the counter is the metric that is shown unasked", out[4])
    ok(re.search(r"^Counter page-faults: .*\n", out[2], re.M) and "Rate" not in out[2], "the heading says so", out[2])
    threads = rows(out[6])
    ok(len(threads) == 4 and all(float(row["page-faults"]) >= 3 * PAGES - overflows(out)[1] for row in threads[:3]),
       "so many has each thread", out[6])
    ok("page-faults" in out[7] and "touch" in out[5] and "once" in out[8] + out[9] and "touch" in out[12],
       "the views show it", "".join(out[5:13]))
    ok(not any(events(out[10]).values()) and "page-faults" in out[11], "there are no samples of a clock",
       out[10] + out[11])
    ok(known(events(out[13])) == had, "they are in user code", out[13])


def test_switches():
    """Context switches happen in the kernel."""
    # What is read from a disk while the program begins takes switches too.
    out = Gdb("bursts", ["0.2", "200", "sleep"]).run(
        "tbreak main", "run", "prof-start --counter=context-switches", "continue", "prof-stop", VIEW,
        VIEW + " --state=system")[2:]
    found = events(out[3])
    # Others take the CPU away too, wherever it is.
    ok(found.get("wait_by", 0) > 100 and found["main"] > 0.9 * found["<Total>"], "context switches are in the waits",
       out[3])
    ok(events(out[4]) == found, "and in the kernel", out[4])


def test_both(folder):
    """Two counters and the clock at once; and all of it from a file."""
    file = os.path.join(folder, "both.prof")
    pages = 10 * PAGES
    out = record(
        "touches", [str(pages)], "prof-start --counter=page-faults:1,context-switches --rate=500 --output=" + file, "run", "prof-stop",
        VIEW + " --metric=i.page-faults:i.context-switches:i.samples", "prof-load " + file,
        VIEW + " --metric=i.page-faults:i.context-switches:i.samples", VIEW,
        'print $_prof_inclusive("once", "page-faults")')
    found = {row["name"]: row for row in rows(out[3])}
    ok("Recording at 500 Hz" in out[0] and "and by counters: page-faults:1,context-switches, into " in out[0],
       "counters and the clock", out[0])
    once, twice = (float(found[name]["page-faults_inclusive"]) for name in ("once", "twice"))
    ok(is_all((once, twice), (pages, 2 * pages), out) and
       float(found["burn"]["samples_inclusive"]) > 10 and float(found["<Total>"]["page-faults_inclusive"]) >= 3 * pages,
       "each has its own", out[2] + out[3])
    ok(out[5] == out[3], "a file has all of it", out[5])
    ok("burn" in events(out[6]) and out[6] != out[3], "samples are shown unasked", out[6])
    ok(out[7].strip().endswith("= %d" % once), "a convenience function too", out[7])


def test_stops():
    """Nothing is counted while the program stands still or the recording pauses."""
    out = record(
        "touches", [str(PAGES), "1"], "break work", "run", "prof-start --counter=page-faults --paused", "prof-resume",
        "continue", "prof-stop", VIEW)
    ok(is_all(known(events(out[6])), (PAGES, 2 * PAGES), out), "from the middle of a run", out[5] + out[6])
    out = record(
        "touches", [str(PAGES), "1"], "break work", "prof-start --counter=page-faults", "run", "prof-pause", "continue",
        "prof-stop", VIEW, "prof-intervals")
    ok(is_all(known(events(out[6])), (PAGES, 2 * PAGES), out), "until a pause", out[5] + out[6])


def test_processes():
    """Attached to, run again, and in what a shell executes."""
    def attach(threads):
        target = subprocess.Popen([program("touches"), str(PAGES), str(threads)], stdout=subprocess.PIPE, text=True)
        out = Gdb("touches").run(
            "attach %d" % target.pid, "prof-start --counter=page-faults", "continue", "prof-stop", VIEW)
        target.communicate()
        return out, known(events(out[4])), PAGES * (1 + threads), target.returncode

    # On a busy machine it may be over before GDB has come to it.
    out, (once, twice), most, status = grown(attach, lambda got: got[1][0] > 0, 10)
    ok(not status and 0 < once <= most and abs(2 * once - twice) <= 100 + 2 * overflows(out)[1], "attached to", "".join(out))
    out = record("touches", [str(PAGES)], "prof-start --counter=page-faults", "run", "run", "prof-stop", VIEW)
    ok(is_all(known(events(out[4])), (2 * PAGES, 4 * PAGES), out), "run twice", out[3] + out[4])
    out = record(
        "/bin/sh", ["-c", program("touches") + " %d; true" % PAGES],
        "set detach-on-fork off", "set schedule-multiple on", "prof-start --counter=page-faults", "run", "prof-stop", VIEW)
    ok(is_all(known(events(out[5])), (PAGES, 2 * PAGES), out), "a program that another executes", out[4] + out[5])


def test_forbidden():
    """The last one: from here on nothing is permitted."""
    forbid_perf()
    out = Gdb("touches").run("prof-start --counter=page-faults", "prof-status")
    ok(len(out[0].strip().splitlines()) == 1 and "perf_event_open must be allowed" in out[0] and
       "Nothing has been recorded" in out[1], "where perf events are forbidden that is said", out[0] + out[1])


def test_hardware(folder):
    """As on a CPU with two counters, the clock of which is 1 GHz."""
    out = Gdb("touches", [str(PAGES)], env=pmu.environment(folder)).run(
        "prof-start --counter=cycles:1000003,insts:500009", "run", "prof-stop",
        VIEW + " --metric=e.cycles:e.insts:e.cycles/count", "prof-functions --limit=2")
    found = {row["name"]: row for row in rows(out[3])}
    burn = found.get("burn", {})
    ok(float(burn.get("cycles/count_exclusive", 0)) > 1e6 and float(burn.get("insts_exclusive", 0)) > 1e6,
       "two counters of hardware", "".join(out))
    ok(re.search(r"^\s*sec\.", out[4], re.M), "cycles are shown as time", out[4])


def test_refused():
    """Bad input gets a sentence."""
    out = Gdb("touches").run(
        "prof-start --counter=nonsense", "prof-start --counter=page-faults:0", "prof-start --counter=", "prof-status")
    ok("nonsense" in out[0] and "prof-counters" in out[0], "an unknown counter", out[0])
    ok(len((out[1] + out[2]).strip().splitlines()) == 2 and "Nothing has been recorded" in out[3], "and what is none",
       out[1] + out[2] + out[3])


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(8 + 2 + 5 + 2 + 2 + 3 + 2 + 1)
with tempfile.TemporaryDirectory() as place:
    test_faults()
    test_switches()
    test_both(place)
    test_hardware(place)
test_stops()
test_processes()
test_refused()
test_forbidden()
