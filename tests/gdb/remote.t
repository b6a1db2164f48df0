#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine interrupt with gdbserver: samples, and every stop is as without it."""

import difflib
import os
import re
import signal
import subprocess

from answers import cpu_jiffies, has_catchpoint, says, state, status
from remote import QUIET, Terminal, check_shares, gdbserver
from session import Gdb, grown, near, ok, plan, program, require, rows, stopped, total, unwatched, wait_until

# What a user does.  No stepi, which a tick may end before the thread has moved.
STEPS = ["break plain", "continue", "backtrace", "finish", "next", "next", "advance odd",
         "backtrace", "info breakpoints", "up", "delete", "tbreak even", "continue", "finish",
         "print $_exitcode", "kill"]

SAMPLED = r"^[1-9]\d* samples?"

WATCHED = not unwatched()
WATCH = ["watch counter", "continue", "continue"] * WATCHED

# The same with the program session, which signals itself, forks, and executes itself anew.
MORE = ["break outer if turn == 3", "continue", "print turn", "call outer(2)", "call points[1].x",
        "tbreak count", "continue", *WATCH, "print counter",
        "delete", "tbreak factorial", "call factorial(3)", "finish", "tbreak take_signals",
        "continue", "handle SIGALRM nostop noprint pass", "continue", "signal 0", "print users",
        "tbreak handle", "signal SIGUSR1", "backtrace 1", "finish", "print users",
        "set can-use-hw-watchpoints 0", "catch fork", "continue", "catch exec", "continue",
        "tbreak main", "continue", "delete", "continue", "print $_exitcode"]


def plain(texts):
    """TEXTS without what differs from run to run."""
    return re.sub(r"process \d+|Thread \d+\.\d+|0x[0-9a-f]+|Reading .*\n|warning: File .*\n", "",
                  "\n".join(texts))


def session(*commands, stub=("shares", "400"), **options):
    with gdbserver(program(stub[0]), *stub[1:]) as server:
        return Gdb(stub[0], **options).run(
            QUIET, "set sysroot /", "target remote " + server.address, *commands)[3:]


def test_shares():
    out = grown(lambda rounds: session(
        "set prof max-stopped 60", "prof-start --rate=400", "continue", "prof-status",
        "prof-stop", "prof-functions --format=csv", "info breakpoints",
        "info signals SIGINT", stub=("shares", str(rounds))), lambda out: total(out[5]) > 200, 600)
    ok("400 Hz with the engine interrupt, the best that works here." in out[1], "auto takes it for a remote target", out[1])
    ok("need a native process: perf, stop, catch; the target is \"remote\"." in out[3],
       "prof-status says why not another", out[3])
    ok("exited normally" in out[2] and "SIGINT" not in out[2], "the program ends as ever", out[2])
    check_shares(out[5], 100, out[4])
    ok("No breakpoints" in out[6] and re.search(r"SIGINT\s+Yes\s+Yes\s+No", out[7]),
       "nothing is left", out[6] + out[7])


def test_threads():
    """Each tick meets all threads: those that do the same work have the same share."""
    def functions(out):
        return {row["name"]: float(row["inclusive"]) for row in rows(out[5])}

    out = grown(lambda rounds: session(
        "set print thread-events off", "set prof max-stopped 60",
        "prof-start --rate=100", "continue", "prof-stop",
        "prof-functions --format=csv", "prof-threads --format=csv --metric=samples",
        stub=("threads", str(rounds))), lambda out: functions(out).get("both", 0) > 300, 600)
    found = functions(out)
    both = found.get("both", 0)
    # The three have begun together, and may be in the same place at each tick.
    ok(both > 300 and near(100 * found.get("left", 0) / both, 70, both / 3),
       "threads: what they call has its share", out[4] + out[5])
    # The same work, but a thread may have to wait longer for a CPU than another.
    ok(all(15 < 100 * found.get(name, 0) / max(both, 1) < 55 for name in ("first", "second", "third")),
       "threads: each busy one has about a third", out[5])
    counts = sorted((float(row["samples"]) for row in rows(out[6])[1:]), reverse=True)
    ok(len(counts) == 6 and sum(counts[:3]) > 0.8 * sum(counts),
       "threads: all six are told apart, and those that sleep are no samples", out[6])


