# SPDX-License-Identifier: GPL-3.0-or-later
# For daily use: a part of a .gdbinit.
#
#	source /usr/local/lib/gdbprof/prof.py
#	source /usr/local/lib/gdbprof/daily.gdb
#
# It collapses recursion as far as no name is lost, samples 200 times a second, and adds the commands
# `hot', `hot-lines', `waits' and `who'.

set prof collapse conservative
set prof rate 200

define hot
  prof-functions --limit=11
end
document hot
List the ten functions with the largest exclusive metric.
end

define hot-lines
  prof-lines --limit=11
end
document hot-lines
List the ten lines with the largest exclusive metric.
end

define waits
  prof-functions --metric=lock,other --sort=inclusive --limit=21
end
document waits
List the functions in which threads wait for locks or anything else.
end

define who
  prof-callers $arg0
end
document who
Show the callers and callees of FUNCTION.
Usage: who FUNCTION
end
