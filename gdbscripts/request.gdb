# SPDX-License-Identifier: GPL-3.0-or-later
# Profile one request of many, and save it: compare the first with the hundredth, for example.
#
#	source request.gdb
#	prof-request handle_request 1 first.prof
#	prof-request handle_request 99 later.prof
#	prof-compare first.prof later.prof
#
# The number counts the calls of the function from now on.

define prof-request
  tbreak $arg0
  ignore $bpnum $arg1 - 1
  if $_thread == 0
    run
  else
    continue
  end
  prof-start --rate=hi
  finish
  prof-stop
  prof-save $arg2
end

document prof-request
Profile one call of a function, and save the experiment.
Usage: prof-request FUNCTION NUMBER FILE

gdbprof samples call number NUMBER of FUNCTION from now on, until it returns, and
saves the experiment to FILE.
end
