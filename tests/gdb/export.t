#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written for other tools is what the views show, and what they print can be loaded."""

import json
import os
import re
import subprocess
import tempfile

from answers import obeyed, says
from session import Gdb, grown, lacking, ok, plan, program, rows, skip, total

FOLDED = "main;work;step 5\nmain;work 2.5\nmain;idle 1\n"
HOSTILE = (b"fn=(1) x;* 4\n+1 2;calls=0 0;fl=(1) 5\nmain;\x1b[2J 1\n"
           b"main;\"\\;</script> 2\nmain;\xff\xc2\x9b 3\n")


def write(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def add(found, name, exclusive, inclusive):
    """Adds to what FOUND has of NAME: several functions may have the same."""
    one, other = found.get(name, (0, 0))
    found[name] = (one + exclusive, other + inclusive)


def figures(text):
    """By function its exclusive and inclusive value in the list TEXT, and the total, as <Total>."""
    found = {}
    for row in rows(text):
        add(found, row["name"], float(row["exclusive"]), float(row["inclusive"]))
    return found


def some(found):
    """Those of the figures FOUND that are any: what is imported is shown without, too."""
    return {name: values for name, values in found.items() if any(values)}


def rounded(found):
    """FOUND, without what is less than half a ns."""
    return some({name: tuple(round(value, 9) for value in values) for name, values in found.items()})


def near(one, other):
    """Are these the same figures, but for how decimals are rounded?"""
    return one.keys() == other.keys() and all(
        abs(a - b) < 1e-6 for name in one for a, b in zip(one[name], other[name]))


def scoped(text):
    """The same of speedscope's file TEXT."""
    data = json.loads(text)
    names = [frame["name"] for frame in data["shared"]["frames"]]
    found = {}
    for profile in data["profiles"]:
        assert profile["type"] == "sampled" and profile["startValue"] == 0
        assert len(profile["samples"]) == len(profile["weights"])
        assert abs(profile["endValue"] - sum(profile["weights"])) < 1e-6
        for stack, weight in zip(profile["samples"], profile["weights"]):
            for number in set(stack):
                add(found, names[number], 0, weight)
            add(found, names[stack[-1]], weight, 0)
            add(found, "<Total>", weight, weight)
    return found


def record(*commands):
    """What COMMANDS print, the fourth of which lists the functions, of a program that is sampled."""
    return grown(lambda rounds: Gdb("shares", [str(rounds)]).run(*commands), lambda out: total(out[3]) > 20, 150)


def test_speedscope():
    out = record(
        "prof-start --rate=1000", "run", "prof-stop", "prof-functions --format=csv",
        "prof-functions --format=csv --metric=cpu", "prof-functions --format=csv --function=even",
        "prof-export --format=speedscope plain", "prof-export --format=speedscope --metric=cpu cpu",
        "prof-export --format=speedscope --function=even even", "prof-threads --format=csv")
    ok(near(figures(out[3]), scoped(read("plain"))) and figures(out[3])["<Total>"][0] > 20,
       "speedscope's file has the samples of prof-functions", out[3])
    ok(near(figures(out[4]), scoped(read("cpu"))) and
       {profile["unit"] for profile in json.loads(read("cpu"))["profiles"]} == {"seconds"},
       "times in seconds", out[4])
    ok(near(figures(out[5]), scoped(read("even"))) and "--function=even" in out[8],
       "what a filter leaves, and it is said", out[8])
    write("short", read("cpu")[:-9])
    back = Gdb().run("prof-load plain", "prof-functions --format=csv", "prof-load cpu",
                     "prof-functions --format=csv --metric=cpu", "prof-load short",
                     "prof-threads --format=csv")
    ok(near(some(figures(back[1])), some(figures(out[3]))) and
       near(some(figures(back[3])), some(figures(out[4]))), "both are loaded again",
       back[1] + back[3])
    ok([(row["thread"], row["name"]) for row in rows(back[5])] ==
       [(row["thread"], row["name"]) for row in rows(out[9])] and
       says(back[4], '"short"', "line ", "not JSON"), "with their threads; damage is told",
       back[5] + out[9] + back[4])
    frames = [frame for frame in json.loads(read("plain"))["shared"]["frames"]
              if frame["name"] == "even"]
    ok(len(frames) == 1 and frames[0]["file"].endswith("shares.c") and frames[0]["line"] > 0,
       "files and lines", frames)


def test_hostile():
    out = Gdb().run("prof-load hostile", "prof-export --format=speedscope out", "shell cat out")
    names = {frame["name"] for frame in json.loads(read("out"))["shared"]["frames"]}
    ok(not obeyed(out[2]) and {"\x1b[2J", "\"\\", "</script>", "\\xff\\u009b"} <= names,
       "hostile names in speedscope's file", out[2])


def annotated(name, event, inclusive=False):
    """By function the values of EVENT that callgrind_annotate prints of the file NAME."""
    told = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", "--show=" + event,
                           "--sort=" + event, "--inclusive=" + ("yes" if inclusive else "no"), name],
                          capture_output=True, text=True, cwd="/", env={"PATH": os.environ["PATH"]})
    assert told.returncode == 0 and not told.stderr, told
    found = {}
    for line in told.stdout.split("\n"):
        match = re.fullmatch(r" *([\d,]+) \([ \d.]+%\)  (.*)", line)
        if match:
            function = re.sub(r" \[[^][]*\]$", "", match[2]).split(":", 1)[-1].strip()
            found[function] = found.get(function, 0) + int(match[1].replace(",", ""))
    return found


