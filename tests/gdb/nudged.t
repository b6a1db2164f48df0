#!/usr/bin/python3
"""A thread that is let go on alone, and takes too long, stands still again before GDB goes on."""

from session import Gdb, ok, plan

# Breakpoints at the system call within the function that the thread stands in.
AT_CALL = ("python frame = gdb.selected_frame(); code = frame.architecture().disassemble(frame.pc(), frame.pc() + 200); "
           "[gdb.execute('break *%d' % one['addr']) for one in code if one['asm'].startswith('syscall')]")

plan(2)

# The step over the breakpoint is a second's sleep.
out = Gdb("/usr/bin/sleep", ["1"]).run(
    "set breakpoint pending on", "tbreak clock_nanosleep", "run", AT_CALL, "continue", "x/i $pc",
    "prof-start --heap --engine=none", "print $pc", "delete", "continue", "prof-stop")
ok("syscall" in out[5] and "clock_nanosleep" in out[7] and "No such process" not in "".join(out),
   "a thread at a breakpoint before a system call stands still after it", "".join(out))
ok("exited normally" in out[9] and "Traced: the heap" in out[10], "and goes on as always", "".join(out[8:]))
