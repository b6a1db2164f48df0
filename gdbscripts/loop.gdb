# SPDX-License-Identifier: GPL-3.0-or-later
# Mark every pass of an event loop, and show what each pass took.
#
#	source loop.gdb
#	prof-loop handle_event
#	run
#	prof-passes
#
# A pass begins at the place, a location as for `break' without spaces.

define prof-loop
  prof-mark-at $arg0 pass
  prof-start --rate=hi
end

document prof-loop
Mark every pass of a loop, and sample the program.
Usage: prof-loop LOCATION

A pass begins at LOCATION, which is as for "break", without spaces.  Use prof-passes
after the program has run.
end

define prof-passes
  prof-stop
  prof-overview --between=pass,pass
end

document prof-passes
End the recording of prof-loop, and show what each pass took.
Usage: prof-passes

The figures are those of prof-overview, one interval for each pass.
end