def same_costs(text, name, event, units=1):
    """Does callgrind_annotate show of the file NAME what the list TEXT does, in 1 / UNITS?"""
    for column, inclusive in ((0, False), (1, True)):
        found = annotated(os.path.abspath(name), event, inclusive)
        want = {function: round(values[column] * units)
                for function, values in figures(text).items() if values[column]}
        want["PROGRAM TOTALS"] = want.pop("<Total>")
        if inclusive:
            want["<Total>"] = want["PROGRAM TOTALS"]
        if found.keys() != want.keys() or any(abs(found[key] - want[key]) > 3 for key in want):
            return False
    return True


def test_callgrind():
    why = lacking("callgrind_annotate")
    if why:
        skip(6, "callgrind_annotate", why)
        return
    out = record(
        "prof-start --rate=1000", "run", "prof-stop", "prof-functions --format=csv",
        "prof-functions --format=csv --metric=cpu", "prof-functions --format=csv --function=even",
        "prof-export --format=callgrind --metric=samples,cpu both",
        "prof-export --format=callgrind --function=even even")
    ok(same_costs(out[3], "both", "samples") and figures(out[3])["<Total>"][0] > 20,
       "callgrind_annotate shows the samples of prof-functions", out[3] + read("both"))
    ok(same_costs(out[4], "both", "cpu", 1e9), "and the times beside them", out[4] + read("both"))
    back = Gdb().run("prof-load both", "prof-functions --format=csv --metric=cpu",
                     "prof-callers --format=csv main", "prof-tree", "prof-export --format=callgrind "
                     "--metric=samples,cpu again", "prof-functions --format=csv")
    ok(near(some(figures(back[1])), rounded(figures(out[4]))) and
       same_costs(back[5], "again", "samples") and same_costs(back[1], "again", "cpu", 1e9),
       "and is loaded again, with calls", back[1] + back[5] + out[4])
    again = Gdb().run("prof-load both", "prof-functions --format=csv", "prof-gprof --graph --format=csv", "prof-save costs.prof",
                      "prof-load costs.prof", "prof-functions --format=csv", "prof-gprof --graph --format=csv",
                      "prof-load costs.prof both", "prof-functions --format=csv")
    ok(again[5] == again[1] and again[6] == again[2] and len(rows(again[2])) > 3 and
       figures(again[8])["<Total>"][0] == 2 * figures(again[1])["<Total>"][0],
       "costs of calls are saved, loaded again and added to others", "".join(again))
    ok(says(back[3], "prof-tree needs stacks") and len(rows(back[2])) > 1, "which are no stacks",
       back[2] + back[3])
    ok(same_costs(out[5], "even", "samples") and "--function=even" in out[7],
       "what a filter leaves, and it is said", out[5] + out[7])
    out = Gdb().run("prof-load hostile", "prof-functions --format=csv",
                    "prof-export --format=callgrind out", "shell cat out")
    names = annotated(os.path.abspath("out"), "samples")
    ok(not obeyed(out[3]) and "\\x1b[2J" in names and names["PROGRAM TOTALS"] == 15,
       "hostile names in callgrind's file", names)


