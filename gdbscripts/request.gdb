# SPDX-License-Identifier: GPL-3.0-or-later
# Profile one request of many, and save it; so the first can be held against the hundredth.
#
#	source request.gdb
#	prof-request handle_request 1 first.prof
#	prof-request handle_request 99 later.prof
#	prof-compare first.prof later.prof
#
# The number counts calls of the function from now on.

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
Profile one call of FUNCTION, the NUMBERth from now on, and save it to FILE.
Usage: prof-request FUNCTION NUMBER FILE
end
