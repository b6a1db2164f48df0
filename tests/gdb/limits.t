#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The limits of a recording: it ends in time, and stays within its size; and numbered files."""

import json
import os
import tempfile

from answers import says
from remote import gdbserver
from session import Gdb, lacking, ok, plan, program, rows, skip

UNTIL = "source %s/until.py" % os.path.dirname(os.path.abspath(__file__))
ENDED = 'python until(lambda: "Nothing is being recorded" in say("prof-status"))'
OVER = 'python until(lambda: "after the time" in say("prof-status"))'
FULL = 'python until(lambda: "reached its size limit" in say("prof-status") and beyond() > 3)'
BEYOND = "python beyond = lambda: say('prof-intervals --format=csv').partition('limit')[2].count('periodic')"
LIST = "prof-intervals --format=csv"
THREADS = 4  # that compute


def running(text):
    """The seconds that the program ran while it was recorded, and the labels of its marks."""
    table = rows(text)
    return (sum(float(row["duration"]) for row in table), [row["end_label"] for row in table])


def test_time():
    """What is recorded ends in time, in the middle of what the program does."""
    out = Gdb("busy", ["2"]).run(
        UNTIL, "prof-start --rate=200 --for=300ms", ENDED, "run", "prof-status", "prof-stop", LIST,
        "maint info breakpoints", "print 1 + 1",
        "prof-start --rate=200", "with prof mark-stops off -- info prof", "prof-stop")
    seconds, labels = running(out[6])
    ok("SIGINT" in out[3] and "gdbprof" not in out[3] and "prof" not in out[3].replace("gdbprof", ""),
       "the program goes on, and nothing is printed", out[3])
    ok("after the time that --for sets" in out[4] and says(out[5], "Nothing is being recorded"),
       "the recording ends, and prof-status says why", out[4] + out[5])
    ok(labels[-1:] == ["end"] and seconds >= 0.3, "it has what was recorded until then", out[6])
    ok("gdbprof" not in out[7] and out[8].strip() == "$1 = 2", "nothing of it is left", out[7])
    ok("--for" not in out[10] and "Recording: " in out[10], "the next recording has no such limit",
       out[10])


def test_standing():
    """Only time counts that the program runs."""
    out = Gdb("shares").run("break main", "prof-start --for=1000s", "run", "python import time; time.sleep(0.2)",
                            "prof-status", "prof-stop")
    ok("the program stands still" in out[4] and " sample" in out[5],
       "a recording goes on as long as it has time", out[4] + out[5])


def test_traced():
    """It ends with all that was set up for it: counted calls, the agent, the catchpoint."""
    out = Gdb("busy", ["2"]).run(
        "set prof count-limit 100", "break main", "run", UNTIL, "prof-start --for=50ms --heap --sync "
        "--mark-signal=USR2 --count=compute", ENDED, "continue", "prof-status", "info breakpoints",
        "info signals SIGUSR2", "prof-stop")
    ok("SIGINT" in out[6] and "after the time" in out[7], "a program that is traced goes on", out[4:8])
    ok("SIGUSR2       Yes" in out[9] and "catch" not in out[8], "and GDB is as it was", out[8] + out[9])


def test_remote():
    """A target that GDB has to interrupt for each sample."""
    name = "a remote program goes on when the time is over"
    why = lacking("gdbserver")
    if why:
        skip(1, name, why)
        return
    with gdbserver(program("busy"), "2") as server:
        out = Gdb("busy").run("set sysroot /", "target remote " + server.address, UNTIL,
                              "prof-start --rate=20 --for=300ms", OVER, "continue", "prof-status",
                              "maint info breakpoints", LIST)
    ok("SIGINT" in out[5] and "Nothing is being recorded" in out[6] and "after the time" in out[6] and
       "gdbprof" not in out[7] and "time is over" in out[8], name, out)


def ticks_behind(label, path):
    """How many samples the JSON in the file PATH has behind the mark LABEL, whatever they stand for."""
    with open(path, encoding="ascii") as file:
        data = json.load(file)
    mark = next(mark["time"] for mark in data["marks"] if mark["label"] == label)
    return sum(one["time"] > mark and bool(one.get("samples")) for one in data["samples"])