def test_valgrind():
    """What valgrind's callgrind writes itself."""
    why = lacking("valgrind")
    if why:
        skip(1, "valgrind --tool=callgrind", why)
        return
    subprocess.run(["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=written",
                    program("shares"), "2"], check=True, stderr=subprocess.DEVNULL)
    out = Gdb().run("prof-load written", "prof-functions --format=csv")
    shown, path = figures(out[1]), os.path.abspath("written")
    own, inclusive = annotated(path, "Ir"), annotated(path, "Ir", True)
    own["<Total>"] = own.pop("PROGRAM TOTALS")
    ok({name: values[0] for name, values in shown.items() if values[0]} ==
       {name: value for name, value in own.items() if value} and
       all(shown[name][1] == inclusive[name] for name in ("main", "recurse", "even", "plain", "unit")),
       "what valgrind's callgrind writes is loaded", out[1])


def foxed(text):
    """By function the figures of a profile TEXT for Firefox, all of whose tables must fit."""
    data = json.loads(text)
    found = {}
    for thread in data["threads"]:
        strings, functions, frames = (thread[key] for key in ("stringArray", "funcTable", "frameTable"))
        stacks, samples = thread["stackTable"], thread["samples"]
        for table in (functions, frames, stacks, samples, thread["markers"], thread["resourceTable"]):
            assert all(len(column) == table["length"] for column in table.values()
                       if isinstance(column, list)), table
        assert sorted(samples["time"]) == samples["time"]
        assert all(lib < len(data["libs"]) for lib in thread["resourceTable"]["lib"])
        for stack, weight in zip(samples["stack"], samples["weight"]):
            names = []
            while stack is not None:
                names.append(strings[functions["name"][frames["func"][stacks["frame"][stack]]]])
                stack = stacks["prefix"][stack]
            for name in set(names):
                add(found, name, 0, weight)
            # What has no stack reaches to the marks.
            assert names or not weight, samples
            add(found, names[0] if names else "<Total>", weight, 0)
            add(found, "<Total>", weight, weight)
    return found


def dumped(text, quantities):
    """The same of the QUANTITIES in the whole experiment that TEXT has as JSON."""
    data = json.loads(text)
    found = {}
    for sample in data["samples"]:
        value = sum(sample.get(quantity, 0) for quantity in quantities)
        names, stack = [], sample["stack"]
        while value and stack:
            frame = data["frames"][data["stacks"][stack]["frame"]]
            names += [data["functions"][place["function"]]["name"] for place in frame["locations"]] or \
                ["<Unknown>"]
            stack = data["stacks"][stack]["parent"]
        names = names or ["<Unknown>"]
        for name in set(names):
            add(found, name, 0, value)
        add(found, names[0], value, 0)
        add(found, "<Total>", value, value)
    return some(found)


def scaled(found, units):
    return {name: tuple(value / units for value in values) for name, values in found.items()}


def test_whole():
    out = record(
        "prof-start --rate=1000", "run", "prof-stop", "prof-functions --format=csv",
        "prof-functions --format=csv --metric=cpu", "prof-functions --format=csv --function=even",
        "prof-export --format=firefox fox", "prof-export --format=firefox --metric=cpu foxtimes",
        "prof-export --format=firefox --function=even foxeven", "prof-export --format=json whole",
        "prof-export --format=json --function=even wholeeven",
        "prof-export --format=gprofng-text --metric=cpu ng", "prof-functions --metric=cpu --limit=3")
    ok(near(foxed(read("fox")), figures(out[3])) and
       near(scaled(foxed(read("foxtimes")), 1000), figures(out[4])) and
       near(foxed(read("foxeven")), figures(out[5])),
       "Firefox's profiles have what prof-functions shows", out[3])
    marks = [json.loads(read("fox"))["threads"][0]["stringArray"][name]
             for name in json.loads(read("fox"))["threads"][0]["markers"]["name"]]
    ok(marks[:1] == ["start"] and marks[-1:] == ["end"], "and the marks", marks)
    ok(near(dumped(read("whole"), ["samples"]), some(figures(out[3]))) and
       near(scaled(dumped(read("whole"), ["user", "system"]), 1e9), some(figures(out[4]))) and
       near(dumped(read("wholeeven"), ["samples"]), some(figures(out[5]))),
       "all that there is, as json", out[3])
    ok(json.loads(read("whole"))["recording"]["rate_asked"] == 1000 and
       [mark["kind"] for mark in json.loads(read("whole"))["marks"]][0] == "start",
       "with the recording, and marks", read("whole")[:400])
    listed = {}
    for match in re.finditer(r"^\d\S* +\S+ +(\d\S*) +\S+   (\S+)$", read("ng"), re.M):
        listed[match[2]] = listed.get(match[2], 0) + float(match[1])
    ok("+-<Total>" in read("ng") and listed.keys() == some(figures(out[4])).keys() and
       all(abs(listed[name] - values[1]) < 0.002 for name, values in some(figures(out[4])).items()),
       "gprofng's text has it, too", read("ng"))


