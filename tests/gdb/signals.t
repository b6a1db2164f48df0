#!/usr/bin/python3
"""Programs that live by signals, or have a sampler of their own, run as they do without gdbprof."""

import os
import re
import shutil
import subprocess
import tempfile

from session import Gdb, near, ok, plan, program, rows

# What signals prints; real-time signals would stop in GDB.
WAYS = {
    "queue": "1000 received, 0 out of order",
    "wait": "1000 received, 0 out of order",
    "file": "1000 received, 0 out of order",
    "urgent": "1000 received, 0 of them from others",
}
QUIET = ["set print thread-events off", "handle SIG34 SIG35 nostop noprint pass"]
START = ["set prof max-stopped 100", "prof-start --rate=1000"]


def samples(text):
    found = re.search(r"^(\d+) samples", text, re.M)
    return int(found[1]) if found else 0


def shares(text):
    """The inclusive shares of functions, in percent."""
    return {row["name"]: float(row["inclusive_percent"]) for row in rows(text)}


def test_way(way, wanted):
    run, stop = Gdb("signals", [way]).run(*QUIET, *START, "run", "prof-stop")[-2:]
    ok(wanted in run and "exited normally" in run, "signals %s: all arrive" % way, run)
    ok(samples(stop), "signals %s: it is sampled" % way, stop)


def test_timer(way):
    """A sampler of the program's own: it has as many ticks as its CPU time gives."""
    run, stop = Gdb("signals", [way]).run(*QUIET, *START, "run", "prof-stop")[-2:]
    found = re.search(r"([0-9.]+) s by ticks, ([0-9.]+) s in all", run)
    ok(found and abs(float(found[1]) / float(found[2]) - 1) < 0.3,
       "signals %s: ticks as its CPU time gives" % way, run)
    ok(samples(stop) > 100, "signals %s: it is sampled" % way, stop)


def test_masked():
    """A thread that blocks all signals and waits for them: it gets none of ours."""
    run, stop, table = Gdb("signals", ["masked"]).run(
        *QUIET, *START, "run", "prof-stop", "prof-functions --metric=cpu --format=csv")[-3:]
    ok("\n0 strangers;" in run and "exited normally" in run,
       "signals masked: no signal comes that nobody has sent", run)
    masked = re.search(r"masked for ([0-9.]+) s", run)
    told = re.search(r"block the sampling's signal had ([0-9.]+) s of CPU time", stop)
    ok(masked and told and abs(float(told[1]) - float(masked[1])) < 0.25 * float(masked[1]),
       "signals masked: prof-status says how much could not be sampled", run + stop)
    used = re.search(r"([0-9.]+) s in all", run)
    found = float(rows(table)[0]["inclusive"]) if rows(table) else 0
    ok(used and abs(found - float(used[1])) < 0.05 * float(used[1]) + 0.02,
       "signals masked: its CPU time is counted", run + table)


def test_pg():
    """gprof's profile of a program that is sampled meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        run, _, table = Gdb("shares-pg", ["1000"]).run(
            "cd " + folder, *START, "run", "prof-stop", "prof-functions --format=csv")[-3:]
        ok("exited normally" in run, "a program built with -pg ends as ever", run)
        found = shares(table)
        total = float(rows(table)[0]["inclusive"]) if found else 0
        ok(total > 100 and near(found.get("recurse", 0), 50, total) and
           near(found.get("even", 0), 30, total), "and is sampled", table)
        try:
            text = subprocess.run(
                ["gprof", "-b", "-p", program("shares-pg"), os.path.join(folder, "gmon.out")],
                check=True, capture_output=True, text=True).stdout
        except subprocess.CalledProcessError as error:
            text = error.stderr
        # Percent, seconds in all, seconds of its own, calls.
        unit = re.search(r"^ *([0-9.]+) +[0-9.]+ +([0-9.]+) +(\d+) .* unit$", text, re.M)
        ok(unit and float(unit[1]) > 90 and float(unit[2]) > 0.1 and unit[3] == "100000",
           "and its own profile is right", text)


def test_asan():
    """LeakSanitizer itself refuses to work in a debugger."""
    run, _, table = Gdb("shares-asan", ["1000"], env={"ASAN_OPTIONS": "detect_leaks=0"}).run(
        *START, "run", "prof-stop", "prof-functions --format=csv")[-3:]
    ok("exited normally" in run and "Sanitizer" not in run,
       "under AddressSanitizer: no report", run)
    found = shares(table)
    total = float(rows(table)[0]["inclusive"]) if found else 0
    ok(total > 100 and near(found.get("recurse", 0), 50, total) and
       near(found.get("even", 0), 30, total), "under AddressSanitizer: it is sampled", table)


def test_go():
    if not shutil.which("go"):
        for _ in range(2):
            ok(True, "Go # SKIP there is no go")
        return
    plain = Gdb("preempt").run("run")[0]
    wanted = re.search(r"^10 turns, \d+$", plain, re.M)
    run, _, table = Gdb("preempt").run(
        *START, "run", "prof-stop", "prof-functions --format=csv")[-3:]
    ok(wanted and wanted[0] in run and "exited normally" in run,
       "Go: goroutines that compute are interrupted, and the result is the same", plain + run)
    ok(shares(table).get("main.endless", 0) > 30, "Go: it is sampled", table)


if __name__ == "__main__":
    plan(2 * len(WAYS) + 2 * 2 + 3 + 3 + 2 + 2)
    for name, line in WAYS.items():
        test_way(name, line)
    test_timer("profile")
    test_timer("timer")
    test_masked()
    test_pg()
    test_asan()
    test_go()
