#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An interrupt of the engine that is under way at prof-stop: it is never seen, whatever is done next.

gdbserver is stopped until a tick was sent to it, so that each test meets that moment.
"""

import os
import re
import signal

from answers import cpu_jiffies, state
from dialog import Dialog
from remote import QUIET, gdbserver
from session import hides_catchpoints, ok, plan, program, require, skip, wait_until

SIGINT = "received signal SIGINT"


def unread(server):
    """The bytes that GDB has sent to SERVER, and that it has not read."""
    for table in "/proc/net/tcp", "/proc/net/tcp6":
        with open(table) as lines:
            for fields in map(str.split, lines):
                if fields[1].endswith(":%04X" % server.port) and fields[3] == "01":
                    return int(fields[4].split(":")[1], 16)
    return 0


class Case:
    """A program that runs in the background with a tick under way; in a with statement."""

    def __init__(self, name, extended=False):
        self.name = name
        self.server = gdbserver("--multi") if extended else gdbserver(program("spin"))
        self.gdb = Dialog("spin")
        begin = (["target extended-remote " + self.server.address,
                  "set remote exec-file " + program("spin"), "tbreak main", "run"] if extended else
                 ["target remote " + self.server.address, "tbreak main", "continue"])
        for command in [QUIET, "set sysroot /", "set confirm off", "handle SIGUSR1 stop nopass",
                        "set startup-with-shell off", *begin]:
            self.gdb.say(command)
        self.find_process()
        # Its price does not lower the rate.
        self.gdb.say("set prof max-stopped 100")
        self.gdb.say("prof-start --rate=4")
        self.gdb.say("continue &")
        self.freeze()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.process.send_signal(signal.SIGCONT)
        # At its end GDB would wait for a remote target that goes on.
        self.gdb.kill()
        self.server.__exit__()
        if state(self.process):
            os.kill(self.process, signal.SIGKILL)

    def find_process(self):
        found = re.search(r"(?:process|Thread) (\d+)", self.gdb.say("info inferiors"))
        self.process = int(found.group(1))

    def freeze(self):
        """Stop gdbserver while it has a tick before it, and no packet."""
        for _ in range(50):
            self.goes_on()
            self.server.process.send_signal(signal.SIGSTOP)
            # In the middle of a tick that comes to nothing.
            wait_until(lambda: unread(self.server), 1)
            if unread(self.server) == 1 and state(self.process) == "R":
                return
            self.server.process.send_signal(signal.SIGCONT)

    def thaw(self):
        self.server.process.send_signal(signal.SIGCONT)
        wait_until(lambda: not unread(self.server))

    def cross(self):
        """The program stops for the user, with the tick under way."""
        os.kill(self.process, signal.SIGUSR1)
        wait_until(lambda: state(self.process) == "t")
        since = len(self.gdb.text)
        self.thaw()
        self.gdb.wait("received signal SIGUSR1", since)

    def goes_on(self):
        """The program uses a CPU."""
        before = cpu_jiffies(self.process)
        return wait_until(lambda: cpu_jiffies(self.process) > before + 5)

    def stops(self, command="interrupt"):
        """The user's COMMAND stops the program, once."""
        since = len(self.gdb.text)
        self.gdb.say(command)
        return self.gdb.wait(SIGINT, since)

    def check(self, passed, what):
        ok(passed and "internal-error" not in self.gdb.text, self.name + ": " + what, self.gdb.text)

    def check_free(self):
        """The program goes on unseen, stops once when told to, and goes on again."""
        self.check(self.goes_on() and SIGINT not in self.gdb.text, "the tick is not seen")
        stopped = self.stops() and "No breakpoints" in self.gdb.say("info breakpoints")
        self.check(stopped, "interrupt stops the program, and no catchpoint is left")
        self.gdb.say("continue &")
        self.check(self.goes_on() and self.gdb.text.count(SIGINT) == 1, "and it goes on")


def test_running():
    for meanwhile in "info breakpoints", "delete", "disable":
        if meanwhile != "info breakpoints" and hides_catchpoints():
            skip(3, "running, " + meanwhile, hides_catchpoints())
            continue
        with Case("running, " + meanwhile) as case:
            case.gdb.say("prof-stop")
            case.gdb.say(meanwhile)
            case.thaw()
            case.check_free()


