#!/usr/bin/python3
"""A Ctrl-C that comes while GDB calls a handler of ours interrupts the program all the same."""

import tempfile

from session import Gdb, ok, plan

# Handlers around ours: the first has the signal come, the last lets it through.
HANDLERS = """
import os, signal
import gdb

class Around:
    def __init__(self, event):
        self.stops = 0
        self.event = getattr(gdb.events, event)
        self.event.connect(self.before)

    def before(self, event):
        self.stops += 1
        if self.stops == 20:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            os.kill(os.getpid(), signal.SIGINT)
            print("sent")
            self.event.disconnect(self.before)

    def follow(self):
        self.event.connect(self.after)

    def after(self, event):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        # GDB loses a Ctrl-C in any handler's Python: only ours are left.
        if self.stops == 20:
            self.event.disconnect(self.after)
"""


def interrupted(event, options):
    """In a loop of breakpoint commands that continue, the signal comes within our handler of EVENT."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(HANDLERS)
        file.flush()
        gdb = Gdb("shares", args=["100000"], timeout=60)
        text = gdb.talk("source " + file.name, "python around = Around(%r)" % event, "prof-start " + options,
                        "python around.follow()", "break unit", "commands", "silent", "continue", "end", "run",
                        "delete", "echo interrupted\\n", "prof-stop", "kill", "echo alive\\n")
    ok("sent" in text and ("SIGINT" in text or "Quit" in text) and "exited" not in text and "alive" in text and
       "Traceback" not in text, "a Ctrl-C in the handler of `%s' (%s)" % (event, options), text)


plan(6)
for each in "--engine=stop", "--engine=none", "--engine=catch":
    interrupted("stop", each)
    interrupted("cont", each)
