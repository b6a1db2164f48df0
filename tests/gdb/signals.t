#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that live by signals, or have a sampler of their own, run as they do without gdbprof."""

import os
import re
import subprocess
import tempfile

from session import Gdb, grown, lacking, near, ok, plan, program, rows, skip, unseen

# What signals prints; real-time signals would stop in GDB.
WAYS = {
    "queue": "1000 received, 0 out of order",
    "wait": "1000 received, 0 out of order",
    "file": "1000 received, 0 out of order",
    "urgent": "1000 received, 0 of them from others",
}
# One tick may be on its way as a thread blocks all signals: see the gap in doc/explanation/engine-stop.md.
STRANGERS = 1

QUIET = ["set print thread-events off", "handle SIG34 SIG35 nostop noprint pass"]
START = ["set prof max-stopped 100", "prof-start --rate=1000 --engine=stop"]
CATCH = START[:1] + [START[1] + " --engine=catch"]


def samples(text):
    found = re.search(r"^(\d+) samples", text, re.M)
    return int(found[1]) if found else 0


def shares(text):
    """The inclusive shares of functions, in percent."""
    return {row["name"]: float(row["inclusive_percent"]) for row in rows(text)}


def test_way(way, wanted, start=START):
    what = "signals %s, %s" % (way, start[-1])
    # On a busy machine it may be over before GDB has its CPU.
    run, stop = grown(lambda _: Gdb("signals", [way]).run(
        *QUIET, *start, "run", "prof-stop")[-2:], lambda out: samples(out[1]), 1)
    ok(wanted in run and "exited normally" in run, what + ": all arrive", run)
    ok(samples(stop), what + ": it is sampled", stop)


def test_own(start):
    """SIGURG that the program sends itself, whatever it does with it: it shows as the user has said,
    and so it is once prof-stop has been."""
    script = "import os, signal; [os.kill(os.getpid(), signal.SIGURG) for i in range(3)]"
    for handle, stops in (("stop print", 3), ("nostop noprint", 0)):
        for late in False, True:
            begin = ["handle SIGURG %s pass" % handle, start]
            if late:
                begin.reverse()
            out = Gdb("/usr/bin/python3", ["-S", "-c", script]).run(
                *begin, "run", *["continue"] * 3, "prof-stop", "info signals SIGURG")
            text = "".join(out[2:6])
            ok(text.count("signal SIGURG") == stops and "exited normally" in text,
               "a program that sends itself SIGURG, " + ", ".join(begin), text)
            ok(re.search(r"SIGURG\s+%s\s+Yes" % (r"Yes\s+Yes" if stops else r"No\s+No"), out[7]),
               "which stays as it was", out[7])


def test_passed(start):
    """What `handle` says of stops while it is recorded does not change what is passed on."""
    script = ("import os, signal\ngot = []\nsignal.signal(signal.SIGURG, lambda *_: got.append(1))\n"
              "for i in range(3): os.kill(os.getpid(), signal.SIGURG)\nprint('got', len(got), flush=True)")
    out = Gdb("/usr/bin/python3", ["-S", "-c", "exec(%r)" % script]).run(
        start, "handle SIGURG stop print", "run", *["continue"] * 3, "prof-stop", "info signals SIGURG")
    text = "".join(out[2:6])
    ok(text.count("signal SIGURG") == 3 and "got 3" in text,
       "a SIGURG that the program waits for comes, " + start, text)
    ok(re.search(r"SIGURG\s+Yes\s+Yes\s+Yes", out[7]), "and is handled afterwards as the user has said", out[7])


def test_timer(way, start=START):
    """A sampler of the program's own: it has as many ticks as its CPU time gives.  The kernel looks for
    those that are due every few ms: on a busy machine it finds two at once, now and then."""
    for _ in range(4):
        run, stop = Gdb("signals", [way]).run(*QUIET, *start, "run", "prof-stop")[-2:]
        found = re.search(r"([0-9.]+) s by ticks, ([0-9.]+) s in all", run)
        good = found and abs(float(found[1]) / float(found[2]) - 1) < 0.3
        if good:
            break
    ok(good, "signals %s, %s: ticks as its CPU time gives" % (way, start[-1]), run)
    ok(samples(stop) > 100, "signals %s, %s: it is sampled" % (way, start[-1]), stop)


