#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Ctrl-C that comes while GDB calls a handler of ours interrupts the program all the same."""

import tempfile

from session import Gdb, ok, plan

# A handler before ours has the signal come in ours, once; one after it lets through what is left.
HANDLERS = """
import os, signal
import gdb

class Around:
    def __init__(self, event):
        self.armed = event == "stop"
        self.sent = False
        self.event = getattr(gdb.events, event)
        self.event.connect(self.before)

    def before(self, event):
        if self.armed and not self.sent and getattr(event, "breakpoints", True):
            self.sent = True
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            os.kill(os.getpid(), signal.SIGINT)

    def follow(self):
        self.event.connect(self.after)

    def after(self, event):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
"""


def interrupted(event, options):
    """The signal comes within our handler of EVENT, and the program goes on for minutes then."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(HANDLERS)
        file.flush()
        gdb = Gdb("shares", args=["1000000"], timeout=60)
        text = gdb.talk("source " + file.name, "python around = Around(%r)" % event, "prof-start " + options,
                        "python around.follow()", "break unit", "commands", "silent", "disable",
                        "python around.armed = True", "continue", "end", "run", "python print('sent', around.sent)",
                        "prof-stop", "kill", "echo alive\\n")
    ok("sent True" in text and "received signal SIGINT" in text and "alive" in text and "Traceback" not in text,
       "a Ctrl-C in the handler of `%s' (%s)" % (event, options), text)


plan(4)
for each in "--engine=stop", "--engine=none":
    interrupted("stop", each)
    interrupted("cont", each)
