#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The instruction and the data address of counters' events: prof-start --counter=+NAME, and prof-data."""

import json
import os
import platform
import re
import tempfile

import pmu
from answers import is_sentence
from session import Gdb, engines, lacking, ok, plan, program, rows, skip, skip_all

PAGE, PAGES, OFFSET, COUNT = 4096, 64, 8, 200
WATCH = 'python import os; os.environ["PMU_STORED"] = "%x" % int(gdb.parse_and_eval("&slot"))'


def value(text):
    """The number that GDB's `print` has printed."""
    return int(text.split("=")[1].split()[0], 0)


def lost(text):
    """How many events of the functions in TEXT have no stack: the kernel left them out."""
    return sum(float(row["exclusive"]) for row in rows(text) if row["name"] == "<No-stack>")


def test_faults():
    """Page faults: the kernel tells the instruction and the address."""
    out = Gdb("references").run(
        "prof-start --counter=+page-faults", "break finish", "run", "prof-stop", "print/x (long) &pages",
        "prof-data --format=csv", "prof-data --format=csv --unit=address --function=store_page", "prof-data --limit=3",
        "prof-pcs --format=csv --limit=0", "prof-functions --format=csv")
    first = value(out[4])
    wanted = [first + i * PAGE for i in range(PAGES)]
    left_out = lost(out[9])
    found = {int(row["address"], 16): float(row["page-faults"]) for row in rows(out[5])
             if row["address"].startswith("0x")}
    ok(PAGES - left_out <= sum(page in found for page in wanted) and
       all(found.get(page, 1) == 1 for page in wanted), "each page is listed with its fault", out[5])
    exact = [int(row["address"], 16) for row in rows(out[6]) if row["address"].startswith("0x")]
    ok(len(exact) >= PAGES - left_out and set(exact) <= {page + OFFSET for page in wanted},
       "at the address that was stored to", out[6])
    access = {row["access"] for row in rows(out[6])} - {""}
    ok(access == {"store"} if decodes else not access, "what was done there is known", out[6])
    ok(re.search(r"Instructions: \d+ named by the CPU or the kernel, 0 found by a search, 0 unknown", out[7]) and
       re.search(r"^ +events +% +Access +Page$", out[7], re.M) and len(out[7].splitlines()) <= 9,
       "the heading says who has told it", out[7])
    places = [row["name"] for row in rows(out[8]) if row["name"].startswith("store_page + ")]
    ok(len(places) == 1, "all of them are at one instruction", out[8])


def test_unasked():
    """Without + nothing is looked for."""
    out = Gdb("references").run("prof-start --counter=page-faults", "run", "prof-stop", "prof-data")
    ok("Instructions:" not in out[2] and is_sentence(out[3].strip().splitlines()[-1]) and "--counter=+NAME" in out[3],
       "what was not looked for is not shown", out[2] + out[3])


def test_refused():
    """Bad input gets a sentence."""
    out = Gdb("references").run(
        "prof-start --counter=+context-switches", "prof-start --counter=+", "prof-start --counter=++page-faults",
        "prof-data --unit=byte", "prof-status")
    ok(is_sentence(out[0]) and "does not count accesses to memory" in out[0], "a counter of something else", out[0])
    ok(is_sentence(out[1]) and is_sentence(out[2]) and is_sentence(out[3]) and "Nothing has been recorded" in out[4],
       "and what is none", "".join(out))


def test_search(folder):
    """A CPU that samples stores one instruction late, and a breakpoint in the code that is searched."""
    file = os.path.join(folder, "stores.prof")
    dump = os.path.join(folder, "stores.json")
    out = Gdb("references", [str(COUNT)], env=pmu.environment(folder)).run(
        "break main", "run", WATCH, "prof-start --counter=+dcw:1", "break finish", "tbreak *direct", "continue",
        "continue", "prof-stop", "prof-functions --format=csv --limit=0", "prof-data --format=csv --unit=address",
        "print/x (long) &slot", "prof-pcs --format=csv --limit=0", "prof-save " + file, "prof-load " + file,
        "prof-data --format=csv --unit=address", "prof-export --format=json " + dump,
        "prof-start --counter=+cycles")
    if "refuses" in out[3] or "cannot sample" in out[3]:
        skip(7, "a search", "this machine has no data breakpoints")
        return
    functions = {row["name"]: row for row in rows(out[9])}
    exclusive = {name: float(row["exclusive"]) for name, row in functions.items()}
    left_out = lost(out[9])
    direct, late, unknown = [exclusive.get(name, 0) for name in ("direct", "late", "<Unresolvable>")]
    ok(all(COUNT - left_out <= count <= COUNT for count in (direct, late)), "stores are in their functions", out[9])
    ok(exclusive.get("joined", 0) == 0 and direct + late + unknown + left_out == 3 * COUNT and
       float(functions["joined"]["inclusive"]) == unknown, "what a branch target hides is unresolvable", out[9])
    ok("Instructions: 0 named by the CPU or the kernel, %d found by a search, %d unknown" %
       (direct + late, unknown) in out[8] and "likely, not certain" in out[8], "the heading says so", out[8])
    data = {row["address"]: row for row in rows(out[10])}
    slot = data.get(hex(value(out[11])), {})
    # xchg loads too, but a counter of stores has seen a store.
    ok(float(slot.get("dcw", 0)) == 3 * COUNT - left_out and slot.get("access") == "store", "all are at one address",
       out[10])
    places = {row["name"]: float(row["exclusive"]) for row in rows(out[12])}
    ok(any(re.match(r"direct \+ 0x", name) and count == direct for name, count in places.items()),
       "at one instruction", out[12])
    ok(out[15] == out[10], "a file has all of it", out[15])
    with open(dump, encoding="utf-8") as lines:
        samples = [sample for sample in json.load(lines)["samples"] if "trigger" in sample]
    found = [sample for sample in samples if sample["trigger"] == "found"]
    ok(len(found) == direct + late and all(sample["skid"] == 1 and sample["access"] == "store" and
                                       sample["address"] == hex(value(out[11])) for sample in found) and
       is_sentence(out[17]), "so has the export", out[16] + out[17])


if "perf" not in engines():
    skip_all("the kernel permits no perf events")
plan(5 + 1 + 2 + 7)
probe = Gdb("references").run("prof-start --counter=+page-faults", "prof-stop", "prof-start --counter=+dcw")
decodes = "without Zydis" not in probe[2] and platform.machine() == "x86_64"
test_faults()
test_unasked()
test_refused()
why = lacking("cc") or ("" if decodes else "machine code cannot be decoded here")
if why:
    skip(7, "a search", why)
else:
    with tempfile.TemporaryDirectory() as place:
        test_search(place)