def test_masked():
    """A thread that blocks all signals and waits for them: it is sampled, and gets none of ours."""
    def said(run):
        found = re.search(r"masked for ([0-9.]+) s", run)
        return float(found[1]) if found else 0

    run, stop, table = grown(lambda times: Gdb("signals", ["masked", str(times)]).run(
        *QUIET, *START, "run", "prof-stop", "prof-functions --metric=samples,cpu --format=csv")[-3:],
                             lambda out: said(out[0]) > 0.2 and unseen(out[1]) < 0.5 * said(out[0]),
                             200)
    strangers = re.search(r"^(\d+) strangers;", run, re.M)
    ok(strangers and int(strangers[1]) <= STRANGERS and "exited normally" in run,
       "signals masked: no signal comes that nobody has sent", run)
    masked = said(run)
    used = re.search(r"([0-9.]+) s in all", run)
    functions = {row["name"]: row for row in rows(table)}
    found = float(functions["<Total>"]["cpu_inclusive"]) if functions else 0
    sampled = float(functions["<Total>"]["samples_inclusive"]) if functions else 0
    ok(used and abs(found - float(used[1])) < 0.05 * float(used[1]) + 0.02,
       "signals masked: its CPU time is counted", run + table)
    seen = functions.get("work_masked", {"samples_inclusive": 0, "cpu_inclusive": 0})
    # It sleeps all the time, so that it gets a CPU before who looks at it, if all are busy: it has
    # fewer samples for its time then.
    ok(abs(float(seen["cpu_inclusive"]) - masked) < 0.05 * masked + 0.02 and
       float(seen["samples_inclusive"]) > 0.3 * masked / float(used[1]) * sampled and "block" not in stop,
       "signals masked: it is sampled, and has the CPU time that it has had", run + stop + table)


def test_pg():
    """gprof's profile of a program that is sampled meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        run, _, table = Gdb("shares-pg", ["300"]).run(
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
        ok(unit and float(unit[1]) > 90 and float(unit[2]) > 0.1 and unit[3] == "30000",
           "and its own profile is right", text)


def test_asan():
    """LeakSanitizer itself refuses to work in a debugger."""
    run, _, table = Gdb("shares-asan", ["200"], env={"ASAN_OPTIONS": "detect_leaks=0"}).run(
        *START, "run", "prof-stop", "prof-functions --format=csv")[-3:]
    ok("exited normally" in run and "Sanitizer" not in run,
       "under AddressSanitizer: no report", run)
    found = shares(table)
    total = float(rows(table)[0]["inclusive"]) if found else 0
    ok(total > 100 and near(found.get("recurse", 0), 50, total) and
       near(found.get("even", 0), 30, total), "under AddressSanitizer: it is sampled", table)


def test_go(start):
    why = lacking("go")
    if why:
        skip(2, "Go", why)
        return
    plain = subprocess.run([program("preempt")], capture_output=True, text=True).stdout
    wanted = re.search(r"^4 turns, \d+$", plain, re.M)
    run, _, table = Gdb("preempt").run(
        *start, "run", "prof-stop", "prof-functions --format=csv")[-3:]
    ok(wanted and wanted[0] in run and "exited normally" in run,
       "Go, %s: goroutines that compute are interrupted, and the result is the same" % start[-1], plain + run)
    ok(shares(table).get("main.endless", 0) > 30, "Go, %s: it is sampled" % start[-1], table)


if __name__ == "__main__":
    plan(2 * 2 * len(WAYS) + 8 + 2 + 3 * 2 + 3 + 3 + 2 + 2 * 2)
    for name, line in WAYS.items():
        test_way(name, line)
        test_way(name, line, CATCH)
    test_own(CATCH[-1])
    test_passed(CATCH[-1])
    test_timer("profile")
    test_timer("profile", CATCH)
    test_timer("timer")
    test_masked()
    test_pg()
    test_asan()
    test_go(START)
    test_go(CATCH)
