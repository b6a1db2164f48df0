#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`gdbprof record --debug-rank`: one rank of a job has a session of GDB on the terminal, the others are recorded."""

import os
import pty
import select
import signal
import tempfile
import termios
import time

from session import BUILD, Gdb, ok, plan, program, rows

COMMAND = os.path.join(BUILD, "gdbprof")
LAUNCHERS = ("OMPI_", "PMI_", "PMIX_", "SLURM_")
TYPED = [(b"(gdb) ", b"break plain"), (b"Breakpoint 1 at", b"run"), (b"Breakpoint 1, plain", b"bt"), (b"#1 ", b"delete 1"),
         (b"delete 1", b"continue"), (b"exited normally", b"quit")]
PATIENCE = 60  # s


class Job:
    """Two ranks that a shell, like a launcher, has in the background of its terminal."""

    def __init__(self, folder):
        self.child, self.terminal = pty.fork()
        if not self.child:
            os.chdir(folder)
            environment = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHERS)}
            # As a launcher has it, the ranks do not read from the terminal: GDB that records would handle it.
            record = " %s record --debug-rank=1 --output=job.%%r.prof -- %s 60 </dev/null & " % (COMMAND, program("callback"))
            os.execvpe("sh", ["sh", "-mc", "".join("PMI_SIZE=2 PMI_RANK=%d%s" % (rank, record) for rank in range(2)) +
                              "wait; read answer; echo answered $answer"], dict(environment, TERM="dumb"))
        self.shown = b""
        self.end = time.monotonic() + PATIENCE

    def takes_keys(self):
        """Has GDB's readline the terminal?  It throws away what was typed before."""
        return not termios.tcgetattr(self.terminal)[3] & termios.ICANON

    def wait(self, mark, ready=lambda: True):
        """Wait until MARK has been shown, and READY() is true."""
        while not (mark in self.shown and ready()) and time.monotonic() < self.end:
            try:
                if select.select([self.terminal], [], [], 0.05)[0]:
                    self.shown += os.read(self.terminal, 4096)
            except OSError:
                return

    def type(self, line):
        os.write(self.terminal, line + b"\n")

    def close(self):
        """Wait until all has ended, or end what goes on; return the wait status."""
        self.wait(b"", lambda: False)
        if time.monotonic() >= self.end:
            os.kill(self.child, signal.SIGKILL)
        os.close(self.terminal)
        return os.waitpid(self.child, 0)[1]


plan(3)
here = tempfile.mkdtemp()
job = Job(here)
for mark, line in TYPED:
    job.wait(mark, job.takes_keys)
    job.type(line)
job.wait(b"quit", lambda: os.tcgetpgrp(job.terminal) == job.child)
job.type(b"yes")
job.wait(b"answered yes")
shown, status = job.shown.decode(errors="replace"), job.close()
ok("#1 " in shown and "main (argc=" in shown and "exited normally" in shown, "one rank is debugged on the terminal", shown)
ok(status == 0 and "answered yes" in shown, "which the launcher has afterwards", "%r %s" % (status, shown))
out = Gdb().run("prof-load %s/job.*.prof" % here, "prof-ranks --format=csv --metric=.cpu")
ok(sorted(row["rank"] for row in rows(out[1]) if row["rank"]) == ["0", "1"], "the profiles of both are kept", "\n".join(out) + shown)
