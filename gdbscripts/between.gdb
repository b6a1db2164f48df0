# SPDX-License-Identifier: GPL-3.0-or-later
# Profile between two places.
#
#	source between.gdb
#	prof-between load_config serve
#
# The program runs, or continues, to the first place.  gdbprof samples it from there to the second, and
# lists the functions.

define prof-between
  tbreak $arg0
  if $_thread == 0
    run
  else
    continue
  end
  prof-start
  tbreak $arg1
  continue
  prof-stop
  prof-functions
end

document prof-between
Profile the program between two places.
Usage: prof-between FIRST SECOND

The program runs, or continues, to FIRST.  gdbprof samples it from there to SECOND
and lists the functions.  A place is a location as for "break", without spaces.
end