PERF = """shares  12 [001] 100.500000:     250000 cpu-clock:u:\x20
\t    1145 unit+0xc (/bin/shares)
\t    1199 main+0x9 (/bin/shares)

shares  13 [000] 101.000000:     250000 cpu-clock:u:\x20
\t    1145 \x1b[2Jx+0xc (/lib/\x9b.so)

"""

DAMAGED = [(PERF[:80], "line 2", "not a frame"), (PERF + "x 1 2\n", "line 8", "not a sample"),
           (PERF + "x 1 2.5: 1 e:\n zz y (z)\n", "line 9", "not a frame"),
           (PERF.replace("1199", "\0"), "line 3", "NUL")]


def test_perf():
    write("perf", PERF.encode("latin-1"))
    for number, row in enumerate(DAMAGED):
        write("damaged%d" % number, row[0].encode("latin-1"))
    out = Gdb().run("prof-load perf", "prof-functions --format=csv", "prof-threads --format=csv",
                    "prof-functions --format=csv --metric=cpu --thread=12", "prof-objects",
                    *("prof-load damaged%d" % i for i in range(len(DAMAGED))),
                    "prof-functions --format=csv")
    ok(not out[0].strip() and figures(out[1]) == {
        "<Total>": (2, 2), "unit": (1, 1), "main": (0, 1), "\\x1b[2Jx": (1, 1)},
       "what perf script prints is loaded", "".join(out[:2]))
    ok([(row["thread"], row["name"]) for row in rows(out[2])[1:]] == [("12", "shares"), ("13", "shares")],
       "with its threads", out[2])
    ok(figures(out[3])["unit"] == (0.00025, 0.00025) and "/bin/shares" in out[4],
       "times and load objects", out[3] + out[4])
    ok(not any(obeyed(text) for text in out), "nothing in it is obeyed", "".join(out))
    for number, row in enumerate(DAMAGED):
        answer = out[5 + number]
        ok(says(answer, '"damaged%d"' % number, *row[1:]), "damage: " + " ".join(row[1:]), answer)
    ok(out[-1] == out[1], "what was there stays", out[-1])


def test_commands():
    out = Gdb().run("prof-load small", "complete prof-export --format=", "help prof-export",
                    "prof-export --format=speedscope /no/file", "prof-export --format=pdf out",
                    "prof-export --format=speedscope --function=none out",
                    "prof-export --format=speedscope --metric=samples,cpu out",
                    "prof-export --format=callgrind --metric=samples,joules out",
                    "prof-export --format=json --metric=samples out")
    ok("--format=folded" in out[1] and "--format=callgrind" in out[1], "formats are completed", out[1])
    ok("speedscope" in out[2] and "callgrind" in out[2], "and in the help", out[2])
    wrong = [('"/no/file"',), ('"pdf"', "folded, pprof, speedscope, callgrind, firefox, gprofng-text, json"), ('"none"',),
             ("speedscope holds one metric",), ('"joules"', "samples, cpu"),
             ("json holds all metrics",)]
    ok(all(says(answer, *words) for words, answer in zip(wrong, out[3:])), "errors are told",
       "".join(out[3:]))


plan(7 + 1 + 6 + 1 + 5 + 4 + len(DAMAGED) + 1 + 3)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    write("small", FOLDED)
    write("hostile", HOSTILE)
    test_speedscope()
    test_hostile()
    test_callgrind()
    test_valgrind()
    test_whole()
    test_perf()
    test_commands()
    os.chdir("/")
