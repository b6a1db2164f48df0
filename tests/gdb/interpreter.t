#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Under a front end that speaks MI on a terminal, as Emacs does, there are no escape sequences."""

import os
import pty
import select
import signal
import tempfile
import time

from session import Gdb, grown, ok, plan


def talk(interpreter, *commands):
    """What GDB prints on a terminal, as INTERPRETER, to the end of the last of COMMANDS."""
    gdb = Gdb("shares", ["20"], env={"TERM": "xterm"})
    line = gdb.command("-i=" + interpreter)
    pid, file = pty.fork()
    if pid == 0:
        os.execvpe(line[0], line, dict(gdb.env, INPUTRC="/dev/null"))
    os.write(file, "".join(command + "\n" for command in commands + ("python print('fin' + 'ished')",)).encode())
    text, end = b"", time.monotonic() + 60
    while b"finished" not in text and time.monotonic() < end:
        if select.select([file], [], [], 0.1)[0]:
            text += os.read(file, 65536)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(file)
    return text.decode(errors="replace")


plan(2)
with tempfile.TemporaryDirectory() as place:
    recorded = os.path.join(place, "recorded")
    grown(lambda rounds: Gdb("shares", [str(rounds)]).run(
        "prof-start --rate=1000", "run", "prof-stop", "prof-save " + recorded, "prof-functions"),
          lambda out: "unit" in out[4], 100)
    COMMANDS = ("python import pygments; print('Pyg' + 'ments')", "prof-load " + recorded, "prof-source unit")
    out = talk("mi", *COMMANDS)
    ok("<Function: unit>" in out and "\\e[" not in out and "\x1b" not in out, "sources are plain", out)
    out = talk("console", *COMMANDS)
    ok("<Function: unit>" in out and ("\x1b[" in out.split("<Function: unit>")[1].split("(gdb)")[0] or "Pygments" not in out),
       "on GDB's own terminal they are not", out)
