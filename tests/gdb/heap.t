#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Allocations are traced: all of them, once each, with their stacks, and what becomes of them."""

import os
import re
import shutil
import subprocess
import tempfile

from session import Gdb, lacking, ok, plan, rows, skip

METRICS = ("allocs", "bytes", "leaks", "leaked", "peak", "temporary")
VIEW = "prof-functions --format=csv --metric=" + ",".join("i." + name for name in METRICS)

plan(25)


def table(text):
    """What each function of the csv TEXT has, inclusively."""
    return {row["name"]: tuple(int(row[name + "_inclusive"]) for name in METRICS)
            for row in rows(text)}


# The program of the documentation: 10 allocations, of which 4 are left.
with tempfile.TemporaryDirectory() as folder:
    saved = os.path.join(folder, "saved.prof")
    out = Gdb("mt").run("prof-start --heap", "run", "prof-stop", VIEW, "prof-leaks", "prof-allocs",
                        "prof-heap", "prof-save " + saved, VIEW + " --thread=1", "prof-functions",
                        "prof-load " + saved, VIEW, "prof-heap")
found = table(out[3])
ok("done" in out[1] and "exited normally" in out[1], "the program runs to its end", out[1])
ok(found.get("grab", ())[:4] == (10, 15000, 4, 6000),
   "10 allocations of 15,000 bytes, 4 leaks of 6,000: pointed to or not", out[3])
ok(found.get("worker") == found.get("grab"), "and its callers have the same", out[3])
ok(re.search(r"#1, Instances = 4, Bytes Leaked = 6000\n  malloc \+ 0x00000000\n"
             r"  grab \+ 0x[0-9A-F]{8}, line \d+ in \".*mt.c\"\n  worker \+ ", out[4]),
   "prof-leaks has the stack", out[4])
ok(re.search(r"Allocation #1, Instances = 10, Bytes Allocated = 15000\n", out[5]),
   "so has prof-allocs", out[5])
total = found["<Total>"]
ok(re.search(r"Total allocations +%d\nTotal bytes +%d\n" % total[:2], out[6]) and
   re.search(r"Total leaked +%d\nTotal bytes +%d\n" % total[2:4], out[6]) and
   re.search(r"Heap size bytes +%d\n" % total[4], out[6]),
   "prof-heap has the same sums", out[6])
# One may be met in malloc(), but none is more for having been traced.
said, shown = re.search(r"^(\d+) sample", out[2], re.M), re.search(r"^ +(\d+) .* <Total>$", out[9], re.M)
ok(said and int(said[1]) == (int(shown[1]) if shown else 0), "what is sampled shows no allocation", out[2] + out[9])
ok(table(out[11]) == found and out[12].split("\n\n", 1)[1:] == out[6].split("\n\n", 1)[1:],
   "a file holds all of it", out[11] + out[12])

# Each way to allocate, and a mark in the middle.
out = Gdb("blocks").run(
    "break half", "prof-start --heap", "run", VIEW, "prof-mark middle", "continue", "prof-stop", VIEW,
    "prof-heap --mark=middle", "prof-heap --mark=middle --format=csv",
    VIEW + " --between=start,middle", VIEW + " --between=middle,end")
before, found = table(out[3]), table(out[7])
expected = {"by_malloc": (1, 11), "by_calloc": (1, 12), "by_realloc": (2, 30),
            "by_reallocarray": (1, 30), "by_valloc": (1, 31), "by_memalign": (1, 41),
            "by_aligned_alloc": (1, 128), "by_posix_memalign": (1, 61), "by_mmap": (1, 12288)}
for name, counts in sorted(expected.items()):
    ok(found.get(name, ())[:4] == counts + (0, 0), "%s is seen" % name,
       "%s, %s" % (found.get(name), out[7]))
ok(found.get("lose", ())[:4] == (1, 77, 1, 77) and found["main"][2:4] == (1, 77) and
   before["main"][2:4] == (2, 1077), "at a breakpoint a leak is what is not freed yet", out[3])
held = rows(out[9])
ok(sum(int(row["bytes"]) for row in held if "main" in row["stack"]) == 1077 and
   "Blocks = " in out[8], "a mark knows what was there", out[8] + out[9])
first, second = table(out[10]), table(out[11])
ok(first["main"][0] + second["main"][0] == found["main"][0] and "by_valloc" not in first and
   "by_malloc" not in second, "intervals have their part", out[10] + out[11])

# Millions of events of eight threads, all of them; there is room for them, if nobody takes any.
out = Gdb("mill", ["8", "200000"]).run("prof-start --heap", "run", "prof-stop", VIEW)
printed = [int(word) for word in re.findall(r"\d+", re.search("allocated.*", out[1]).group())]
found = table(out[3])
ok("lost" not in out[2].split("Rate")[0], "no event is lost", out[2])
ok(found.get("dig", ())[:4] == tuple(printed), "and none is there twice",
   "%s %s" % (found.get("dig"), printed))

# A real program, as valgrind counts it.
SCRIPT = """create table t(a integer primary key, b text);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 3000)
  insert into t select x, hex(zeroblob(10 + x % 10)) from c;
create index i on t(b);
select count(*), length(group_concat(b)) from t where b like '0%';
"""
why = lacking("sqlite3", "valgrind")
if not why:
    programs = [shutil.which(name) for name in ("sqlite3", "valgrind")]
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        arguments = [":memory:", "-init", "/dev/null", ".read " + script]
        said = subprocess.run([programs[1], programs[0]] + arguments, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out = Gdb(programs[0], arguments).run("prof-start --heap", "run", "prof-stop", VIEW)
    usage = re.search(r"total heap usage: ([\d,]+) allocs, .* frees, ([\d,]+) bytes", said.stderr)
    counts = tuple(int(number.replace(",", "")) for number in usage.groups()) if usage else ()
    ok(counts and table(out[3]).get("<Total>", ())[:2] == counts,
       "sqlite3 has allocated what valgrind says", said.stderr + out[3][:2000])
    ok(said.stdout.strip() and said.stdout.strip() in out[1], "and has printed the same",
       said.stdout + out[1])
else:
    skip(2, "sqlite3 and valgrind", why)

# What C++ allocates shows how.
out = Gdb("given", ["1"]).run("prof-start --heap --engine=none", "run", "prof-stop", "prof-allocs")
ok(re.search(r"Bytes Allocated = 77\n  malloc \+ 0x00000000\n(  operator new\[?\]?\(.*\n)+  make\(", out[3]),
   "operator new is between malloc and who calls it", out[3])
