# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB on a real terminal, that of tmux: keys are typed, and what the screen shows is read."""

import os
import re
import subprocess
import tempfile
import time

from session import wait_until


class Screen:
    """A terminal of COLUMNS and LINES in which GDB, a Gdb, is started with COMMANDS."""

    def __init__(self, gdb, columns=80, lines=24, commands=()):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.folder.name, "tmux")
        first = [word for command in commands for word in ("-ex", command)]
        environment = dict(gdb.env, INPUTRC="/dev/null", TERM="xterm", SHELL="/bin/sh", HOME=self.folder.name)
        environment.pop("TMUX", None)
        self._tmux("-u", "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), *gdb.command(*first),
                   env=environment)
        self.wait(r"^\(gdb\) ?$")

    def _tmux(self, *words, env=None):
        return subprocess.run(["tmux", "-S", self.socket, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=env, check=False).stdout.decode(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._tmux("kill-server")
        self.folder.cleanup()

    def type(self, text):
        """Type TEXT and return."""
        self._tmux("send-keys", "-l", text)
        self._tmux("send-keys", "Enter")

    def key(self, *names):
        """Type the keys NAMES, as tmux calls them."""
        self._tmux("send-keys", *names)

    def bytes(self, text):
        """Have the terminal send TEXT, such as a click of the mouse."""
        self._tmux("send-keys", "-H", *["%02x" % byte for byte in text.encode()])

    def resize(self, columns, lines):
        """Make the terminal another size."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def shown(self, styled=False):
        """What the screen shows; STYLED: with escape sequences."""
        return self._tmux("capture-pane", "-p", *["-e"] * styled)

    def wait(self, pattern, seconds=60):
        """What the screen shows when it shows PATTERN; "" if it never does."""
        shown = ""

        def is_there():
            nonlocal shown
            shown = self.shown()
            return re.search(pattern, shown, re.M)
        return shown if wait_until(is_there, seconds) else ""

    def ask(self, command, seconds=60):
        """Give COMMAND; what the screen shows when GDB has answered it, behind it."""
        mark = "<<%d>>" % time.monotonic_ns()
        self.type(command)
        self.type("echo \\n%s\\n" % mark)
        shown = self.wait("^" + mark, seconds)
        return shown.rsplit("(gdb) " + command, maxsplit=1)[-1] if shown else "<<no answer>>\n" + self.shown()
