# SPDX-License-Identifier: GPL-3.0-or-later
"""A talk with GDB while the program goes on: each command is answered before the next is given."""

import os
import re
import signal
import subprocess
import threading
import time

from session import Gdb, distrust


class Dialog:
    """A GDB that reads from a pipe, so that the target's events are dealt with between commands."""

    def __init__(self, exe=None, args=(), timeout=60, masked=False):
        self.timeout = timeout
        self.text = ""  # all that was printed
        self._count = 0
        self._changed = threading.Condition()
        self._gdb = subprocess.Popen(
            Gdb(exe, args, masked=masked).command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=dict(os.environ, DEBUGINFOD_URLS="", TERM="dumb"),
            start_new_session=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        while True:
            data = os.read(self._gdb.stdout.fileno(), 65536)
            with self._changed:
                self.text += data.decode(errors="replace")
                self._changed.notify_all()
            if not data:
                return

    @property
    def pid(self):
        return self._gdb.pid

    def wait(self, pattern, since=0):
        """Wait until PATTERN was printed after SINCE characters; what was, or "" if it never is."""
        end = time.monotonic() + self.timeout
        with self._changed:
            while not (found := re.search(pattern, self.text[since:], re.M)):
                if not self._changed.wait(max(end - time.monotonic(), 0)):
                    self.text += "\n<<no %s>>\n" % pattern
                    return ""
        return found.group()

    def say(self, command):
        """Give COMMAND; return what is printed until it is done."""
        self._count += 1
        mark = "<<said %d>>" % self._count
        since = len(self.text)
        try:
            self._gdb.stdin.write(("%s\necho \\n%s\\n\n" % (command, mark)).encode())
            self._gdb.stdin.flush()
        except OSError:
            return "<<GDB has gone>>\n" + self.text
        self.wait("^" + mark, since)
        distrust(self.text[since:])
        return self.text[since:].split("\n" + mark)[0].replace("(gdb) ", "")

    def begin(self, command):
        """Give COMMAND, and do not wait for what becomes of it."""
        self._gdb.stdin.write((command + "\n").encode())
        self._gdb.stdin.flush()

    def ask(self, condition, command):
        """Give COMMAND until CONDITION is true of what it prints; that, or the last that it did."""
        end = time.monotonic() + self.timeout
        answer = self.say(command)
        while not condition(answer) and time.monotonic() < end:
            time.sleep(0.05)
            answer = self.say(command)
        return answer

    def end(self, *commands):
        """Give COMMANDS, end GDB, and return its exit status."""
        for command in commands:
            self.say(command)
        try:
            self._gdb.stdin.close()
            return self._gdb.wait(self.timeout)
        except (OSError, subprocess.TimeoutExpired):
            os.killpg(self._gdb.pid, signal.SIGKILL)
            return self._gdb.wait()

    def kill(self):
        """End GDB at once, if it has not ended."""
        if self._gdb.poll() is None:
            os.killpg(self._gdb.pid, signal.SIGKILL)
            self._gdb.wait()
