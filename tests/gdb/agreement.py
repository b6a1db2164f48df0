# SPDX-License-Identifier: GPL-3.0-or-later
"""How far gdbprof's walk of stacks and GDB's own agree on programs of the distribution."""

import functools
import os
import random
import re
import shutil

from session import Gdb, program

PYTHON = """
import json, re, sys
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def deep(n):
    if not n:
        raise KeyError(n)
    return deep(n - 1)
for turn in range(%d):
    text = json.dumps([{"a": i, "b": [str(i)] * 3} for i in range(300)], indent=1)
    json.loads(text)
    re.sub(r"(\\d+)(?=\\D)", lambda match: match.group(1)[::-1], text)
    sorted(text.split(), key=lambda word: word[::-1])
    fib(15)
    for i in range(20):
        try:
            deep(i)
        except KeyError:
            pass
    str(3 ** 4000 %% 10 ** 2000)
"""

PERL = """
my %%seen;
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
for my $turn (1 .. %d) {
    my @words = map { sprintf("%%x", $_ * 2654435761 %% 4294967291) } 1 .. 2000;
    $seen{$_}++ for sort { reverse($a) cmp reverse($b) } @words;
    my $text = join(" ", @words);
    $text =~ s/([0-9]+)([a-f]*)/$2$1/g;
    eval { die "x" x 10 } for 1 .. 50;
    fib(12);
}
"""

SQL = """
CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL);
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < %d)
INSERT INTO t SELECT x, printf('%%08x', x * 2654435761 %% 4294967291), x / 7.0 FROM n;
CREATE INDEX i ON t(b);
SELECT count(*), sum(t.c) FROM t JOIN t AS u ON t.b = u.b WHERE t.b LIKE '%%a%%';
SELECT substr(b, 1, 2) AS k, avg(c) FROM t GROUP BY k ORDER BY 2 DESC LIMIT 3;
"""


@functools.lru_cache(None)
def write(folder, name, lines, changed):
    """A file of so many LINES of words, some of them CHANGED, in percent."""
    path = os.path.join(folder, name)
    chance = random.Random(7)
    change = random.Random(8)
    words = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(3, 9)))
             for _ in range(3000)]
    with open(path, "w") as file:
        for _ in range(lines):
            line = chance.choices(words, k=8)
            if change.random() < changed / 100:
                change.shuffle(line)
            file.write(" ".join(line) + "\n")
    return path


def workloads(folder, amount):
    """Each program that is installed, with its command line for about AMOUNT / 100 s of work."""
    text = write(folder, "a", 500 * amount, 0)
    before = write(folder, "before", 2000 * amount, 0)
    other = write(folder, "after", 2000 * amount, 20)
    found = {
        "python3": ["/usr/bin/python3", "-S", "-c", PYTHON % (3 * amount)],
        "perl": ["/usr/bin/perl", "-e", PERL % (3 * amount)],
        "sqlite3": ["/usr/bin/sqlite3", ":memory:", SQL % (2000 * amount)],
        "git": ["/usr/bin/git", "--no-pager", "diff", "--no-index", "--no-ext-diff",
                "--color-words=.", "--output=/dev/null", before, other],
        "xz": ["/usr/bin/xz", "-T1", "-k", "-f", "-6", text],
        "throws": [program("throws"), str(800 * amount)],
    }
    return {name: line for name, line in found.items() if shutil.which(line[0])}


def verify(line, rate=1000, every=1):
    """What verifying a run of the command LINE gives: equal stacks, stacks, percent of frames,
    frames, and all that was said.  While ld.so starts the program, GDB does not know yet of the
    libraries that it has mapped."""
    out = Gdb(line[0], line[1:]).run(
        "set breakpoint pending on", "tbreak __libc_start_main", "run",
        "set prof max-stopped 100", "set prof verify %d" % every, "prof-start --rate=%d" % rate,
        "continue", "prof-stop", "info breakpoints")
    found = re.search(r"Verified: (\d+) of (\d+) stacks and ([0-9.]+) % of (\d+) frames", out[7])
    said = "\n".join(out[2:])
    if not found:
        return 0, 0, 0.0, 0, said
    return (int(found.group(1)), int(found.group(2)), float(found.group(3)), int(found.group(4)),
            said)
