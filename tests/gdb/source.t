#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Source and instructions with metrics beside them."""

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

from session import TOP, Gdb, again, ok, plan, program, rows

LIST = " --format=csv --metric=ei.samples"
RECORD = ["set prof max-stopped 100", "prof-start --rate=2000", "run", "prof-stop"]


def number_of(mark, path=os.path.join(TOP, "tests", "programs", "lines.c")):
    """The number of the line that the comment MARK is in."""
    with open(path) as file:
        return next(i for i, line in enumerate(file, 1) if "/* %s */" % mark in line)


def parse(text):
    """The rows of code in the list TEXT, and {name: (exclusive, inclusive)} of the others."""
    code, sums = [], {}
    for row in rows(text):
        what = row.get("source", row.get("instruction"))
        own, within = (float(row[name] or 0) for name in ("exclusive", "inclusive"))
        if what == "<Total>" or (what.startswith("<Function: ") and "without line" not in what):
            if row["exclusive"]:
                sums[what] = (own, within)
        else:
            code.append((row["hot"] == "1", row["line"], what, own, within))
    return code, sums


def is_sum(listing, name, total):
    """Do the rows of LISTING add up to TOTAL, which that of the function NAME has too?"""
    code, sums = listing
    return (sum(row[3] for row in code), sum(row[4] for row in code)) == total == \
        sums.get("<Function: %s>" % name)


plan(34)
here = tempfile.mkdtemp()
text = ["functions", "source hot", "disas hot", "source outer", "source bare", "disas bare", "disas outer",
        "source inner", "disas inner", "source lines.c"]
out = Gdb("lines", ["1500"]).run(*RECORD, *[
    "prof-" + view + LIST for view in text], *[
        "prof-" + view + LIST + " --inline=off" for view in (
            "functions", "source outer", "disas outer")],
    "prof-source hot", "prof-disas hot --metric=samples,e%cpu", "prof-source nobody", "prof-disas lines.c",
    "prof-source hot --function=nobody", "prof-source hot --function=bare" + LIST)
said = dict(zip(text, out[4:14]))
details = "\n".join(out[3:17])
functions = {row["name"]: (float(row["exclusive"]), float(row["inclusive"]))
             for row in rows(said["functions"])}
folded = {row["name"]: (float(row["exclusive"]), float(row["inclusive"])) for row in rows(out[14])}
listings = {name: parse(text) for name, text in said.items() if name != "functions"}
total = functions.get("<Total>", (0, 0))[0]
ok(total > 300 and all(functions[name][1] > 30 for name in ("hot", "inner", "bare")),
   "there are samples enough", details)
for name in ("source hot", "disas hot", "source inner", "disas inner", "source outer", "disas outer",
             "source bare", "disas bare"):
    function = name.split()[1]
    ok(is_sum(listings[name], function, functions[function]),
       "the rows of prof-%s add up to the function" % name, said["functions"] + said[name])
ok(is_sum(parse(out[15]), "outer", folded["outer"]) and is_sum(parse(out[16]), "outer", folded["outer"])
   and folded["outer"][0] > 0.9 * functions["inner"][0],
   "and those with inlined code folded into it", out[14] + out[15] + out[16])

line = number_of("hot")
code = listings["source hot"][0]
# The tick that hits the division is met behind it, where the loop goes on.
around = sum(row[3] for row in code if row[1] in (str(line), str(line - 1)))
ok(around > 0.95 * functions["hot"][0] and [row for row in code if row[0]][0][1] in (
    str(line), str(line - 1)), "the hot line is marked", said["source hot"])
ok([row[2].strip() for row in code if row[1] == str(line)][0].endswith("/* hot */"),
   "the source is beside it", said["source hot"])
code = listings["disas hot"][0]
hot = [i for i, row in enumerate(code) if row[0]]
division = next((i for i, row in enumerate(code) if "div" in row[2]), 0)
ok(len(hot) == 1 and hot[0] in (division, division + 1), "so is the hot instruction", said["disas hot"])
ok([row[2] for row in listings["source bare"][0]] == [
    "<Function: bare, instructions without line numbers>"],
   "code without lines is one row", said["source bare"])
call = [row for row in listings["source outer"][0] if row[1] == str(number_of("inlines"))]
ok(call and call[0][4] > 0.9 * functions["outer"][1] and call[0][0] and not [
    row for row in listings["source outer"][0] if "without line" in row[2]],
   "what is inlined counts at the line of its call", said["source outer"])
whole = listings["source lines.c"]
ok(whole[1]["<Function: hot>"] == functions["hot"] and
   sum(row[3] for row in whole[0] if row[1]) == functions["hot"][0] + functions["inner"][0] +
   functions["main"][0] + functions["outer"][0] - sum(
       row[3] for row in whole[0] if "without line" in row[2]) and
   len([row for row in whole[0] if row[1]]) == number_of("calls") + 5,
   "a file is shown as a whole", said["source lines.c"])
