#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""KCachegrind's own reader has nothing to say of what is written for it."""

import os
import re
import signal
import subprocess
import tempfile

from session import Gdb, grown, ok, plan, require, total

HOSTILE = (b"fn=(1) x;* 4\n+1 2;calls=0 0;fl=(1) 5\nmain;\x1b[2J 1\n"
           b"main;\"\\;</script> 2\nmain;(9) 3\nmain; 5\n")
RECURSION = "a;b;a;b;a 3\na;b;a 1\nb 2\n"


def complaints(file):
    """The lines of FILE of which KCachegrind complains.  Behind the last one it finds one to complain
    of, so that it is known to have come so far."""
    with open(file, encoding="utf-8") as text:
        lines = text.read()
    with open(file, "a", encoding="utf-8") as text:
        text.write("garbage\n")
    environment = dict(os.environ, HOME=os.getcwd(), XDG_RUNTIME_DIR=os.getcwd(), LC_ALL="C.UTF-8",
                       QT_QPA_PLATFORM="offscreen")
    process = subprocess.Popen(["timeout", "300", "dbus-run-session", "--", "kcachegrind", file],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=environment, start_new_session=True)
    found, last = [], lines.count("\n") + 1
    for line in process.stdout:
        told = re.match(rb'Loading ".*?" : (\d+) : ', line)
        found += [int(told[1])] if told else []
        if told and int(told[1]) >= last:
            break
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate()
    return found, last


def test_exports():
    with open("hostile", "wb") as file:
        file.write(HOSTILE)
    with open("recursion", "w") as file:
        file.write(RECURSION)
    grown(lambda rounds: Gdb("shares", [str(rounds)]).run(
        "prof-start --rate=1000", "run", "prof-stop",
        "prof-export --format=callgrind --metric=samples,cpu recorded.callgrind", "prof-load hostile",
        "prof-export --format=callgrind hostile.callgrind", "prof-load recursion",
        "prof-export --format=callgrind recursion.callgrind", "prof-load recorded.callgrind",
        "prof-functions --format=csv"), lambda out: total(out[-1]) > 20, 150)
    for name in ("recorded", "hostile", "recursion"):
        found, last = complaints(name + ".callgrind")
        ok(found == [last], "%s: nothing is amiss" % name, "%s of %d" % (found, last))


require("kcachegrind", "dbus-run-session")
plan(3)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    test_exports()
    os.chdir("/")