def test_size(folder, file):
    """What is recorded has a bound, which marks may exceed."""
    dump = os.path.join(folder, "dump.json")
    start = "prof-start --rate=1000 --clock=wall --mark-period=20ms" + (" --output=" + file if file else "")
    out = Gdb("busy", [str(THREADS)]).run(
        "set prof limit 0.3", UNTIL, BEYOND, FULL, start, "run", "prof-resume", "prof-status",
        LIST, "prof-functions --format=csv", "prof-pause", "prof-resume", "prof-stop", "prof-export --format=json " + dump)
    _, labels = running(out[8])
    at = labels.index("limit") if "limit" in labels else len(labels)
    after = rows(out[8])[at + 1:]
    shown = out[8][-2000:]
    ok(after and labels[at:].count("periodic") >= 3, "marks are made beyond the limit", shown)
    # A tick may have been under way for each thread, and stand for several samples.
    ok(ticks_behind("limit", dump) <= THREADS, "and nothing else", shown)
    ok("gdbprof records only marks" in out[7] and says(out[6], "gdbprof records only marks") and
       says(out[11], "gdbprof records only marks"), "prof-status and prof-resume say so", out[6:8] + out[11:12])
    ok("samples in" in out[12] and "compute" in out[9], "what was recorded before is there", out[12])
    if file:
        size = os.path.getsize(file)
        ok(300000 <= size < 4 << 20, "the file is about as large as it may be", size)


def test_store(folder):
    """Numbered files."""
    os.mkdir(os.path.join(folder, "kept"))
    kept = os.path.join(folder, "kept")
    out = Gdb("shares").run("set prof store " + kept, "prof-start", "prof-stop", "prof-start", "prof-stop",
                            "prof-start --output=%s/mine" % folder, "prof-stop",
                            "set prof store %s/none" % folder, "prof-start", "prof-status",
                            "set prof store", "prof-start", "prof-stop")
    ok(sorted(os.listdir(kept)) == ["shares.1", "shares.2"] and "kept/shares.2." in out[3] and
       os.path.exists(os.path.join(folder, "mine")), "recordings are numbered", out)
    ok(says(out[8], "none", "No such file") and "Nothing is being" in out[9] and "into" not in out[11],
       "the folder must be there", out[8:])
    out = Gdb().run("set prof store " + kept, "prof-start", "prof-stop",
                    "python import os; os.environ['HOME'] = %r" % folder,
                    "with prof store ~/kept -- prof-start", "prof-stop")
    ok("kept/prof.1." in out[1] and "kept/prof.2." in out[4], "without a program they have a name too", out)
    out = Gdb().run("prof-load %s/shares.1" % kept, LIST)
    ok(running(out[1])[1] == ["end"], "they are experiments", out)


def test_small_files():
    """A program whose files must be small is traced, or runs on if not even that is possible."""
    for limit in "-S", "":
        out = Gdb("mt").run("set exec-wrapper sh -c 'ulimit %s -f 64; exec \"$0\" \"$@\"'" % limit,
                            "prof-start --heap", "run", "prof-stop")
        ok("exited normally" in out[2] and "SIGXFSZ" not in out[2], "the program ends as it would", out[2])
        ok(("Traced: the heap" if limit else "cannot create its ring: File too large") in out[3],
           "its heap is traced, or the reason is shown", out[3])


WRONG = [("prof-start --for=x", '"x"', "length of a recording"), ("prof-start --for=0", '"0"', "1 ms"),
         ("prof-start --for=", '""'), ("set prof limit 0", '"0"', "unlimited"),
         ("set prof limit 5kB", '"5kB"', "MB"), ("set prof limit nan", '"nan"')]


def test_wrong():
    out = Gdb("shares").run(*(row[0] for row in WRONG), "show prof limit", "show prof store",
                            "set prof limit none", "show prof limit")
    for row, answer in zip(WRONG, out):
        ok(says(answer, *row[1:]), row[0], answer)
    ok("samples is unlimited" in out[-4] and 'is ""' in out[-3] and "none" in out[-1], "settings are shown", out)


plan(5 + 1 + 2 + 1 + 4 + 5 + 4 + 4 + len(WRONG) + 1)
test_time()
test_standing()
test_traced()
test_remote()
with tempfile.TemporaryDirectory() as scratch:
    test_size(scratch, None)
    test_size(scratch, os.path.join(scratch, "full"))
with tempfile.TemporaryDirectory() as scratch:
    test_store(scratch)
test_small_files()
test_wrong()
