# SPDX-License-Identifier: GPL-3.0-or-later
# Mark every pass of an event loop, and see what each took.
#
#	source loop.gdb
#	prof-loop handle_event
#	run
#	prof-passes
#
# The place is what `break' takes, without spaces: there a pass begins.

define prof-loop
  prof-mark-at $arg0 pass
  prof-start --rate=hi
end

document prof-loop
Mark every pass of a loop by the place where it begins, and sample.
Usage: prof-loop LOCATION
end

define prof-passes
  prof-stop
  prof-overview --between=pass,pass
end

document prof-passes
End the recording of prof-loop, and show what each pass took.
Usage: prof-passes
end
