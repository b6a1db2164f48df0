#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No recording, attach and detach, kill, run again, Ctrl-C: one answer each, all goes on."""

import os
import re
import signal
import subprocess
import tempfile

from answers import cpu_jiffies, says, size, state, status
from session import LOADER, Gdb, again, engines, ok, plan, program, total, wait_until

# Without anything recorded: commands, and what their answers must hold.
NOTHING = [
    ("prof-stop", "prof-start"), ("prof-pause", "prof-start"), ("prof-resume", "prof-start"),
    ("prof-mark", "prof-start"), ("prof-status", "prof-start"), ("info prof", "prof-start"),
    ("prof-tree", "prof-start", "prof-load"), ("prof-functions", "prof-start", "prof-load"),
    ("prof-callers", "prof-start", "prof-load"), ("prof-gprof", "prof-start", "prof-load"),
    ("prof-flame", "prof-start", "prof-load"), ("prof-phases", "prof-start", "prof-load"),
    ("prof-save x", "prof-start", "prof-load"), ("prof-export x", "prof-start", "prof-load"),
]


def test_nothing():
    out = Gdb().run(*(row[0] for row in NOTHING))
    for row, answer in zip(NOTHING, out):
        # prof-status goes on with what there could be.
        ok(says(answer.strip().split("\n")[0], *row[1:]), row[0] + " without a recording", answer)


def marks(text):
    found = re.search(r"(\d+) marks?\.", text)
    return int(found.group(1)) if found else -1


def test_again():
    """All that can be done to a program while it is recorded, in one session."""
    with open("small", "w") as file:
        file.write("main;work 5\n")
    out = again(lambda: Gdb("shares", args=["200"]).run(
        "set prof max-stopped 100", "break plain", "ignore 1 100", "prof-start --rate=1000", "run", "prof-start", "prof-load small", "prof-status",
        "prof-pause", "prof-pause", "prof-status", "prof-resume", "prof-resume", "prof-status",
        "run", "prof-functions --format=csv", "disable", "kill", "prof-status", "delete", "run",
        "prof-functions --format=csv", "prof-mark", "prof-mark a  label", "prof-stop", "info line",
        "prof-functions --format=csv", "run", "prof-status")[2:], lambda out: 0 < total(out[13]) < total(out[19]))
    ok(says(out[3], "already", "prof-stop"), "prof-start twice", out[3])
    ok(says(out[4], "prof-stop"), "prof-load while recording", out[4])
    ok("the program stands still" in out[5], "both change nothing", out[5])
    ok("is paused:" in out[6] and "paused already" in out[7] and "paused" in out[8] and
       marks(out[8]) == marks(out[5]) + 1, "prof-pause twice is once", out[8])
    ok("goes on" in out[9] and "not paused" in out[10] and "stands still" in out[11] and
       marks(out[11]) == marks(out[8]) + 1, "prof-resume twice is once", out[11])
    ok("Breakpoint 1, plain" in out[12] and total(out[13]) > 0, "run while recording", out[12])
    ok("killed" in out[15] and "waiting for a program to run" in out[16], "kill while recording",
       out[16])
    ok("exited normally" in out[18] and total(out[19]) > total(out[13]), "delete, and run again",
       out[18])
    ok("Rate" in out[22] and total(out[24]) == total(out[19]), "prof-stop at the end", out[22])
    ok("exited normally" in out[25] and "Nothing is being recorded" in out[26],
       "the next run is not recorded", out[26])


def spin():
    """A program that computes until it is killed."""
    return subprocess.Popen([program("spin")], stdin=subprocess.DEVNULL)


def goes_on(pid):
    """Is the process PID on its own, and does it get on?"""
    before = cpu_jiffies(pid)
    return (wait_until(lambda: cpu_jiffies(pid) > before + 5) and state(pid) in ("R", "S") and
            status(pid, "TracerPid") == "0" and
            all(int(status(pid, field), 16) == 0 for field in ("SigPnd", "ShdPnd")))