def test_steps():
    with_it = session("break main", "continue", "set prof max-stopped 100",
                      "prof-start --rate=1000", *STEPS[:10], "prof-stop", *STEPS[10:])
    without = session("break main", "continue", *STEPS)
    with_it = with_it[:2] + with_it[4:14] + with_it[15:]
    # The catchpoint of the engine has a number, and shows.
    text = plain(with_it)
    text = re.sub(r"\d+ +catchpoint .*\n.*_prof_tick.*\n", "", text)
    number = re.compile(r"(reakpoint |^)\d+", re.MULTILINE)
    ok(number.sub(r"\1N", text) == number.sub(r"\1N", plain(without)),
       "breakpoints and steps read the same", plain(with_it) + "\n--\n" + plain(without))


def test_more():
    """Watchpoints, calls, signals, conditions, fork and exec."""
    begin = ["tbreak main", "continue", "set prof max-stopped 100"]
    start = ["prof-start --rate=200"]
    # It is on a CPU for a quarter of a second in all, and GDB may have none meanwhile.
    with_it = grown(lambda _: session(*begin, *start, *MORE, "prof-stop", stub=("session",)),
                    lambda out: re.search(SAMPLED, out[-1], re.M), 1)
    without = session(*begin, *MORE, stub=("session",))
    text, wanted = [re.sub(r"((?:reak|atch)point |^Num .*\n(?:\d.*\n)*)\d+", r"\1N", plain(out))
                    for out in (with_it[4:-1], without[3:])]
    ok(text == wanted, "watch, call, signal, conditions, fork and exec read the same",
       "\n".join(difflib.unified_diff(wanted.splitlines(), text.splitlines(), lineterm="")))
    ok("$_exitcode" not in wanted and "= 3" in without[-1] and "exec'd" in wanted and
       "forked" in wanted and ("Old value" in wanted) == WATCHED and "SIGUSR1" in wanted,
       "which all of it was", wanted)
    ok(re.search(SAMPLED, with_it[-1], re.M), "and it was sampled", with_it[-1])


def works(functions):
    return "worker" in {row["name"] for row in rows(functions)}


