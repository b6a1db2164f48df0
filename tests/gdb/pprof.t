#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles for `go tool pprof' are what the views show, and those of others are loaded."""

import gzip
import os
import re
import subprocess
import tempfile

from answers import obeyed, says
from session import Gdb, lacking, ok, plan, program, rows, skip

UNITS = {"B": 1, "ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "mins": 6e10}
HOSTILE = b"main;a;a 4\nmain;\x1b[2J 1\nmain;\"\\;</script> 2\nmain;\xff\xc2\x9b 3\n"


def pprof(*arguments):
    """What `go tool pprof ARGUMENTS' prints."""
    home = os.path.abspath("home")
    told = subprocess.run(["go", "tool", "pprof", "-symbolize=none", *arguments],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={"PATH": os.environ["PATH"], "HOME": home, "PPROF_TMPDIR": home})
    assert told.returncode == 0, told
    return told.stdout


def number(text):
    """The value TEXT, a count or a time in ns."""
    match = re.fullmatch(r"([\d.]+)(\D*)", text)
    return float(match[1]) * (UNITS[match[2]] if match[2] else 1)


def top(name, kind, unit=""):
    """By function the exclusive and inclusive values of KIND that pprof has of the file NAME."""
    text = pprof("-top", "-nodecount=0", "-nodefraction=0", "-sample_index=" + kind, "-unit=" + unit
                 if unit else "-unit=minimum", name)
    found = {}
    for line in text.split("\n"):
        match = re.fullmatch(r" *(\S+) +\S+% +\S+% +(\S+) +\S+%  (.*)", line)
        if match:
            function = match[3].replace(" (inline)", "")
            found[function] = (number(match[1]), number(match[2]))
    return found


def views(text, units=1):
    """The same of the list TEXT of prof-functions, in 1 / UNITS.  Functions of one name, as the
    program's and the loader's _start, are one for pprof."""
    found = {}
    for row in rows(text)[1:]:
        own, all_of_it = found.get(row["name"], (0, 0))
        found[row["name"]] = (own + float(row["exclusive"]) * units,
                              all_of_it + float(row["inclusive"]) * units)
    return found


def any_of(found):
    """Those of FOUND that have anything."""
    return {name: values for name, values in found.items() if any(values)}


def same(found, wanted, tolerance):
    return found.keys() == wanted.keys() and len(found) > 0 and all(
        abs(a - b) <= tolerance for name in found for a, b in zip(found[name], wanted[name]))


def total(text):
    """What a table says of all of it."""
    return float(rows(text)[0]["inclusive"])


def some(text):
    """The rows of a table that have something: of what is imported, stacks without are shown too."""
    found = [list(row.values()) for row in rows(text)]
    return sorted(row for row in found if any(value.strip("0.") for value in row[1:]))


LOOKS = ["prof-functions --format=csv --sort=name", "prof-functions --format=csv --metric=cpu --sort=name",
         "prof-lines --format=csv --sort=name", "prof-objects --format=csv --sort=name",
         "prof-threads --format=csv", "prof-functions --format=csv --state=user,lock --sort=name",
         "prof-pcs --format=csv --sort=name"]


def test_export():
    out = Gdb("threads").run(
        "prof-start --rate=1000", "run", "prof-stop", *LOOKS,
        "prof-export --format=pprof --metric=samples,cpu,user,system,runqueue,lock,fault,other all.pb.gz", "prof-load all.pb.gz",
        *LOOKS)
    first, second = out[3:3 + len(LOOKS)], out[-len(LOOKS):]
    why = lacking("go")
    if not why:
        ok(same(top("all.pb.gz", "samples"), views(first[0]), 0) and total(first[0]) > 20,
           "go tool pprof shows the samples of prof-functions",
           first[0] + pprof("-top", "-sample_index=samples", "all.pb.gz"))
        ok(same(top("all.pb.gz", "cpu", "ns"), views(first[1], 1e9), 1),
           "and the times", first[1] + pprof("-top", "-sample_index=cpu", "-unit=ns", "all.pb.gz"))
        tags = pprof("-tags", "-sample_index=samples", "all.pb.gz")
        ok(all(re.search(r"\b%s$" % word, tags, re.M) for word in
               ("worker", "user")) or "thread_id" in tags, "threads and states are tags", tags)
    else:
        skip(3, "go tool pprof", why)
    for look, before, after in zip(LOOKS[:-1], first, second):
        ok(some(before) == some(after) and len(some(after)) > 1, "after a round trip: " + look,
           before + after)
    ok(len(some(first[-1])) == len(some(second[-1])) > 5, "and as many addresses",
       first[-1] + second[-1])


def test_go():
    """What Go programs write themselves."""
    why = lacking("go")
    if why:
        skip(2, "profiles of a Go program", why)
        return
    subprocess.run([program("profile"), "cpu.pb", "heap.pb"], check=True)
    out = Gdb().run("prof-load cpu.pb", "prof-functions --format=csv", "prof-functions --format=csv --metric=cpu",
                    "prof-load heap.pb", "prof-functions --format=csv")
    ok(same(top("cpu.pb", "samples"), any_of(views(out[1])), 0) and
       same(top("cpu.pb", "cpu", "ns"), any_of(views(out[2], 1e9)), 1),
       "the CPU profile of a Go program", out[1] + out[2] + pprof("-top", "cpu.pb"))
    ok(same(top("heap.pb", "inuse_space", "b"), any_of(views(out[4])), 0) and
       views(out[4])["main.keep"][0] >= 1 << 20,
       "its heap profile: bytes in use", out[4] + pprof("-top", "heap.pb"))


def test_hostile():
    with open("hostile", "wb") as file:
        file.write(HOSTILE)
    out = Gdb().run("prof-load hostile", "prof-functions --format=csv", "prof-export --format=pprof out",
                    "prof-load out", "prof-functions --format=csv")
    ok(not any(obeyed(text) for text in out) and views(out[1]) == views(out[4]) and
       total(out[1]) == 10, "hostile names come back as they were", "".join(out))
    why = lacking("go")
    if not why:
        raw = pprof("-raw", "out")
        ok("a" in raw and "\\xff\\u009b" in raw, "and go tool pprof reads them", raw)
    else:
        skip(1, "go tool pprof", why)


def test_damage():
    with open("all.pb.gz", "rb") as file:
        packed = file.read()
    plain = gzip.decompress(packed)
    with open("short", "wb") as file:
        file.write(packed[:len(packed) // 2])
    with open("cut", "wb") as file:
        file.write(plain[:len(plain) - 3])
    with open("bomb", "wb") as file:
        file.write(gzip.compress(b"\0" * (100 << 20)))
    with open("plain", "wb") as file:
        file.write(plain)
    out = Gdb().run("prof-load short", "prof-load cut", "prof-load bomb", "prof-load plain",
                    "prof-functions --format=csv")
    ok(says(out[0], '"short"', "damaged", "byte %d" % (len(packed) // 2)), "a truncated file", out[0])
    ok(says(out[1], '"cut"', "damaged", "byte "), "a truncated profile", out[1])
    ok(says(out[2], '"bomb"', "40 times"), "what unpacks without end", out[2])
    ok(not out[3].strip() and total(out[4]) > 20, "what is not packed is read", out[3] + out[4])


plan(3 + len(LOOKS) + 2 + 2 + 4)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    os.mkdir("home")
    test_export()
    test_go()
    test_hostile()
    test_damage()
    os.chdir("/")
