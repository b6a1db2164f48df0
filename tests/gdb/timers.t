#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ticks by CPU timers that the threads of a program make for themselves: for ordinary users, to whom the kernel
permits no perf events."""

import os
import re
import signal
import subprocess
import tempfile
import time

from bursts import check_bursts
from session import BUILD, Gdb, again, be_ordinary, forbid_perf, ok, plan, skip_all, total, wait_until

# Of the rate, what a program waits by, and us of work in between.
BURSTS = ((1000, "epoll", 10), (1000, "poll", 20), (200, "read", 50), (1000, "futex", 100), (200, "sleep", 1000))

TOLD = "Ticks come from CPU timers that gdbprof makes in the program."
LATE = "The CPU time of short work between two waits is partly counted for the waits."
START = ["set prof max-stopped 100", "set prof ticks timer", "prof-start --engine=stop --rate=1000"]


def known(pid):
    """The timers that the kernel knows of the process."""
    with open("/proc/%d/timers" % pid, encoding="ascii") as file:
        return len(re.findall(r"^ID:", file.read(), re.M))


def expiries(text):
    """What the program timers has said: expiries of its own, its CPU time, strange signals, timers."""
    found = re.search(r"(\d+) expiries in ([0-9.]+) s, (\d+) strange; (\d+) timers", text)
    return tuple(map(float, found.groups())) if found else (0, 1, -1, -1)


def test_settings():
    """What ticks come from is a setting, and what was chosen is told once, with the reason."""
    out = Gdb("shares", ["300"]).run(
        "prof-start --engine=stop", "run", "prof-stop", "set prof ticks timer", "prof-start --engine=catch",
        "prof-start --engine=stop", "prof-status", "run", "prof-stop", "set prof ticks look",
        "prof-start --engine=stop", "run", "prof-stop")
    ok(TOLD not in out[2] and out[2].count(LATE) == 1 and out[2].count("perf_event_open must be allowed") == 1 and
       out[2].count("Use \"set prof ticks timer\" to count it") == 1, "auto looks, and says what else there is", out[2])
    ok("Only the engine stop can" in out[4] and "records without that" in out[4], "catch refuses them", out[4])
    ok(out[8].count(TOLD) == 1 and "perf_event_open" not in out[8], "who asks for them needs no reason", out[8])
    ok(TOLD not in out[12] and "samples in" in out[12], "look records without", out[12])


def test_sums():
    """Samples times the period are the CPU time, be the rate above the kernel's own or below."""
    for rate in (100, 2000):
        def record(start="prof-start --engine=stop --rate=%d" % rate):
            return Gdb("timers", ["2"]).run(*START[:2], start, "run", "prof-stop", "prof-functions --format=csv")

        def share(out, rate=rate):
            return total(out[5]) / rate / expiries(out[3])[1]

        # A thread has no timer before its first tick, for which gdbprof needs a CPU.
        out = again(record, lambda out, rate=rate, share=share: share(out) > 0.95 - 3 / rate)
        ok(abs(share(out) - 1) < 0.05 + 3 / rate, "samples at %d Hz are its CPU time" % rate, "\n".join(out))


def test_own():
    """A program with timers of its own gets what these send, and nothing else, and keeps them."""
    own, used, strange, timers = expiries("".join(Gdb("timers", ["1"], load=False).run("run")))
    bare = own / used
    out = Gdb("timers", ["2"]).run(*START, "run", "prof-stop")
    own, used, strange, timers = expiries(out[3])
    # The program's own timer, and the one of its only thread.
    ok(abs(own / used / bare - 1) < 0.25 and strange == 0 and timers == 2 and "exited normally" in out[3],
       "a program with timers of its own gets its own signals", "%s\n%s" % (bare, "\n".join(out)))
    ok(TOLD in out[4] and int(re.search(r"(\d+) samples", out[4])[1]) > 100, "and is sampled", out[4])
    out = Gdb("timers", ["1", "fork"]).run("set follow-fork-mode child", *START, "run", "prof-stop")
    ok(out[4].count("exited normally") == 1 and expiries(out[4])[2:] == (0, 2), "so does a child that is followed",
       "\n".join(out))
    out = Gdb("timers", ["1", "fork"]).run(*START, "run", "prof-stop")
    said = [expiries(line) for line in out[3].splitlines() if "expiries" in line]
    ok([line[2:] for line in said] == [(0, 1), (0, 2)], "and one that is not has none of them", "\n".join(out))


def test_blocked():
    """A program that blocks the signal of a timer that is set never sees that."""
    out = Gdb("timers", ["1", "blocks"]).run(*START, "run", "prof-stop")
    ok("exited normally" in out[3] and expiries(out[3])[2] == 0, "a program that blocks the signal gets none",
       "\n".join(out))


