# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/programs/entered.c, whose threads call functions and count that, for scripts that patch it while it runs."""

import os
import re
import signal
import subprocess

from session import program, rows, wait_until

BYTES = 16  # compared of each function

# Each call to be finished is short, since other threads meet GDB's breakpoint there as long as it takes, and ends: call()
# does not.  The argument at *climb+1 is in its register.
STEPS = ("stepi", "stepi 3", "next", "step", "break *leaf", "continue", "continue", "stepi", "delete",
         "tbreak *(leaf+5)", "continue", "finish", "tbreak climb if number < 4", "continue", "stepi", "finish",
         "tbreak *climb+1 if $rsi < 4", "continue", "up", "finish")


def callers(text):
    """{(caller, callee): calls} of a call graph in CSV."""
    found, above = {}, []
    for row in rows(text):
        if row["role"] == "caller":
            above.append(row)
        elif row["role"] == "primary":
            found.update({(other["name"], row["name"]): int(other["called"]) for other in above if other["called"]})
            above = []
    return found


def told(text):
    """(leaf, climb) as the program prints them, all that it does together."""
    return [sum(map(int, re.findall(r"^%s (\d+)$" % name, text, re.M))) for name in ("leaf", "climb")]


def after(process, seconds, number):
    """A command of GDB's: PROCESS gets the signal NUMBER in so many SECONDS."""
    return "python exec(%r)" % ("""
import os, sys, time
sys.path.insert(0, %r)
from beside import start_beside
start_beside(lambda: (time.sleep(%g), os.kill(%d, %d)))
""" % (os.path.dirname(os.path.abspath(__file__)), seconds, process, number))


class Process:
    """A program whose threads call functions until they are told to end."""

    def __init__(self, threads):
        self.process = subprocess.Popen([program("entered"), str(threads), "0"], stdout=subprocess.PIPE)
        wait_until(lambda: len(os.listdir("/proc/%d/task" % self.process.pid)) == threads)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def same(self):
        """Has it the code that its file has?"""
        symbols = subprocess.run(["nm", program("entered")], stdout=subprocess.PIPE, check=True).stdout.decode()
        with open("/proc/%d/maps" % self.process.pid, encoding="utf-8") as file:
            base = next(int(line.split("-")[0], 16) for line in file if line.endswith("/entered\n"))
        with open("/proc/%d/mem" % self.process.pid, "rb") as memory, open(program("entered"), "rb") as file:
            for name in "leaf", "climb", "tiny":
                address = int(re.search(r"^(\w+) . %s$" % name, symbols, re.M)[1], 16)
                memory.seek(base + address)
                file.seek(address)
                if memory.read(BYTES) != file.read(BYTES):
                    return False
        return True

    def ends(self):
        """Does it end by itself, with right results?"""
        self.process.send_signal(signal.SIGUSR1)
        text = self.process.communicate(timeout=60)[0].decode()
        leaf, climb = told(text)
        return self.process.returncode == 0 and leaf and climb == leaf * 177 // 89 and \
            int(re.search(r"^sum (\d+)$", text, re.M)[1]) == leaf * 254 // 89
