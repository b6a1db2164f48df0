#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two parts of one recording side by side: a filter that is given twice."""

import os
import tempfile

from session import Gdb, again, ok, plan, rows


def inclusive(text):
    """{name: (A, B)}"""
    return {row["name"]: (float(row["inclusive_a"]), float(row["inclusive_b"])) for row in rows(text)}


def names(text):
    return {row["name"] for row in rows(text)}


def record(path):
    """A session that was in inner and outer, then in factorial and count, saved in PATH."""
    return Gdb("session").run(
        "handle SIGUSR1 nostop noprint", "prof-start --rate=1000", "break inner", "run", "delete", "prof-mark first",
        "tbreak factorial", "continue", "prof-mark second", "tbreak take_signals", "continue", "prof-mark third", "prof-stop",
        "prof-save " + path, "prof-functions --between=first,second --format=csv",
        "prof-functions --between=second,third --format=csv")[-2:]


def test_parts(path, picture):
    parts = "--between=first,second --between=second,third"
    out = Gdb("session").run(
        "prof-load " + path, "prof-compare --format=csv " + parts, "prof-compare --view=tree --format=csv " + parts,
        "prof-compare --view=callers burn --format=csv " + parts, "prof-compare " + parts,
        "prof-compare --since=first --since=second --format=csv", "prof-flame %s --color=difference %s" % (picture, parts),
        "prof-functions --format=csv", "prof-compare --leaf=burn --format=csv " + parts,
        "prof-compare %s %s --format=csv" % (path, path), "prof-compare --thread=1 --thread=2", "prof-compare",
        "prof-compare one", "prof-compare --between=first,second", "prof-compare burn " + parts,
        "prof-flame %s --color=difference --between=first,second" % picture, "prof-compare --since=first --since=second --since=third")
    return out


with tempfile.TemporaryDirectory() as folder:
    recorded, drawn = os.path.join(folder, "recorded"), os.path.join(folder, "drawn.svg")
    first, second = again(lambda: record(recorded), lambda out: "inner" in names(out[0]) and "count" in names(out[1]))
    out = test_parts(recorded, drawn)
    with open(drawn, encoding="utf-8") as file:
        svg = file.read()

plan(9)
found = inclusive(out[1])
whole = [{row["name"]: float(row["inclusive"]) for row in rows(text)} for text in (first, second)]
ok(found["inner"] == (whole[0]["inner"], 0) and found["count"] == (0, whole[1]["count"]) and
   found["<Total>"] == (whole[0]["<Total>"], whole[1]["<Total>"]), "functions have what each part has", out[1])
ok({"inner", "count", "main"} <= names(out[2]) and {"inner", "count"} <= names(out[3]), "so have trees and callers", out[2:4])
ok("A: --between=first,second; " in out[4] and "B: --between=second,third; " in out[4] and
   "Filter: --between=first,second for A, --between=second,third for B (" in out[4] and out[4].count("Rate: ") <= 1, "the heading names the parts", out[4])
ok(inclusive(out[5])["<Total>"][1] == whole[1]["<Total>"], "marks begin parts as well", out[5])
ok("--between=first,second, then --between=second,third" in svg and "inner" in svg and "count" in svg,
   "a picture shows the difference", out[6])
ok("main" in names(out[7]), "the experiment at hand stays", out[7])
ok(set(inclusive(out[8])) <= set(found) and inclusive(out[8])["burn"] == found["burn"], "a filter given once is for both", out[8])
ok(inclusive(out[9])["<Total>"][0] == inclusive(out[9])["<Total>"][1] > 0, "files are compared as before", out[9])
ok('no thread "1"' in out[10] and all("twice" in text for text in (*out[11:14], out[15], out[16])) and
   'leave out "burn"' in out[14], "what makes no sense is refused", out[10:])
