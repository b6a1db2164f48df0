# SPDX-License-Identifier: GPL-3.0-or-later
# Sample until a function has more than its share of the CPU time, and stop there.
#
#	source until-share.gdb
#	prof-until-share parse_header 30
#
# The program stops at the next call of the function once the function and what it called have more than
# this percentage of the CPU time, and there are at least 100 samples.

define prof-until-share
  tbreak $arg0 if $_prof_samples() >= 100 && $_prof_inclusive("$arg0", "cpu") * 100 > $arg1 * $_prof_inclusive("<Total>", "cpu")
  prof-start
  if $_thread == 0
    run
  else
    continue
  end
end

document prof-until-share
Sample until a function has more than its share of the CPU time, and stop there.
Usage: prof-until-share FUNCTION PERCENT

The program stops at the next call of FUNCTION once this function and what it called
have more than PERCENT of the CPU time, and there are at least 100 samples.
end
