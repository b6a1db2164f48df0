#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of the distribution, without symbols: their output is right, and their stacks whole."""

import lzma
import os
import random
import re
import shutil
import tempfile

from session import Gdb, ok, plan, rows

SQL = ("WITH RECURSIVE c(x, y) AS (SELECT 1, 7 UNION ALL SELECT x + 1, (y * 31 + x) %% 1009 FROM c "
       "WHERE x < %d) SELECT count(*), sum(x), max(y) FROM c;")
STEPS = 3000000


def record(program, *args):
    """What a recording of PROGRAM gives: the functions, the roots of the tree, the output."""
    out = Gdb(shutil.which(program), args).run(
        "set prof max-stopped 100", "prof-start --rate=1000",
        "run", "prof-stop",
        "prof-functions --format=csv", "prof-tree --format=csv --sort=inclusive")
    functions = {row["name"]: row for row in rows(out[4])}
    roots = {row["name"]: row for row in rows(out[5]) if row["level"] == "1"}
    return functions, roots, out


def check(program, functions, roots, out):
    """Are there samples, and are their stacks whole?"""
    total = float(functions["<Total>"]["inclusive"]) if functions else 0
    ok("exited normally" in out[2] and total > 100, "%s runs to its end and is sampled" % program,
       out[2] + out[3])
    failed = functions.get("<Stack-unwind-failed>")
    ok(not failed or float(failed["inclusive"]) < 0.01 * total, "%s: stacks can be walked" % program,
       out[4][:2000])
    start = re.compile(r"_start$|<static>@0x[0-9a-f]+ \(<%s>\)$" % re.escape(program))
    rooted = sum(float(row["direct"]) for name, row in roots.items() if start.match(name))
    ok(rooted > 0.98 * total, "%s: they begin where the program does" % program,
       "%s of %s\n%s" % (rooted, total, "\n".join(roots)))


def share(functions, word):
    """The exclusive share of all functions whose names hold WORD, in percent."""
    return sum(float(row["exclusive_percent"]) for name, row in functions.items() if word in name)


plan(9)
with tempfile.TemporaryDirectory() as folder:
    data = os.path.join(folder, "data")
    chance = random.Random(1)
    words = [bytes(chance.choices(b"abcdefghijklmnop", k=chance.randint(3, 9))) for _ in range(3000)]
    text = b" ".join(chance.choices(words, k=600000))
    with open(data, "wb") as file:
        file.write(text)

    found = record("xz", "-T1", "-k", data)
    check("xz", *found)
    with lzma.open(data + ".xz") as file:
        ok(file.read() == text, "xz: what it packed is right")
    ok(share(found[0], "lzma") > 80, "xz: liblzma is named", found[2][4][:2000])

    found = record("sqlite3", ":memory:", SQL % STEPS)
    check("sqlite3", *found)
    y, highest = 7, 7
    for x in range(1, STEPS):
        y = (y * 31 + x) % 1009
        highest = max(highest, y)
    answer = "%d|%d|%d" % (STEPS, STEPS * (STEPS + 1) // 2, highest)
    ok(answer in found[2][2].splitlines(), "sqlite3: its answer is right", found[2][2])