ok("\n##" in out[17] and "Source file: " + TOP in out[17] and "CPU time" in out[18] and
   "/* hot */" in out[18] and "<hot+" in out[18],
   "text shows several metrics, and source between instructions", out[17] + out[18])
ok('No function and no source file "nobody" is in any stack.' in out[19] and
   'No function "lines.c" is in any stack.' in out[20], "what is not there is said", out[19] + out[20])
ok('no function "nobody"' in out[21] and parse(out[22])[1].get("<Total>", (0,))[0] == functions["bare"][0],
   "there are filters", out[21] + out[22])

# A copy whose source is at hand, then newer than all, then gone.
source = os.path.join(here, "copy.c")
shutil.copy(os.path.join(TOP, "tests", "programs", "lines.c"), source)
copy = os.path.join(here, "copy")
subprocess.check_call(["gcc", "-O1", "-g", "-o", copy, source])
touch = "shell touch -d '+1 hour' %s" % source
out = Gdb(copy, ["500"]).run(
    *RECORD, "prof-source hot", touch, "prof-source hot", "prof-source hot" + LIST,
    "prof-disas hot --output=%s/list" % here, "shell rm " + source, "prof-source hot", "prof-source hot" + LIST,
    "set substitute-path %s %s/elsewhere" % (here, here),
    "shell mkdir %s/elsewhere; cp %s/tests/programs/lines.c %s/elsewhere/copy.c" % (here, TOP, here),
    "prof-source hot", "prof-save %s/saved" % here)[4:]
NEWER = "is newer than the recording and the program: its lines may not be those that ran."
ok("newer" not in out[0] and "cannot be read" not in out[0] and "##" in out[0],
   "a file that is as it was raises no doubts", out[0])
ok(all('The source file "%s" ' % source + NEWER in out[i] for i in (2, 3, 4)) and
   NEWER in open(here + "/list").read() and len(rows(out[3])) == len(rows(said["source hot"])),
   "one that is newer is told of, and shown", out[2] + out[3] + out[4])
ok(all('The source file "%s" cannot be read: No such file or directory.' % source in out[i]
       for i in (6, 7)) and is_sum(parse(out[7]), "hot", parse(out[3])[1]["<Function: hot>"]),
   "of one that is gone there are the metrics", out[6] + out[7])
ok("Source file: %s/elsewhere/copy.c" % here in out[10] and "/* hot */" in out[10],
   "GDB's source path is followed", out[10])
out = Gdb().run("prof-load %s/saved" % here, "prof-source hot", "prof-disas hot",
                "set directories " + here, "prof-source hot" + LIST)
ok("cannot be read: No such file" in out[1] and 'GDB has no code of "hot" at 0x' in out[2] and
   is_sum(parse(out[4]), "hot", parse(out[4])[1]["<Function: hot>"]),
   "without the program there are the metrics", out[1] + out[2] + out[4])
shutil.copy(here + "/elsewhere/copy.c", source)
out = Gdb(copy).run("prof-load %s/saved" % here, "prof-disas hot" + LIST, "prof-source hot" + LIST, "prof-pcs" + LIST)
code, sums = parse(out[1])
names = {row["name"]: float(row["exclusive"]) for row in rows(out[3])}
ok("no code of" not in out[1] and is_sum((code, sums), "hot", sums["<Function: hot>"]) and len(code) > 9 and
   [row for row in code if row[0]][0][1] in (str(line), str(line - 1)) and len(rows(out[2])) > 9,
   "nor need it run", out[1] + out[2])
offsets = {row["offset"]: float(row["exclusive"]) for row in rows(out[1]) if row["offset"]}
ok(max(offsets.values()) > 0 and all(
    names.get("hot + " + offset[1:]) == count for offset, count in offsets.items() if count),
   "addresses are named by their offset in the function", out[1] + out[3])

# Names in files are not to be trusted: GDB must not evaluate them, nor stumble over them.
said = []
for name in ("a'b\"c", "*1/0", "*$_exit()", "-probe x", "\\", "'", '"', "a':1", "main if 1/0", "1 2", "hot,", "'hot"):
    shutil.copy(here + "/saved", here + "/forged")
    with sqlite3.connect(here + "/forged") as base:
        for old, tail in (("hot", ""), (source, ".c")):
            base.execute("UPDATE string SET text = ? WHERE text = ?", (name + tail, old))
    base.close()
    out = Gdb(copy).run("prof-load %s/forged" % here, "prof-source", "prof-disas", "prof-source " + name, "print 1 + 1")
    said += [name] + out[1:] if out[-1] != "$1 = 2\n" or "<Total>" not in out[1] else []