def test_caught():
    """A program that begins to catch the signal of a timer that is set sees only its own."""
    out = Gdb("timers", ["1", "catches"]).run(*START, "run", "prof-stop")
    own, _, strange, _ = expiries(out[3])
    # One could be lost that it sends itself while a tick is pending, until gdbprof uses another signal.
    ok("exited normally" in out[3] and own > 90 and strange == 0, "a program that catches the signal gets its own",
       "\n".join(out))


def test_confined():
    """No thread that confines itself is made to call the kernel: it could be killed for that."""
    out = Gdb("timers", ["1", "confined"]).run(*START, "run", "prof-stop")
    ok("exited normally" in out[3] and expiries(out[3])[2] == 0, "a program that confines itself lives", out[3])
    ok("has none, because it filters system calls (seccomp)." in out[4] and LATE in out[4], "which is told", out[4])


# Stops the program, which stands still, when it goes on and has a timer.
AWAIT = """
import gdb, threading, time
def wait(pid):
    end = time.monotonic() + 60
    while "ID:" not in open("/proc/%d/timers" % pid).read() and time.monotonic() < end:
        time.sleep(0.01)
    gdb.post_event(lambda: gdb.execute("interrupt"))
threading.Thread(target=wait, args=(gdb.selected_inferior().pid,), daemon=True).start()
"""
SHOW = "python print(open('/proc/%d/timers' % gdb.selected_inferior().pid).read().count('notify:'), 'known')"


def test_stopped(script):
    """After prof-stop there is none left, and the program goes on; a recording that follows has them again."""
    begin = ["break main", "run", "source " + script]
    # Where a ring of it is pending just then, a timer stays until the program goes on.
    out = again(lambda: Gdb("spin").run(*START, *begin, "continue", SHOW, "prof-stop", SHOW, START[-1],
                                        "source " + script, "continue", SHOW, "prof-stop", SHOW),
                lambda out: "0 known" in out[9] and "0 known" in out[15])
    ok([text.strip() for text in (out[7], out[9], out[13], out[15])] == ["1 known", "0 known"] * 2,
       "prof-stop leaves no timer", "\n".join(out))


def start_spinning():
    """A program that is attached to."""
    def readable():
        try:
            return known(program.pid) == 0
        except PermissionError:  # as long as the kernel has not finished executing it
            return False

    program = subprocess.Popen([os.path.join(BUILD, "tests", "programs", "spin")])
    wait_until(readable)
    return program


def goes_on(pid):
    """Does it run, untraced, and has it no more signals pending than timers that ring once leave?"""
    def ticks():
        with open("/proc/%d/stat" % pid, encoding="ascii") as file:
            return int(file.read().rsplit(")", 1)[1].split()[11])

    before, deadline = ticks(), time.monotonic() + 20
    while time.monotonic() < deadline and ticks() < before + 5:
        time.sleep(0.01)
    return ticks() >= before + 5


def test_detached(script):
    target = start_spinning()
    try:
        out = Gdb().run(*START[:2], "attach %d" % target.pid, START[2], "source " + script, "continue", SHOW,
                        "detach")
        ok("1 known" in out[6] and known(target.pid) == 0 and goes_on(target.pid),
           "detach leaves none, and the program goes on", "\n".join(out))
    finally:
        target.kill()
        target.wait()


def test_killed():
    """GDB is killed while it samples: the program goes on, and its timer rings once at the most."""
    failed = []
    for i in range(8):
        target = start_spinning()
        gdb = subprocess.Popen(
            ["gdb", "-nx", "-q", "-batch", "-x", os.path.join("gdbscripts", "prof.py"), "-ex", "set prof ticks timer",
             "-ex", "attach %d" % target.pid, "-ex", "prof-start --engine=stop --rate=1000", "-ex", "continue"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not known(target.pid) and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(0.0137 * i)
        gdb.send_signal(signal.SIGKILL)
        gdb.wait()
        if not goes_on(target.pid):
            failed.append(i)
        target.kill()
        target.wait()
    ok(not failed, "a program whose GDB is killed goes on", failed)


if os.uname().machine != "x86_64":
    skip_all("threads have no CPU timers on this machine")
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
plan(2 * len(BURSTS) + 4 + 2 + 4 + 1 + 1 + 2 + 1 + 1 + 1)
be_ordinary()
forbid_perf()
for rate_, kind_, span_ in BURSTS:
    check_bursts("stop", rate_, kind_, span_, START[1], weight=max(1, rate_ / 200))
test_settings()
test_sums()
test_own()
test_blocked()
test_caught()
test_confined()
with tempfile.NamedTemporaryFile("w", suffix=".py") as file_:
    file_.write(AWAIT)
    file_.flush()
    test_stopped(file_.name)
    test_detached(file_.name)
test_killed()
