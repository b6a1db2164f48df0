# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts do that draw a dashboard or a context at each stop: test material, sourced by GDB.

All that GDB lets a script take part in is here: events that write to the terminal, the prompt, frame filters and
decorators, breakpoints and finish breakpoints whose `stop' is Python, functions and commands.
"""

import gdb
from gdb.FrameDecorator import FrameDecorator

RED, GREEN, PLAIN = "\033[31m", "\033[32m", "\033[0m"


class Board:
    """Draws itself at each stop, and counts what it has heard of."""

    def __init__(self):
        self.heard = {}
        for name in "cont", "stop", "exited", "breakpoint_created", "breakpoint_deleted", "inferior_call":
            getattr(gdb.events, name).connect(self.listener(name))
        gdb.events.stop.connect(self.draw)
        gdb.prompt_hook = self.prompt

    def listener(self, name):
        def hear(_):
            self.heard[name] = self.heard.get(name, 0) + 1
        return hear

    def prompt(self, current):
        thread = gdb.selected_thread()
        where = "thread %d" % thread.num if thread and thread.is_valid() else "nothing"
        return "%s[%s, %d stops]%s " % (GREEN, where, self.heard.get("stop", 0), PLAIN)

    def draw(self, event):
        gdb.write("%s--- %s%s\n" % (RED, type(event).__name__, PLAIN))
        if isinstance(event, gdb.BreakpointEvent):
            gdb.write("at breakpoints %s\n" % [point.location for point in event.breakpoints])
        if isinstance(event, gdb.SignalEvent):
            gdb.write("by %s\n" % event.stop_signal)
        frame = gdb.newest_frame()
        gdb.write("%s in %s, line %d\n" % (
            gdb.selected_frame().name(), frame.function(), frame.find_sal().line))
        gdb.write(gdb.execute("list *$pc,+2", to_string=True))
        names = gdb.execute("info registers", to_string=True).splitlines()
        gdb.write("%d registers, %d threads\n" % (len(names), len(gdb.selected_inferior().threads())))
        gdb.write(gdb.execute("backtrace", to_string=True))
        gdb.flush()


class Marked(FrameDecorator):
    def function(self):
        return "<%s>" % super().function()


class Filter:
    name, enabled, priority = "marked", True, 100

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return map(Marked, frames)


class Nth(gdb.Breakpoint):
    """Stops at each Nth hit only; what it is hit for is asked of GDB, as conditions of exploits are."""

    def __init__(self, location, turns):
        super().__init__(location)
        self.turns, self.hits = turns, 0

    def stop(self):
        self.hits += 1
        caller = gdb.newest_frame().older()
        return caller.name() == "main" and self.hits % self.turns == 0


class Leaving(gdb.FinishBreakpoint):
    def stop(self):
        gdb.write("%sleaving%s\n" % (RED, PLAIN))
        return True


class Leave(gdb.Command):
    """Stop where the selected function returns."""

    def __init__(self):
        super().__init__("leave", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        Leaving(gdb.newest_frame(), internal=True)
        gdb.execute("continue")


class Twice(gdb.Function):
    def __init__(self):
        super().__init__("twice")

    def invoke(self, value):
        return 2 * value


class Heard(gdb.Command):
    """Say how many stops there were."""

    def __init__(self, board):
        super().__init__("heard", gdb.COMMAND_STATUS)
        self.board = board

    def invoke(self, argument, from_tty):
        gdb.write("%s\n" % sorted(self.board.heard.items()))


Heard(Board())
Filter()
Leave()
Twice()
