#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every request of gdbprof's for memory, a thread or a file is refused once: GDB and the program live on.

    oom.t                           the short form: the sessions in SHORT, depth 1
    oom.t DEPTH SKIPPED [NAME...]   all sessions, or these; a request is known by so many return
                                    addresses, and so many requests of each place are granted first
"""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from session import BUILD, Gdb, LOADER, ok, plan, program, require

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oom")
SILENT = 120    # s without a word, after which a GDB hangs
DEATHS = 5      # of a session, after which no other GDB is started for it
MEMORY, THREAD, DESCRIPTOR = 1, 2, 4
BAD = re.compile("internal-error|internal problem|Fatal signal|SystemError|Traceback|contradict|"
                 "GDB to hang|Python Exception <class '(?!MemoryError)")

Session = collections.namedtuple("Session", "name program commands kinds")

# A command with a "*" before it is repeated until nothing in it is refused.
RECORDED = """
    tbreak {function}
    run
    *prof-status
    *prof-mark here
    next
    *prof-functions
    continue
    prof-stop
    *{view}
"""


def recorded(name, start, args, function, view="prof-tree", kinds=MEMORY | THREAD | DESCRIPTOR):
    """A session that records a program of ours, with ARGS, from its start by START; it stops in FUNCTION."""
    return Session(name, args, "*" + start + RECORDED.format(function=function, view=view), kinds)


def everything(*commands):
    """A session without a program: all COMMANDS, each until nothing in it is refused."""
    return "\n".join("*" + command for command in commands)


VIEWS = ["prof-tree --collapse=full", "prof-functions --format=json", "prof-callers", "prof-gprof",
         "prof-gprof --style=gnu", "prof-objects", "prof-lines", "prof-pcs", "prof-threads", "prof-overview",
         "prof-phases", "prof-source recurse", "prof-disas recurse", "prof-compare kept.folded kept.prof",
         "prof-flame made.svg", "prof-flame --chart made2.svg"]
EXPORTS = ["folded", "gprofng", "callgrind", "pprof", "speedscope", "firefox"]

SESSIONS = [
    recorded("stop", "prof-start --rate=1000 --engine=stop --output=made.prof", "shares 3", "recurse"),
    Session("views", "", everything(
        "prof-load kept.folded", "prof-load kept.prof", "prof-save made.prof", *VIEWS,
        *("prof-export --format=%s made.%s" % (form, form) for form in EXPORTS)), MEMORY | DESCRIPTOR),
    recorded("catch", "prof-start --rate=1000 --engine=catch", "shares 3", "recurse"),
    recorded("threads", "prof-start --rate=1000 --clock=wall", "heaps 3 300", "main"),
    recorded("heap", "prof-start --rate=1000 --heap", "heaps 2 100", "main", "prof-leaks"),
    recorded("sync", "prof-start --rate=1000 --sync", "heaps 2 100", "main", "prof-locks"),
    recorded("count", "prof-start --rate=1000 --count=recurse", "shares 3", "plain", "prof-gprof"),
    recorded("calls", "prof-start --calls=recurse,plain", "shares 3", "plain", "prof-gprof"),
    recorded("trace", "prof-start --engine=none\n"
             "*prof-trace calloc --prototype='void *(unsigned long, unsigned long)'",
             "heaps 2 100", "main", "prof-traces"),
    Session("gmon", "", everything(
        "prof-load gmon.out exe", "prof-save made.prof", "prof-load made.prof gmon.out exe",
        "prof-gprof --style=gnu --all", "prof-gprof --style=gnu --line --cut=ping/pong", "prof-gprof",
        "prof-export --format=json made.json"), MEMORY | DESCRIPTOR),
]
SHORT = ["stop", "views"]


class Failing:
    """GDBs that run one session, with what stands in for the allocators, in a folder of their own."""

    def __init__(self, library, place, depth, skipped):
        self.library, self.place = library, place
        self.depth, self.skipped = depth, skipped

    def start(self, session):
        """Run a GDB until it is done, dies or hangs; return what it printed, and why it is not done."""
        env = dict(
            os.environ, DEBUGINFOD_URLS="", TERM="dumb", LC_ALL="C.UTF-8", LD_PRELOAD=self.library,
            OOM_PLACE=self.place, OOM_DEPTH=str(self.depth), OOM_SKIP=str(self.skipped),
            OOM_KINDS=str(session.kinds),
            OOM_COMMANDS="\n".join(line.strip() for line in session.commands.splitlines()))
        words = session.program.split()
        line = ["gdb", "-nx", "-q", "-batch", "-iex", "set pagination off", "-iex", "set confirm off",
                "-iex", "set width 0", "-x", LOADER, "-x", os.path.join(HERE, "inside.py")]
        if words:
            line += ["--args", program(words[0])] + words[1:]
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, env=env, cwd=self.place)
        printed, hangs = [], []

        def end():
            hangs.append("hangs")
            process.kill()

        while True:
            timer = threading.Timer(SILENT, end)
            timer.start()
            text = process.stdout.readline()
            timer.cancel()
            if not text:
                break
            printed.append(text.decode(errors="replace"))
        status = process.wait()
        process.stdout.close()
        text = "".join(printed)
        if text.rstrip().endswith("<<done>>"):
            return text, None
        return text, "".join(hangs) or "ends with status %d" % status


def tail(text, lines=25):
    return "\n".join(text.splitlines()[-lines:])


def sound(session, text):
    """What is wrong with what a GDB printed, or None."""
    bad = BAD.search(text)
    if bad:
        return tail(text[:text.find("<<refused", bad.end()) + 400] if "<<refused" in text[bad.end():]
                    else text[:bad.end() + 400])
    parts = text.split("<<tidy>>")
    for turn, tidied in zip(parts, parts[1:]):
        if session.program and "\n(gdb) run" in turn and "exited normally" not in turn:
            return "the program did not end well:\n" + tail(turn, 60)
        if "Nothing is being recorded" not in tidied.split("(gdb) prof-stop")[2]:
            return "there is still a recording:\n" + tail(turn + tidied, 60)
    whole = text[text.find("<<whole>>"):]
    if "error: " in whole:
        return "without a refusal, it fails afterwards:\n" + tail(whole, 60)
    return None


def keep(place):
    """Make in PLACE what the views show."""
    with open(os.path.join(place, "kept.folded"), "w", encoding="utf-8") as file:
        file.write("main;work 3\nmain;rest 1\n")
    shutil.copy(program("calls-pg"), os.path.join(place, "exe"))
    subprocess.run(["./exe", "several", "1"], cwd=place, stdout=subprocess.DEVNULL, check=True)
    Gdb("shares", ["60"]).run("prof-start --rate=1000 --output=%s/kept.prof" % place, "run", "prof-stop")


def test(session, library, depth, skipped):
    """Run SESSION until nothing in it was not refused."""
    problems, refusals = [], 0
    with tempfile.TemporaryDirectory() as place:
        keep(place)
        failing = Failing(library, place, depth, skipped)
        for _ in range(DEATHS):
            text, why = failing.start(session)
            refusals += text.count("<<refused")
            with open(os.path.join(KEPT, "%s.%d.%d" % (session.name, depth, skipped)), "a",
                      encoding="utf-8") as log:
                log.write(text)
            if not why:
                wrong = sound(session, text)
                if wrong:
                    problems.append(wrong)
                break
            with open(os.path.join(place, "table"), "rb") as table:
                refused = table.read()[:2048].split(b"\0")[0].decode(errors="replace")
            problems.append("GDB %s after a refusal of %s:\n%s" % (why, refused, tail(text)))
    ok(refusals and not problems, "%s: %d refusals" % (session.name, refusals), "\n\n".join(problems))


require("cc")
depth, skipped = (int(word) for word in (sys.argv[1:3] or (1, 0)))
names = sys.argv[3:] or (SHORT if len(sys.argv) < 3 else [session.name for session in SESSIONS])
wanted = [session for session in SESSIONS if session.name in names]
plan(len(wanted))
KEPT = os.path.join(BUILD, "oom")
os.makedirs(KEPT, exist_ok=True)
with tempfile.TemporaryDirectory() as folder:
    made = os.path.join(folder, "failing.so")
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-shared", "-fPIC", "-o", made,
                    os.path.join(HERE, "failing.c")], check=True)
    for each in wanted:
        test(each, made, depth, skipped)