def interrupt(began, *commands):
    """Execute COMMANDS; send GDB SIGINT once BEGAN (its process id).  Returns what it printed."""
    gdb = subprocess.Popen(
        Gdb().command("-batch", *(word for command in commands for word in ("-ex", command))),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=dict(os.environ, DEBUGINFOD_URLS=""), start_new_session=True)
    late = "" if wait_until(lambda: began(gdb.pid)) else "<<did not begin>>\n"
    gdb.send_signal(signal.SIGINT)
    try:
        text = gdb.communicate(timeout=300)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        gdb.kill()
        text = "<<not interrupted>>\n" + gdb.communicate()[0].decode(errors="replace")
    return late + text


def test_attach(engine):
    target = spin()
    path = "attached-" + engine
    text = interrupt(lambda _: size(path) > 60000, "attach %d" % target.pid, "set prof max-stopped 100",
                     "prof-start --rate=500 --engine=%s --output=%s" % (engine, path), "continue",
                     "prof-status", "detach", "prof-status", "prof-stop",
                     "prof-functions --format=csv")
    ok("SIGINT" in text and "the program stands still" in text, engine + ": Ctrl-C while it runs",
       text)
    ok("detached" in text and "waiting for a program to run" in text, engine + ": detach", text)
    ok(total(text) > 0, engine + ": what was recorded is there", text)
    ok(goes_on(target.pid), engine + ": the program goes on, and no signal is left",
       state(target.pid))
    # Recording does not end before GDB does; that is no reason to hold the program back.
    text = interrupt(lambda _: size(path + "2") > 60000, "attach %d" % target.pid, "set prof max-stopped 100",
                     "prof-start --rate=500 --engine=%s --output=%s2" % (engine, path), "continue")
    ok("SIGINT" in text, engine + ": GDB ends while recording", text)
    ok(goes_on(target.pid), engine + ": and the program goes on", state(target.pid))
    target.kill()
    target.wait()
    out = Gdb().run("prof-load %s2" % path, "prof-functions --format=csv")
    ok(total(out[1]) > 0, engine + ": what was recorded is in the file", "\n".join(out))


def holes(path):
    """A folded file that takes minutes to read, and no room on the disk."""
    with open(path, "wb") as file:
        file.write(b"main;work 5\n")
        for _ in range(4000):
            file.write(b"#")
            file.seek(4 << 20, os.SEEK_CUR)
            file.write(b"\n")


def reading(pid, path):
    """Is the process PID somewhere in the file PATH?"""
    try:
        for fd in os.listdir("/proc/%d/fd" % pid):
            if os.readlink("/proc/%d/fd/%s" % (pid, fd)) == os.path.realpath(path):
                with open("/proc/%d/fdinfo/%s" % (pid, fd)) as file:
                    return int(file.readline().split()[1]) > 16 << 20
    except OSError:
        pass
    return False


def test_interrupt():
    holes("holes")
    text = interrupt(lambda pid: reading(pid, "holes"), "prof-load small", "prof-load holes",
                     "prof-functions --format=csv")
    ok("Quit" in text and "<<" not in text and "Python" not in text, "Ctrl-C ends long work", text)
    ok(total(text) == 5, "and what was there stays", text)


def test_end():
    """GDB ends before it has done what was posted: GDB 13.1 crashes then, by itself."""
    gdb = Gdb("phases", ["10"])
    run = subprocess.run(gdb.command("-batch", "-ex", "prof-start --engine=catch", "-ex", "start", "-ex", "delete"),
                         env=gdb.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    ok(run.returncode == 0 and "Fatal" not in run.stdout and "Temporary breakpoint" in run.stdout,
       "GDB ends as ever with something left to do", "%d: %s" % (run.returncode, run.stdout))


ENGINES = engines()
plan(len(NOTHING) + 10 + 7 * len(ENGINES) + 2 + 1)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    test_nothing()
    test_again()
    for name in ENGINES:
        test_attach(name)
    test_interrupt()
    test_end()
    os.chdir("/")
