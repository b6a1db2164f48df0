#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-break: a program that misbehaves once stops once, where it does, and one that behaves never."""

import re
import subprocess

from dialog import Dialog
from session import MORE, Gdb, engines, ok, plan

CALL = "prof-break --call=serve --longer=1s"
RELEASE = "set var released = 1"


def stops(text, number=1):
    """The lines that say why the program has stopped."""
    return re.findall(r"^Performance breakpoint %s, .*$" % number, text, re.M)


def quiet(gdb, *commands):
    """Whether a program that behaves ends without a stop."""
    out = gdb.run(*commands, "run", "info prof-breaks")
    return "exited normally" in out[-2] and not stops(out[-2]) and re.search(r"^1 +y +0 ", out[-1], re.M)


def test_call():
    """A call that lasts."""
    out = Gdb("misbehaves", ["slow"]).run(
        CALL, "run", "bt", RELEASE, "continue", "info prof-breaks", "info breakpoints", "maint info breakpoints", "run")
    ok(out[0].strip() == "Performance breakpoint 1: serve runs for more than 1 s.", "prof-break reports what it has set", out[0])
    found = stops(out[1])
    ok(len(found) == 1 and re.search(r", serve has run for ([1-9]|\d\d)[.\d]* s, [.\d]+ .?s of it on a CPU$", found[0]),
       "the stop says for how long the call has run", out[1])
    ok(re.search(r"linger \(.*\n.*serve \(number=\S*150, ", out[2]), "the stop is in the call", out[2])
    ok("exited normally" in out[4] and not stops(out[4]), "there is one stop", out[4])
    ok(re.search(r"^1 +y +1  serve runs for more than 1 s$", out[5], re.M) and "catchpoint already hit 1 time" in out[6],
       "both lists have it", out[5] + out[6])
    ok(out[7].count("serve") <= 1 and len(stops(out[8])) == 1, "it works in the next run, too", "\n".join(out[7:]))
    ok(quiet(Gdb("misbehaves"), CALL), "a program that behaves does not stop")
    if MORE:
        ok(all(quiet(Gdb("misbehaves"), CALL) for _ in range(100)), "nor in a hundred runs")


def test_modes():
    """With each engine, in non-stop mode and by MI."""
    for engine in engines():
        out = Gdb("misbehaves", ["slow"]).run(
            "prof-start --rate=1000 --engine=" + engine, CALL, "run", "delete", RELEASE, "continue", "prof-stop")
        ok(len(stops(out[2], r"\d+")) == 1 and "exited normally" in out[5] and "samples in" in out[6],
           "the engine %s records meanwhile" % engine, "\n".join(out))
    gdb = Dialog("misbehaves", ["slow"])
    for command in ("set non-stop on", CALL, "run &"):
        gdb.say(command)
    stop = gdb.wait("^Performance breakpoint 1, .*")
    threads = gdb.say("info threads")
    for command in ("thread 2", RELEASE, "continue"):
        gdb.say(command)
    ended = gdb.wait("exited normally")
    gdb.end()
    ok(stop and ended and len(stops(gdb.text)) == 1 and re.search(r"1 .*misbehaves.*\(running\)\n. 2 .*nanosleep", threads),
       "in non-stop mode the thread stops alone", gdb.text)
    gdb = Gdb("misbehaves", ["slow"])
    lines = ('-interpreter-exec console "%s"' % CALL, "-exec-run", "-break-list", "-stack-list-frames", "-gdb-exit")
    out = subprocess.run(gdb.command("-i=mi3"), input="".join(line + "\n" for line in lines), env=gdb.env,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False).stdout
    torn = [line for line in out.splitlines() if line and line[0] not in "~&=*^@("]
    ok(re.search(r'^~"Performance breakpoint 1, serve has run for .*\\n"$', out, re.M) and out.count("*stopped") == 1 and
       "SIGURG" in out and not torn, "by MI it is text of the console, and the records stay whole", out)


def test_commands():
    """What GDB's commands do with it."""
    soon = CALL.replace("1s", "500ms")
    out = Gdb("misbehaves", ["slow"]).run(
        soon, soon + " if number == 7", soon, CALL.replace("1s", "1500ms"), "disable 1", "ignore 3 1", "condition 4 released == 0",
        "python gdb.execute('commands 4\\nsilent\\nprintf \"<%d>\", released\\nset var released = 1\\nend')",
        "run", "continue", "info prof-breaks", "delete 4", "info prof-breaks", "maint info breakpoints", "delete", "info prof-breaks")
    ok("<0>" in out[8] and not stops("".join(out[8:10]), r"\d") and "exited normally" in out[9], "those that GDB ignores do not stop", "\n".join(out))
    ok(re.findall(r"^(\d) +([yn]) +(\d)  ", out[10], re.M) == [("1", "n", "0"), ("2", "y", "0"), ("3", "y", "1"), ("4", "y", "1")],
       "they are counted as GDB counts", out[10])
    ok("1.5 s, if released == 0" in out[10],
       "a condition that is given later is its own", out[10])
    ok("released == 0" not in out[12] and "There are no performance breakpoints" in out[15], "delete removes them", "\n".join(out[10:]))


def test_refused():
    out = Gdb("misbehaves").run(
        "prof-break", "prof-break serve", "prof-break --call=serve", CALL + " if", "prof-break --call=serve --longer=1us",
        "prof-break --call=nosuch --longer=1s", "info prof-breaks", "maint info breakpoints")
    ok(all(word in text for word, text in zip(
        ("when to stop", '"if EXPRESSION"', "--longer=TIME", 'after "if"', "from 1 ms", "does not know this function yet"), out)),
       "what is wrong is said", "\n".join(out))
    ok(out[6].count("runs for more") == 1, "and nothing is set then", out[6])


plan(7 + MORE + len(engines()) + 2 + 4 + 2)
test_call()
test_modes()
test_commands()
test_refused()
