#!/usr/bin/python3
"""Profiles by counters: prof-start --counter."""

import os
import re
import subprocess
import tempfile

import pmu
from session import Gdb, engines, forbid_perf, ok, plan, program, rows, skip_all

PAGES = 300
VIEW = "prof-functions --format=csv --limit=0"


def events(text, which="inclusive"):
    """How many events each function of the only metric in TEXT has."""
    return {row["name"]: float(row[which]) for row in rows(text)}


def known(found):
    """What the program knows of its own pages."""
    return found.get("once", 0), found.get("twice", 0)


def test_faults():
    """Each page that is touched is found in the function that touches it."""
    out = Gdb("touches", [str(PAGES), "2"]).run(
        "prof-start --counter=page-faults", "run", "prof-stop", VIEW, VIEW + " --metric=page-faults",
        "prof-callers once", "prof-threads --format=csv", "prof-metrics", "prof-lines --limit=3",
        "prof-tree --collapse=full", VIEW + " --metric=samples", "prof-functions --metric=fault-pages",
        "prof-gprof --limit=2", VIEW + " --state=user")
    said = re.search(r"once (\d+) twice (\d+)", out[1])
    wanted = (int(said[1]), int(said[2])) if said else None
    ok(out[0].strip() == "Recording by counters: page-faults.", "it is said what is recorded", out[0])
    ok(wanted == (3 * PAGES, 6 * PAGES) and known(events(out[3])) == wanted and
       known(events(out[3], "exclusive")) == wanted, "each fault is in its function", out[1] + out[3])
    ok(out[3] == out[4], "the counter is the metric that is shown unasked", out[4])
    ok(re.search(r"^Counter page-faults: .*\n", out[2], re.M) and "Rate" not in out[2], "the heading says so", out[2])
    threads = rows(out[6])
    ok(len(threads) == 4 and all(float(row["page-faults"]) >= 3 * PAGES for row in threads[:3]),
       "so many has each thread", out[6])
    ok("page-faults" in out[7] and "touch" in out[5] and "once" in out[8] + out[9] and "touch" in out[12],
       "the views show it", "".join(out[5:13]))
    ok(not any(events(out[10]).values()) and "page-faults" in out[11], "there are no samples of a clock",
       out[10] + out[11])
    ok(known(events(out[13])) == wanted, "they are in user code", out[13])


def test_switches():
    """Context switches happen in the kernel."""
    out = Gdb("bursts", ["0.2", "200", "sleep"]).run(
        "prof-start --counter=context-switches", "run", "prof-stop", VIEW, VIEW + " --state=system")
    found = events(out[3])
    # Others take the CPU away too, wherever it is.
    ok(found.get("wait_by", 0) > 100 and found["main"] > 0.9 * found["<Total>"], "context switches are in the waits",
       out[3])
    ok(events(out[4]) == found, "and in the kernel", out[4])


def test_both(folder):
    """Two counters and the clock at once; and all of it from a file."""
    file = os.path.join(folder, "both.prof")
    pages = 10 * PAGES
    out = Gdb("touches", [str(pages)]).run(
        "prof-start --counter=page-faults:1,context-switches --rate=500 --output=" + file, "run", "prof-stop",
        VIEW + " --metric=i.page-faults:i.context-switches:i.samples", "prof-load " + file,
        VIEW + " --metric=i.page-faults:i.context-switches:i.samples", VIEW,
        'print $_prof_inclusive("once", "page-faults")')
    found = {row["name"]: row for row in rows(out[3])}
    ok("Recording at 500 Hz" in out[0] and "and by counters: page-faults:1,context-switches, into " in out[0],
       "counters and the clock", out[0])
    ok(float(found["once"]["page-faults_inclusive"]) == pages and
       float(found["burn"]["samples_inclusive"]) > 10 and float(found["<Total>"]["page-faults_inclusive"]) >= 3 * pages,
       "each has its own", out[3])
    ok(out[5] == out[3], "a file has all of it", out[5])
    ok("burn" in events(out[6]) and out[6] != out[3], "samples are shown unasked", out[6])
    ok(out[7].strip().endswith("= %d" % pages), "a convenience function too", out[7])


def test_stops():
    """Nothing is counted while the program stands still or the recording pauses."""
    out = Gdb("touches", [str(PAGES), "1"]).run(
        "break work", "run", "prof-start --counter=page-faults --paused", "prof-resume", "continue", "prof-stop", VIEW)
    ok(known(events(out[6])) == (PAGES, 2 * PAGES), "from the middle of a run", out[6])
    out = Gdb("touches", [str(PAGES), "1"]).run(
        "break work", "prof-start --counter=page-faults", "run", "prof-pause", "continue", "prof-stop", VIEW,
        "prof-intervals")
    ok(known(events(out[6])) == (PAGES, 2 * PAGES), "until a pause", out[6])


def test_processes():
    """Attached to, run again, and in what a shell executes."""
    target = subprocess.Popen([program("touches"), "3000"], stdout=subprocess.PIPE, text=True)
    out = Gdb("touches").run("attach %d" % target.pid, "prof-start --counter=page-faults", "continue", "prof-stop", VIEW)
    target.communicate()
    once, twice = known(events(out[4]))
    ok(target.returncode is not None and 0 < once <= 3000 and abs(2 * once - twice) <= 100, "attached to", out[3] + out[4])
    out = Gdb("touches", [str(PAGES)]).run("prof-start --counter=page-faults", "run", "run", "prof-stop", VIEW)
    ok(known(events(out[4])) == (2 * PAGES, 4 * PAGES), "run twice", out[4])
    out = Gdb("/bin/sh", ["-c", program("touches") + " %d; true" % PAGES]).run(
        "set detach-on-fork off", "set schedule-multiple on", "prof-start --counter=page-faults", "run", "prof-stop", VIEW)
    ok(known(events(out[5])) == (PAGES, 2 * PAGES), "a program that another executes", out[3] + out[5])


def test_forbidden():
    """The last one: from here on nothing is permitted."""
    forbid_perf()
    out = Gdb("touches").run("prof-start --counter=page-faults", "prof-status")
    ok(len(out[0].strip().splitlines()) == 1 and "perf_event_open must be allowed" in out[0] and
       "Nothing was recorded" in out[1], "where perf events are forbidden that is said", out[0] + out[1])


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
    ok(len((out[1] + out[2]).strip().splitlines()) == 2 and "Nothing was recorded" in out[3], "and what is none",
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
