# SPDX-License-Identifier: GPL-3.0-or-later
"""Remote targets for tests: gdbserver or QEMU with a program, and GDB on a terminal."""

import os
import pty
import random
import re
import select
import signal
import socket
import subprocess
import threading
import time

from session import near, ok, rows

# Once GDB is connected.
QUIET = "set remotetimeout 20"
PROMPT = rb"\(gdb\) $"


class Stub:
    """A process that GDB debugs by `target remote`; in a with statement, it ends with that."""

    def __init__(self, *command, port=None):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.port = port or self._listening()
        # gdbserver 13 warns of registers at each breakpoint on some machines: unread, it would wait.
        # A program that outlives it keeps the pipe open.
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with self.process.stderr:
            self.process.stderr.read()

    def _listening(self):
        """The port that gdbserver says it listens on."""
        for line in self.process.stderr:
            found = re.search(rb"Listening on port (\d+)", line)
            if found:
                return int(found.group(1))
        return 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    @property
    def address(self):
        return "127.0.0.1:%d" % self.port


def gdbserver(*arguments):
    """gdbserver with ARGUMENTS: a program and its own, or --multi before the address."""
    if "--multi" in arguments:
        return Stub("gdbserver", "--multi", "127.0.0.1:0")
    return Stub("gdbserver", "--once", "127.0.0.1:0", *arguments)


def free_port():
    """A port that nobody has, and that the kernel gives nobody unasked before it is used."""
    while True:
        port = random.randrange(20000, 32768)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


def qemu(emulator, *program):
    """The user-mode EMULATOR with PROGRAM and its arguments, stopped at its first instruction."""
    port = free_port()
    return Stub(emulator, "-g", str(port), *program, port=port)


class Terminal:
    """GDB on a terminal of its own, as started by COMMAND, a Gdb's; what is typed is a real Ctrl-C."""

    def __init__(self, gdb):
        self.text = b""
        self.asked = 0
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            line = gdb.command()
            os.execvpe(line[0], line, dict(gdb.env, INPUTRC="/dev/null"))
        self.expect(PROMPT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.file)

    def expect(self, pattern, seconds=120):
        """What was printed up to PATTERN, which is waited for."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.text)
            if found or time.monotonic() > end:
                cut = found.end() if found else len(self.text)
                text, self.text = self.text[:cut], self.text[cut:]
                return text.decode(errors="replace") + ("" if found else "<<timeout>>")
            if select.select([self.file], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.file, 65536)
                except OSError:
                    end = 0

    def type(self, command):
        """What COMMAND prints."""
        os.write(self.file, command.encode() + b"\n")
        return self.expect(PROMPT)

    def ask(self, command, seconds=120):
        """What COMMAND prints, and the target meanwhile: the prompt need not be the last of it."""
        self.asked += 1
        question = '%s\nprintf "<<asked %%d>>\\n", %d\n' % (command, self.asked)
        os.write(self.file, question.encode())
        return self.expect(rb"<<asked %d>>" % self.asked, seconds)

    def interrupt(self, seconds):
        """What `continue` prints, with Ctrl-C after SECONDS."""
        os.write(self.file, b"continue\n")
        text = self.expect(rb"Continuing\.\r\n")
        time.sleep(seconds)
        os.write(self.file, b"\x03")
        return text + self.expect(PROMPT)


def check_shares(functions, least, details):
    """Five checks: FUNCTIONS, CSV of the program shares, has LEAST samples, in due proportions."""
    table = {row["name"]: row for row in rows(functions)}
    total = float(table["main"]["inclusive"]) if "main" in table else 0
    ok(total > least, "there are samples", details + functions)
    for name, share in ("recurse", 50), ("even", 30), ("odd", 25), ("plain", 20):
        found = 100 * float(table[name]["inclusive"]) / total if name in table else 0
        ok(near(found, share, total), "the share of " + name, functions)
