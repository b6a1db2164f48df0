# SPDX-License-Identifier: GPL-3.0-or-later
# Profile between two places.
#
#	source between.gdb
#	prof-between load_config serve
#
# The program runs, or goes on, to the first; from there to the second it is sampled, and then the
# functions are listed.  A place is what `break' takes, without spaces.

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
end
