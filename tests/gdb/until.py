# SPDX-License-Identifier: GPL-3.0-or-later
"""For sessions that wait: sourced in GDB, it interrupts the program once a condition holds.

    source until.py
    python until(lambda: "Nothing is being recorded" in say("prof-status"))
    run
"""

import os
import sys
import threading
import time

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from beside import start_beside  # noqa: E402


def say(command):
    """What COMMAND prints."""
    return gdb.execute(command, to_string=True)


def until(condition):
    """Have the program that runs stop as soon as CONDITION () is true."""
    found, looked = threading.Event(), threading.Event()

    def look():
        try:
            if condition():
                found.set()
                gdb.execute("interrupt")
        finally:
            looked.set()

    def ask():
        while not found.is_set():
            time.sleep(0.02)
            looked.clear()
            gdb.post_event(look)
            # GDB 13 crashes as it ends if anything that was posted is left.
            looked.wait()

    start_beside(ask)
