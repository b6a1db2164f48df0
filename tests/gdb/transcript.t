#!/usr/bin/python3
"""Sampling is not seen: a debug session reads the same with it and without."""

import difflib
import os
import re
import tempfile

from session import Gdb, ok, plan

# What every session does, as a user would at the prompt.  FIRST is the number of the first
# breakpoint.  A line with ! is left out with the catch engine, which takes SIGURG for itself, and
# whose ticks end a step of one instruction: GDB takes the catchpoint that they hit for its end.
SINGLE = """
info breakpoints
break outer
tbreak main
run >> OUTPUT
print $bpnum
print $_exitcode
next
step
info breakpoints
continue
info locals
next
info locals
print before
step
backtrace
info args
print *point
up
info locals
print points
print $[1].name
print $$2
down
finish
print $
next
print found + 1
until
continue
next
advance inner
info symbol outer
x/2i $pc
print $_
x/s points[1].name
print $_
condition FIRST turn >= 4
ignore FIRST 1
continue
print turn
info breakpoints
commands FIRST
silent
print turn
backtrace 1
continue
end
tbreak factorial if n == 2
continue
backtrace
display n
display/x n
info display
next
next
finish
undisplay 1
undisplay 2
print factorial(3)
call points[1].x
call burn(3000)
print outer(5)
print counter
delete FIRST
continue
tbreak count
continue
set can-use-hw-watchpoints 1
watch counter
set $first = $bpnum
awatch points[0].x
info watchpoints
delete $bpnum
continue
continue
print counter
info watchpoints
finish
delete $first
tbreak count
continue
set can-use-hw-watchpoints 0
watch counter if counter > 8
info watchpoints
continue
info breakpoints
delete $bpnum
set can-use-hw-watchpoints 1
next
finish
tbreak take_signals
continue
handle SIGUSR1 stop print pass
handle SIGALRM nostop noprint pass
!handle SIGURG stop print pass
continue
print $_siginfo.si_signo
backtrace
handle SIGUSR1 nostop print pass
tbreak handle
continue
backtrace
finish
!continue
!print $_siginfo.si_signo
!step
!backtrace
tbreak make_child
continue
catch fork
catch exec
info breakpoints
continue
print users
print alarms
next
info inferiors
continue
info inferiors
tbreak factorial
continue
print $_exitcode
print n
!stepi
x/i $pc
!nexti
x/i $pc
info line
continue
print $_exitcode
info breakpoints
print $bpnum
show convenience
run >> OUTPUT
kill
start >> OUTPUT
next 3
step 4
show values 3
info program
"""

THREADED = """
set print thread-events off
break gathered
tbreak work if index == 3
run >> OUTPUT
next
info threads
finish
continue
tbreak work if index == 1
continue
info threads
up
info locals
finish
set scheduler-locking on
next
next
set scheduler-locking off
tbreak work thread 5
continue
info threads
print $_thread
thread name one
thread find one
thread apply 2-3 -q -- print rounds
thread 5
watch rounds[2]
continue
info breakpoints
delete $bpnum
call burn(5000)
print work(0, 7)
continue
print rounds
info threads
finish
next
delete FIRST
continue
print $_exitcode
info threads
"""

# A table of breakpoints without a row, and what GDB says where there is none.
EMPTY = "Num     Type           Disp Enb Address    What\n(gdb)"
NONE = "No breakpoints or watchpoints.\n(gdb)"

# How a session begins: without sampling, and with each engine.  The catch engine's catchpoint has
# taken a number, and SIGURG: the session that it is held against has done without both.
UNSAMPLED = []
STOP = ["prof-start --rate=1000 --engine=stop"]
CATCH = ["prof-start --rate=100 --engine=catch"]
AS_CATCH = ["tbreak main", "delete 1", "set $bpnum = (void) 0",
            "handle SIGURG nostop noprint nopass"]


def normal(text):
    """TEXT without what differs between two sessions in any case, and without the catchpoint."""
    text = re.sub(r"\b(process|LWP) \d+", r"\1 N", text)
    # Where a thread happens to be that runs meanwhile: only its name is the same.
    text = re.sub(r'(Thread 0x\w+ \(LWP N\)( "\w+")?) .*', r"\1", text)
    text = re.sub(r'\d+ +catchpoint +keep y +signal "SIGURG".*\n(\t.*\n)+', "", text)
    return text.replace(EMPTY, NONE)


def session(exe, script, begin, catch=False):
    """What a session of SCRIPT that starts with BEGIN prints, and then what its program printed."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "output")
        script = script.replace("FIRST", "2" if catch else "1")
        lines = [line.lstrip("!").replace("OUTPUT", output)
                 for line in script.strip().split("\n") if not (catch and line[0] == "!")]
        text = Gdb(exe).talk(*begin, "echo begun\\n", *lines)
        begun = text.find("\nbegun\n")
        text = text[begun:].replace(output, "OUTPUT") if begun >= 0 else "<<not begun>>" + text
        if not os.path.exists(output):
            return normal(text) + "<<no output>>"
        with open(output, encoding="utf-8") as file:
            return normal(text) + file.read()


def compare(sampled, unsampled, name):
    """Are both transcripts the same, and did the session come to its end?"""
    difference = difflib.unified_diff(
        unsampled.splitlines(), sampled.splitlines(), "unsampled", "sampled", lineterm="")
    ok(sampled == unsampled and "<<" not in sampled, name, "\n".join(difference))


if __name__ == "__main__":
    plan(4)
    for what, program, script in (("one thread", "session", SINGLE), ("threads", "turns", THREADED)):
        compare(session(program, script, STOP), session(program, script, UNSAMPLED),
                "%s, the engine stop" % what)
        compare(session(program, script, CATCH, True), session(program, script, AS_CATCH, True),
                "%s, the engine catch" % what)
