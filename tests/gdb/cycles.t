#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings that begin and end around attach and detach, in every order: GDB and the program live on.

cycles.t [ROUNDS] tries each option of prof-start in each order, ROUNDS times; without, each once.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile

from session import Gdb, ok, plan, program, wait_until

OPTIONS = (
    "", "--engine=catch", "--engine=interrupt", "--engine=none --heap", "--heap", "--sync=all",
    "--engine=catch --heap --sync", "--count=grab", "--engine=catch --count=grab", "--clock=wall",
    "--unwinder=gdb", "--calls=grab", "--verify=3", "--mark-period=5ms", "--mark-signal=SIGUSR2",
    "--paused --pause-signal=SIGUSR2", "--for=20ms", "--output=FILE")
RUN = ["tbreak grab", "continue", "next", "tbreak drop", "continue"]
# By name: what is typed, with P and Q for processes, and START.
ORDERS = {
    "before attach": ["START", "attach P", *RUN, "prof-status", "prof-stop", "detach"],
    "after attach": ["attach P", "START", *RUN, "prof-stop", "detach", "prof-functions"],
    "attach again": ["attach P", "START", *RUN, "detach", "attach P", *RUN, "prof-stop", "detach"],
    "stop after detach": ["attach P", "START", *RUN, "detach", "prof-stop", "attach P", "next", "detach"],
    "two processes": ["attach P", "START", *RUN, "add-inferior", "inferior 2", "attach Q", *RUN,
                      "prof-mark both", "detach", "inferior 1", *RUN, "prof-stop", "detach"],
    "in a handler of a stop": ["source stop.py", "attach P", "next", *RUN, "prof-stop", "detach"],
    "in a handler of the prompt": ["source before_prompt.py", "attach P", *RUN, "prof-stop", "detach"],
}
HANDLER = """
import gdb
def handle(*unused):
    gdb.events.%s.disconnect(handle)
    gdb.execute("START", to_string=True)
gdb.events.%s.connect(handle)
"""
BAD = re.compile("internal-error|internal problem|Fatal signal|SystemError|Traceback|contradict|<<timeout>>")


def heaps():
    """A program of three threads that says whether its memory was what it wrote."""
    target = subprocess.Popen([program("heaps"), "3", "1000000000"], stdout=subprocess.PIPE, text=True)
    wait_until(lambda: len(os.listdir("/proc/%d/task" % target.pid)) > 2)
    return target


def try_order(order, options, folder):
    """What is wrong with GDB, or with the programs, after ORDER with OPTIONS; "" if nothing is."""
    start = ("prof-start --rate=500 " + options).replace("FILE", "made.prof")
    targets = {"P": heaps()}
    if any(" Q" in line for line in ORDERS[order]):
        targets["Q"] = heaps()
    for event in ("stop", "before_prompt"):
        with open(os.path.join(folder, event + ".py"), "w") as file:
            file.write((HANDLER % (event, event)).replace("START", start))
    lines = ["cd " + folder, "shell rm -f made.prof"]
    for line in ORDERS[order]:
        line = line.replace("START", start)
        lines.append(re.sub("(?<= )[PQ]$", lambda found: str(targets[found[0]].pid), line))
    gdb = Gdb("heaps")
    text = gdb.talk(*lines, "echo alive\\n")
    fine = "grab (" in text and "\nalive" in text and not gdb.status
    wrong = "" if fine and not BAD.search(text) else text
    for name, target in targets.items():
        target.send_signal(signal.SIGTERM)
        try:
            said = target.communicate(timeout=60)[0]
        except subprocess.TimeoutExpired:
            target.kill()
            said = "it does not end\n" + target.communicate()[0]
        if not said.startswith("right") or target.returncode:
            wrong += "\n%s: %s%s\n%s" % (name, said, target.returncode, text)
    return wrong


rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 0
orders = list(ORDERS)
# One order for each option, and each order for some.
chosen = [(order, options) for options in OPTIONS for order in orders] * rounds or [
    (orders[i % len(orders)], options) for i, options in enumerate(OPTIONS)]
plan(len(chosen))
with tempfile.TemporaryDirectory(prefix="gdbprof-") as place:
    for order, options in chosen:
        wrong = try_order(order, options, place)
        ok(not wrong, "%s, %s" % (options or "no option", order), wrong)
