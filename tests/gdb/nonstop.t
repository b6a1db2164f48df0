#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands while the program runs: in the background, and in non-stop mode thread by thread."""

import re

from answers import cpu_jiffies
from dialog import Dialog
from session import Gdb, hides_catchpoints, ok, plan, rows, skip, uncalled, wait_until

VIEW = "prof-functions --format=csv --limit=0"


def samples(text, metric="inclusive"):
    """The METRIC of each function in TEXT."""
    return {row["name"]: float(row[metric]) for row in rows(text) if row[metric]}


def count(text):
    """The samples that a summary tells of."""
    found = re.search(r"(\d+) samples?", text)
    return int(found.group(1)) if found else -1


def more_than(number):
    return lambda text: count(text) > number


def test_background(engine, masked):
    """All-stop mode: the program goes on while commands are given."""
    what = "%s%s, background: " % (engine, ", masked" * masked)
    gdb = Dialog("leaving", ["spin"], masked=masked)
    gdb.say("set prof max-stopped 100")
    gdb.say("prof-start --rate=500 --engine=" + engine)
    gdb.say("run > /dev/null &")
    text = gdb.ask(more_than(100), "prof-status")
    ok("the program runs" in text and count(text) > 100, what + "prof-status", text)
    first = samples(gdb.ask(lambda text: samples(text).get("burner", 0) > 20, VIEW))
    ok(first.get("burner", 0) > 20, what + "prof-functions", first)
    gdb.say("prof-pause")
    process = int(re.search(r"process (\d+)", gdb.say("info inferiors")).group(1))
    again = ""
    # Of each thread a tick may have been under way, which is several samples if it comes late.
    for _ in range(10):
        paused, end = count(again), cpu_jiffies(process) + 10
        went_on = wait_until(lambda end=end: cpu_jiffies(process) > end)
        again = gdb.say("prof-status")
        if count(again) == paused:
            break
    ok("paused" in again and went_on and count(again) == paused, what + "prof-pause", again)
    gdb.say("prof-resume")
    text = gdb.ask(more_than(paused + 50), "prof-status")
    ok(count(text) > paused + 50 and "the program runs" in text, what + "prof-resume", text)
    gdb.say("interrupt")
    ok(gdb.wait("SIGINT") == "SIGINT" and "stands still" in gdb.say("prof-status"),
       what + "interrupt", gdb.text)
    gdb.say("continue &")
    before = count(gdb.say("prof-status"))
    gdb.ask(more_than(before + 50), "prof-status")
    text = gdb.say("prof-stop")
    ok(count(text) > before + 50 and "Rate" in text, what + "prof-stop", text)
    text = gdb.say("prof-start --rate=500 --engine=" + engine)
    after = gdb.ask(more_than(50), "prof-status")
    ok(count(after) > 50 and "the program runs" in after, what + "prof-start", text + after)
    gdb.say("kill")
    text = gdb.say("prof-status")
    ok("waiting for a program" in text and "error" not in gdb.text.lower(), what + "kill", gdb.text)
    ok(gdb.end("prof-stop") == 0 and "SIGSTOP" not in gdb.text, what + "GDB ends as ever", gdb.text)


def test_nonstop(engine, masked):
    """One thread stands at a breakpoint, the others go on."""
    what = "%s%s, non-stop: " % (engine, ", masked" * masked)
    gdb = Dialog("leaving", ["spin"], masked=masked)
    for command in ("set non-stop on", "set prof max-stopped 100", "break before",
                    "prof-start --rate=500 --engine=" + engine, "run > /dev/null &"):
        gdb.say(command)
    gdb.wait(r"hit Breakpoint \d+, before|Breakpoint \d+, before")
    text = gdb.ask(more_than(300), "prof-status")
    ok("the program runs" in text and count(text) > 300, what + "the others are sampled", text)

    def is_still(wall):
        """Four threads burn: by the time the one that stands still had no more than it had at first."""
        return wall.get("burner", 0) > 5 * wall.get("main", 0)

    wall = samples(gdb.ask(lambda text: is_still(samples(text)), VIEW + " --metric=wall"))
    ok(is_still(wall), what + "who stands still takes no time",
       wall)
    threads = gdb.say("info threads")
    ok(threads.count("(running)") == 4 and "before ()" in threads, what + "no thread is disturbed",
       threads)
    text = gdb.say("finish")
    ok("Run till exit" in text, what + "finish in one thread", text)
    gdb.wait("main \\(argc")
    gdb.say("delete 1" if hides_catchpoints() else "delete")
    gdb.say("continue -a &")
    # Those before the delete count not: it takes an engine's catchpoint too.
    enough = samples(gdb.say(VIEW)).get("before", 0) + 20
    found = samples(gdb.ask(lambda text: samples(text).get("before", 0) > enough, VIEW))
    ok(found.get("before", 0) > enough, what + "going on, it is sampled", found)
    gdb.say("interrupt -a")
    text = gdb.ask(lambda text: "stands still" in text, "prof-status")
    ok("stands still" in text and "(running)" not in gdb.say("info threads"),
       what + "interrupt -a", text)
    before = count(text)
    gdb.say("thread 2")
    gdb.say("continue &")
    text = gdb.ask(more_than(before + 50), "prof-status")
    ok(gdb.say("info threads").count("(running)") == 1 and count(text) > before + 50,
       what + "one thread alone goes on", text)
    text = gdb.say("prof-stop")
    ok(count(text) > before + 50, what + "prof-stop", text)
    gdb.say("kill")
    ok(gdb.end() == 0 and not re.search("internal-error|SIGSTOP", gdb.text), what + "GDB ends as ever", gdb.text)


def test_unseen():
    """In this mode the engine catch cannot sample threads that block its signals, and says so."""
    out = Gdb("masked", ["turns", "1", "4000"]).run(
        "set non-stop on", "set prof max-stopped 100", "prof-start --rate=500 --engine=catch", "run", "prof-stop")
    ok("exited normally" in out[3] and "block the tick's signals had" in out[4],
       "catch, masked, non-stop: what is not sampled is said", "\n".join(out))


def test_call(mode):
    """A program that GDB has had call a function stands still afterwards, and no time passes."""
    what = "a call, non-stop %s: " % mode
    if why := uncalled():
        skip(1, what + "the program stands still", why)
        return
    out = Gdb("counted", ["1"]).run(
        "set non-stop " + mode, "break second", "prof-start --engine=stop", "run", "print (void) leaf(1)", "prof-status",
        "shell sleep 0.3", "prof-status")
    times = [re.search(r"samples? in ([0-9.]+) s", text) for text in (out[5], out[7])]
    ok("stands still" in out[5] and all(times) and times[0][1] == times[1][1], what + "the program stands still",
       "\n".join(out))


plan(4 * 9 + 3 * 9 + 1 + 2)
for name, by_sigstop in ("stop", False), ("stop", True), ("catch", False):
    test_background(name, by_sigstop)
    test_nonstop(name, by_sigstop)
test_background("catch", True)
test_unseen()
test_call("off")
test_call("on")
