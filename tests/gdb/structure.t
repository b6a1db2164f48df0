#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same metrics on load objects, lines, addresses and threads; and filters."""

import os
import re
import shutil
import tempfile

from session import Gdb, ok, plan, program, rows

EXPORTED = os.path.join(tempfile.mkdtemp(), "stacks")
# Before glibc 2.34 the file is libc-2.31.so and the like.
LIBC = os.path.basename(os.path.realpath("/lib/%s-linux-gnu/libc.so.6" % os.uname().machine)).replace(".so.6", ".so")
LIST = " --format=csv --metric=e.samples:i.samples"


def table(text):
    """{name: (exclusive, inclusive)}"""
    return {row["name"]: (float(row["samples_exclusive"]), float(row["samples_inclusive"]))
            for row in rows(text)}


def sum_of(lists, part):
    """The exclusive samples of what is named after PART."""
    return sum(own for name, (own, _) in lists.items() if name.startswith(part))


def own(text, name):
    """The share of NAME itself in the list TEXT, in percent, and of how many samples."""
    found = table(text)
    total = found.get("<Total>", (0, 0))[0]
    return 100 * found.get(name, (0, 0))[0] / max(total, 1), total


plan(20)
out = Gdb("callback", ["500"]).run(
    "break main", "run", "set prof max-stopped 100", "prof-start --rate=2000", "continue", "prof-stop", *[
        view + LIST for view in ("prof-functions", "prof-objects", "prof-lines", "prof-pcs")],
    "prof-functions --inline=off" + LIST, "prof-lines --inline=off" + LIST,
    "prof-threads --format=csv --metric=.samples",
    "prof-functions --function=sort" + LIST, "prof-functions --not-function=sort" + LIST,
    "prof-functions --leaf=unit" + LIST, "prof-functions --object=callback --state=user" + LIST,
    "set prof filter --function=plain", "prof-functions", "prof-functions --function=sort" + LIST,
    "set prof filter", "prof-functions --function=nobody", "prof-functions --time=100s-",
    "set prof filter --interval=99", "prof-functions", "prof-functions --interval=1 --limit=1",
    "set prof filter --function=plain", "prof-callers sort", "prof-functions --object=%s" % LIBC + LIST,
    "prof-functions --object=libx.so", "prof-export --function=sort --inline=off %s" % EXPORTED,
    "shell cat " + EXPORTED, "prof-export " + EXPORTED, "shell cat " + EXPORTED,
    "set prof filter", "prof-functions --object=callback --state=system" + LIST,
    "prof-functions --last=1h" + LIST, "prof-functions --last=100ms" + LIST, "prof-functions --last=soon")[2:]
functions, objects, lines, pcs, folded, folded_lines = map(table, out[4:10])
total, said = functions.get("<Total>", (0, 0))[0], "\n".join(out[4:10])
ok(total > 300, "there are samples enough", out[3])
exe = objects.get(program("callback"), (0, 0))
libc = next((v for name, v in objects.items() if re.search(r"/libc[.-]", name)), (0, 0))
ok(exe[1] == total and libc[1] <= total and libc[1] > 0.3 * total,
   "a recursion through the library counts each object once", said)
ok(sum(one for name, (one, _) in objects.items() if name != "<Total>") == total,
   "the objects' exclusive samples are all of them", said)
# A page fault may be met at the program's own entry for a function of a library, "qsort@plt", or at one of the library's.
named = sum(functions.get(name, (0, 0))[0] for name in ("unit", "compare", "sort", "plain", "main"))
entries = sum(one for name, (one, _) in functions.items() if name.endswith("@plt"))
ok(named <= exe[0] <= named + entries, "an object's are those of its functions", said)
ok(sum_of(lines, "unit, line ") == functions["unit"][0], "lines add up to their function", said)
ok(sum_of(pcs, "unit, inlined in ") == functions["unit"][0], "addresses add up to their function", said)
ok(functions["unit"][0] > 0.8 * total and "unit" not in folded and
   folded["compare"][0] + folded["plain"][0] > 0.8 * total,
   "inlined functions can be folded into their callers", said)
ok(not sum_of(folded_lines, "unit, line ") and
   sum_of(folded_lines, "compare, line ") == folded["compare"][0], "and their lines", said)
threads = rows(out[10])
ok(float(threads[-1]["samples"]) == total, "the only thread has all", out[10])

first, second = table(out[11]), table(out[12])
ok("plain" not in first and "sort" not in second and "plain" in second and
   first["<Total>"][0] + second["<Total>"][0] == total,
   "a filter divides the samples by function", out[11] + out[12])
share, samples = own(out[12], "unit")
ok(share > 90 and samples > 100, "and shows what it leaves alone", out[12])
ends = table(out[13])
ok(ends["unit"][0] == ends["<Total>"][0] == functions["unit"][0],
   "stacks may be chosen by where they end", out[13])
# The kernel accounts for what a stop takes as the program's system time, on some machines more than on others.
user, system = (table(text).get("<Total>", (0, 0))[0] for text in (out[14], out[33]))
ok(user + system == total and user > system, "by object and state", out[14] + out[33])
ok("Filter: --function=plain (" in out[16] and table(out[17]) == first,
   "by a setting, which gives way to an option", out[16] + out[17])
ok('The experiment has no function "nobody"; see prof-functions.' in out[19], "what is not there is said", out[19])
ok("The filter leaves no sample." in out[20], "as is a filter that leaves nothing", out[20])
ok("no interval 99" in out[22] and out[22].rstrip().endswith("(filtered by set prof filter --interval=99).")
   and "Filter: --interval=1 (" in out[23] and "\"sort\" is in any stack (filtered by" in out[25],
   "an error tells of the setting, which it has no heading for", "".join(out[21:26]))
ok(table(out[26])["<Total>"][1] > 0 and "see prof-objects (filtered by" in out[27],
   "load objects have the names that linkers know", out[26] + out[27])
weights = [[line.rsplit(" ", 1) for line in out[i].splitlines() if ";" in line] for i in (29, 31)]
ok("--function=sort (" in out[28] and "--function=plain (" in out[30] and all(
    part and all(name in stack.split(";") for stack, _ in part)
    for part, name in zip(weights, ("sort", "plain"))) and "unit" not in out[29] and
   sum(int(weight) for _, weight in weights[0]) == first["<Total>"][1],
   "what is exported is filtered too, and it is said", "".join(out[28:]))
ok(table(out[34])["<Total>"][0] == total > table(out[35])["<Total>"][0] and '"soon" is not' in out[36],
   "the last part may be chosen", "".join(out[33:36]))
shutil.rmtree(os.path.dirname(EXPORTED))