def test_attach():
    """extended-remote attaches to a process, and lets it go unharmed, with nothing left behind."""
    target = subprocess.Popen([program("storm"), "40000000", "calm"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, start_new_session=True)
    with gdbserver("--multi") as server, Terminal(Gdb("storm")) as gdb:
        for command in (QUIET, "set sysroot /", "set print thread-events off",
                        "target extended-remote " + server.address, "set prof max-stopped 80"):
            gdb.type(command)
        text = gdb.type("attach %d" % target.pid)
        text += gdb.type("prof-start --rate=50")
        texts, functions = [], ""
        # On a busy machine all of these moments may pass without a tick.
        while len(texts) < 5 or len(texts) < 50 and not works(functions):
            texts.append(gdb.interrupt(0.1 + 0.02 * (len(texts) % 5)))
            functions = gdb.type("prof-functions --format=csv").replace("\r", "")
        ended = gdb.type("detach") + gdb.type("prof-stop")
        free = wait_until(lambda: status(target.pid, "TracerPid") == "0")
    said = "".join(texts)
    ok(said.count("received signal SIGINT") == len(texts) and "<<" not in said and
       works(functions),
       "a process that extended-remote has attached to is sampled", text + said + functions)
    before = cpu_jiffies(target.pid)
    on = wait_until(lambda: cpu_jiffies(target.pid) > before + 5)
    target.send_signal(signal.SIGTERM)
    said = target.communicate(timeout=60)[0]
    ok(free and on and "detached" in ended and target.returncode == 0,
       "and goes on after detach, and has seen no signal", ended + said)


def test_attach_late():
    """A recording that waits for a program is there already."""
    target = subprocess.Popen([program("spin")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with gdbserver("--multi") as server:
        out = Gdb("spin").run(
            QUIET, "set sysroot /", "prof-start --engine=stop", "target extended-remote " + server.address,
            "attach %d" % target.pid, "maint info breakpoints", "detach", "prof-stop", "print 6*7")
    target.kill()
    target.wait()
    ok("= 42" in out[-1] and "internal-error" not in "".join(out), "GDB lives through an attach while it is recorded",
       "\n".join(out))
    ok("fork" not in out[5], "no breakpoint for forks stays in what GDB has attached to", out[5])


def test_attach_recorded():
    """A recording that waits for a process to be attached to, which then is sampled."""
    target = subprocess.Popen([program("shares"), "100000"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, start_new_session=True)
    with gdbserver("--multi") as server:
        out = Gdb("shares").run(
            QUIET, "set sysroot /", "target extended-remote " + server.address, "prof-start --rate=100",
            "attach %d" % target.pid, "break plain", "ignore $bpnum 100", "continue",
            "detach", "prof-stop", "prof-functions --format=csv")
    target.kill()
    target.wait()
    ok("Breakpoint 2, plain" in out[7] and "detached" in out[8] and
       "main" in {row["name"] for row in rows(out[10])},
       "a process that GDB attaches to while it records is sampled", "\n".join(out))


def test_extended():
    def run(rounds):
        with gdbserver("--multi") as server:
            return Gdb("shares", args=[str(rounds)]).run(
                QUIET, "set sysroot /", "target extended-remote " + server.address,
                "set remote exec-file " + program("shares"), "prof-start --rate=50", "run",
                "run", "prof-stop", "prof-functions --format=csv", "info breakpoints")

    out = grown(run, lambda out: total(out[8]) > 10, 100)
    table = {row["name"]: row for row in rows(out[8])}
    ok("engine interrupt" in out[4] and all("exited normally" in text for text in out[5:7]),
       "extended-remote runs the program twice", "\n".join(out))
    ok("unit" in table and "No breakpoints" in out[9], "and samples it", out[8] + out[9])


def test_refused():
    out = session("set prof max-stopped 60", "handle SIGINT pass", "prof-start",
                  "handle SIGINT nopass", "prof-start --engine=stop", "prof-start --engine=catch",
                  "prof-start --unwinder=cfi", "info breakpoints", "kill")
    ok(says(out[2], "handle SIGINT nopass"), "SIGINT must not be passed on", out[2])
    ok(says(out[4], "native") and says(out[5], "native"), "the others refuse", out[4] + out[5])
    ok(says(out[6], "native"), "no engine walks remote stacks itself", out[6])
    ok("No breakpoints" in out[7], "what is refused leaves nothing", out[7])
    out = Gdb("shares").run("prof-start --engine=interrupt")
    ok(says(out[0], "target remote"), "it refuses a native program", out[0])


def test_clocks():
    """Threads that wait are samples by the wall clock alone; times are told by function."""
    def run(seconds):
        out = session("set prof max-stopped 60", "prof-start --rate=50 --clock=" + clock, "continue",
                      "prof-stop", "prof-functions --format=csv",
                      "prof-functions --format=csv --metric=wall",
                      "prof-functions --format=csv --metric=cpu", stub=("states", str(seconds)))
        return seconds, out, [{row["name"]: float(row["inclusive"]) for row in rows(text)} for text in out[4:]]

    def enough(got):
        """Was the program sampled while it ran?  On a busy machine stops may take longer than all of its work."""
        samples, wall, cpu = got[2]
        return samples.get("user", 0) > 5 and wall.get("locker", 0) > 0.1 and cpu.get("user", 0) > 0.1

    for clock in "cpu", "wall":
        seconds, out, (samples, wall, cpu) = grown(run, enough, 0.5)
        ok(samples.get("user", 0) > 5 and ("locker" in samples) == (clock == "wall"),
           "clock %s: who is a sample" % clock, out[4])
        # Each is there for so many seconds at least, which are told or were a stop.
        least = max(seconds - 0.1 - stopped(out[3]), 0.1)
        ok(wall.get("locker", 0) > least and cpu.get("user", 0) > least and not cpu.get("locker"),
           "clock %s: times by function" % clock, out[3] + out[5] + out[6])


def test_two():
    """One process is sampled; that another is not is said."""
    with gdbserver("--multi") as server:
        out = Gdb("shares", args=["20"]).run(
            QUIET, "set sysroot /", "target extended-remote " + server.address,
            "set remote exec-file " + program("shares"), "break main", "prof-start --rate=50", "run",
            "add-inferior -exec " + program("shares"), "inferior 2",
            "set remote exec-file " + program("shares"), "run", "prof-status", "prof-stop")
    ok("samples one process: " in out[11] and out[12].count("samples one process: ") == 1,
       "a second process is not sampled, which is said", "\n".join(out))


def stops(text):
    return "received signal SIGINT, Interrupt." in text and not re.search(
        "Quit|Give up|Error|Python|timeout", text)


def test_ctrl_c():
    with gdbserver(program("spin")) as server, Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
        for command in (QUIET, "set sysroot /", "target remote " + server.address, "break main",
                        "continue", "set prof max-stopped 80"):
            gdb.type(command)
        process = int(re.search(r"(?:process|Thread) (\d+)", gdb.type("info inferiors")).group(1))
        gdb.type("prof-start --rate=100")
        texts = [gdb.interrupt(0.02 + 0.013 * i) for i in range(20)]
        wrong = [text for text in texts if not stops(text)]
        ok(not wrong, "Ctrl-C stops the program while it is sampled", "\n".join(wrong))
        status, samples = gdb.type("prof-status"), 0
        for _ in range(20):
            found = re.search(r"(\d+) samples", status)
            samples = int(found.group(1)) if found else 0
            if samples > 20:
                break
            # On a busy machine most of these moments may pass without a tick.
            gdb.interrupt(1)
            status = gdb.type("prof-status")
        ok(samples > 20, "which it was", status)
        gdb.type("prof-stop")
        texts = [gdb.interrupt(0.1) for _ in range(3)]
        wrong = [text for text in texts if not stops(text)]
        ok(not wrong, "Ctrl-C is as before after prof-stop", "\n".join(wrong))
        ok(not has_catchpoint(gdb.type("info breakpoints")), "no catchpoint is left")
        gdb.type("prof-start --rate=50")
        text = gdb.interrupt(0.5) + gdb.type("delete") + gdb.interrupt(0.5)
        ok(stops(text), "Ctrl-C works though the user deletes all breakpoints", text)
        text = gdb.type("detach") + gdb.type("prof-stop")
        ok(wait_until(lambda: state(process) in ("R", "S")) and "detached" in text,
           "the program goes on after detach", text)
        os.kill(process, signal.SIGKILL)


def test_deaf():
    """A stub that stands still answers nothing, which prof-status says; then it goes on."""
    with gdbserver(program("spin")) as server, Terminal(Gdb("spin", env={"LANG": "C"})) as gdb:
        for command in (QUIET, "set sysroot /", "target remote " + server.address, "break main",
                        "continue", "prof-start --rate=2", "continue &"):
            gdb.ask(command)
        wait_until(lambda: re.search(r"\n[1-9]\d* samples", gdb.ask("prof-status")))
        for _ in range(10):
            os.kill(server.process.pid, signal.SIGSTOP)
            if "<<timeout>>" not in gdb.ask("prof-status", 5):
                break
            # GDB was in the middle of a tick, and waits for what it has asked.
            os.kill(server.process.pid, signal.SIGCONT)
        said = []
        deaf = wait_until(lambda: said.append(gdb.ask("prof-status")) or
                          "target does not answer" in said[-1])
        os.kill(server.process.pid, signal.SIGCONT)
        ok(deaf, "prof-status says that a target does not answer", "".join(said[-2:]))
        stopped = gdb.ask("prof-stop")
        ok("does not answer" in stopped, "and prof-stop does", stopped)


require("gdbserver")
plan(41)
test_shares()
test_threads()
test_steps()
test_more()
test_attach()
test_attach_late()
test_attach_recorded()
test_extended()
test_refused()
test_clocks()
test_two()
test_ctrl_c()
test_deaf()