ok(not said, "forged names do GDB no harm", "\n".join(said))

# What the user looks at stays as it is: the same session with and without the views.
load = "prof-load %s/saved" % here
views = load, "prof-source copy.c", "prof-disas hot", "prof-source main"
talk = ["break hot", "run", "up", "list 21,25", views, "list", views, "info line", "list -", "frame",
        "print 1", "info source", "x/i $pc", views, "x/i"]
seen = []
for view in (True, False):
    lines = [(line, name is not views) for name in talk
             for line in (view * list(name) if name is views else [name])]
    out = Gdb(copy, ["5"]).run(*[line for line, _ in lines])
    seen.append([text for text, (line, common) in zip(out, lines) if common and line != "run"])
ok(seen[0] == seen[1] and "$1 = 1\n" in seen[0], "the user's place, selection and values stay",
   "\n".join(seen[0] + ["instead of"] + seen[1]))


def on_terminal(*commands):
    """What GDB prints on a terminal with styles."""
    return Gdb(copy, ["5"]).on_terminal("set style enabled on", load, "break hot", "run", *commands)


# GDB 10 does not offer its colours to scripts.
IMPORT = "python import pygments, gdb.styling; print('Pyg' + 'ments')"
out = on_terminal(IMPORT, "prof-source hot", "prof-disas hot")
plain = on_terminal("set style sources off", "prof-source hot") + on_terminal("prof-source hot" + LIST)
marked = [line for line in out.splitlines() if "/* hot */" in line and "\x1b[" in line]
ok(len(marked) == (2 if "Pygments" in out else 0) and "/* hot */" in plain and not [
    line for line in plain.splitlines() if "/* hot */" in line and "\x1b" in line],
   "source is highlighted where GDB's styles are on", out + plain)

def enough(out):
    return len(rows(out[4])) > 5


# It runs for 50 ms, so that a busy machine may leave none of it to the ticker, and does so for seconds.
out = again(lambda: again(lambda: Gdb("shapes").run(
    *RECORD, "prof-functions" + LIST, "prof-source" + LIST, "prof-disas" + LIST,
    "prof-disas shapes::Square::area() const" + LIST, "show print asm-demangle", "set print asm-demangle on",
    "prof-disas" + LIST), enough), enough)
functions = {row["name"]: (float(row["exclusive"]), float(row["inclusive"])) for row in rows(out[4])}
name = rows(out[4])[1]["name"]
ok("(" in name and all(
    sum(row[3] for row in parse(text)[0]) == functions[name][0] ==
    parse(text)[1]["<Function: %s>" % name][0] for text in out[5:7]) and
   all(row[2] for row in parse(out[6])[0]), "C++ functions have rows too", "\n".join(out))
ok(all("GDB has no code" not in text and len(parse(text)[0]) > 5 and
       all(row["offset"] and " + 0x" not in row["instruction"] for row in rows(text)
           if row["address"]) for text in (out[6], out[7], out[10])) and
   "is off" in out[8] and "<_Z" in out[6] and "<_Z" not in out[10],
   "and instructions, with names as the user wants them", "\n".join(out[6:]))
shutil.rmtree(here)

# Of the rows at one address the last has the instruction, as it is for addr2line.
source = os.path.join(TOP, "tests", "programs", "rows.c")
out = Gdb("rows", ["1500"]).run(
    *RECORD, "prof-lines --format=csv", "prof-disas spin --format=csv")
lines = rows(out[4])
ok([row["name"] for row in lines[1:2]] == [
    'spin, line %d in "tests/programs/rows.c"' % number_of("instructions", source)],
   "an instruction belongs to the last row at its address", out[4])
ok(str(number_of("instructions", source)) in [row["line"] for row in rows(out[5]) if row["hot"] == "1"],
   "so it does beside its code", out[5])
out = Gdb("templates", ["150"]).run(*RECORD, "prof-disas --format=csv main")
code = [(int(row["address"], 16), row["line"]) for row in rows(out[4]) if row["address"]]
base = min(address for address, _ in code) if code else 0
symbol = re.search("^([0-9a-f]+) T main$", subprocess.run(
    ["nm", "-C", program("templates")], capture_output=True, text=True).stdout, re.M)
wanted = subprocess.run(
    ["addr2line", "-e", program("templates")] + [
        hex(address - base + int(symbol[1], 16)) for address, _ in code] if symbol else ["false"],
    capture_output=True, text=True).stdout
wanted = re.findall(r":([0-9]+|\?)", wanted)
ok(len(code) > 20 and [line for _, line in code] == wanted, "all lines are those of addr2line",
   "%s\n%s" % (code, wanted))