def test_recording():
    """The same while something is recorded."""
    if hides_catchpoints():
        skip(3, "recording, delete", hides_catchpoints())
        return
    with Case("recording, delete") as case:
        case.gdb.say("delete")
        case.thaw()
        case.check(case.goes_on() and SIGINT not in case.gdb.text, "the tick is not seen")
        found = re.compile(r"^([1-9]\d*) samples", re.M)
        more = case.gdb.ask(found.search, "prof-status")
        case.check(found.search(more) and SIGINT not in case.gdb.text, "it is sampled again")
        case.gdb.say("prof-stop")
        case.check(case.stops(), "interrupt stops the program")


def test_ctrl_c():
    """The user's own interrupt while a tick is under way shows once."""
    with Case("running, interrupt") as case:
        case.gdb.say("prof-stop")
        case.gdb.say("interrupt")
        since = len(case.gdb.text)
        case.thaw()
        case.check(case.gdb.wait(SIGINT, since), "the user's interrupt is not lost")
        case.gdb.say("continue &")
        case.check(case.goes_on() and case.gdb.text.count(SIGINT) == 1, "it shows once")
        case.check("No breakpoints" in case.gdb.say("info breakpoints"), "no catchpoint is left")


def test_again():
    """What is recorded next meets the tick."""
    with Case("running, prof-start") as case:
        case.gdb.say("prof-stop")
        text = case.gdb.say("prof-start --rate=4")
        case.thaw()
        case.check("Recording" in text and case.goes_on() and SIGINT not in case.gdb.text,
                   "the tick is not seen")
        case.gdb.say("prof-stop")
        case.check(case.stops(), "interrupt stops the program")


def test_crossed():
    for meanwhile in "delete", "print getpid()", "prof-start --rate=4":
        with Case("stopped, " + meanwhile) as case:
            case.cross()
            case.gdb.say("prof-stop")
            case.check("No breakpoints" in case.gdb.say("info breakpoints"), "nothing shows")
            text = case.gdb.say(meanwhile)
            case.check("signal" not in text, "the command is done")
            case.gdb.say("continue &")
            case.check(case.goes_on() and SIGINT not in case.gdb.text, "the tick is not seen")
            case.check(case.stops(), "interrupt stops the program")


def test_foreground():
    """Commands wait for the program as ever."""
    with Case("stopped, continue") as case:
        case.cross()
        case.gdb.say("prof-stop")
        case.gdb.say("tbreak turn")
        text = case.gdb.say("continue")
        case.check(re.search(r"breakpoint \d+, turn", text) and SIGINT not in text,
                   "it ends where the program stops")


def test_left():
    """The process goes, or GDB lets go of it."""
    for command in "detach", "kill", "disconnect":
        with Case("stopped, " + command) as case:
            case.cross()
            case.gdb.say("prof-stop")
            case.gdb.say(command)
            case.check("No breakpoints" in case.gdb.say("info breakpoints"), "nothing shows")
            if command == "detach":
                case.check(case.goes_on(), "the program goes on unharmed")
            case.gdb.say("file " + program("leaving"))
            case.gdb.say("start")
            shown = case.gdb.say("info breakpoints")
            case.check(case.gdb.end() == 0 and "leaving.c" in case.gdb.text and
                       "No breakpoints" in shown and SIGINT not in case.gdb.text,
                       "and GDB goes on and ends as ever")
    with Case("stopped, quit") as case:
        case.cross()
        case.gdb.say("prof-stop")
        case.check(case.gdb.end() == 0 and wait_until(lambda: state(case.process) in ("", "Z")),
                   "GDB ends as ever")


def test_run():
    with Case("stopped, run", extended=True) as case:
        case.cross()
        for command in "prof-stop", "tbreak main", "run":
            case.gdb.say(command)
        case.check("No breakpoints" in case.gdb.say("info breakpoints"), "nothing shows")
        case.find_process()
        case.gdb.say("continue &")
        case.check_free()


require("gdbserver")
plan(3 * 3 + 3 + 3 + 2 + 3 * 4 + 1 + 3 * 2 + 1 + 1 + 1 + 3)
test_running()
test_recording()
test_ctrl_c()
test_again()
test_crossed()
test_foreground()
test_left()
test_run()
