# SPDX-License-Identifier: GPL-3.0-or-later
# What `make demo` shows: a program sampled while it runs inside GDB.
set pagination off
set prof rate 1000
echo \n(gdb) prof-start\n
prof-start
echo (gdb) run\n
run
echo (gdb) prof-stop\n
prof-stop
echo (gdb) prof-tree --collapse=full\n
prof-tree --collapse=full
echo \n(gdb) prof-functions\n
prof-functions
echo \n(gdb) prof-gprof --graph\n
prof-gprof --graph
