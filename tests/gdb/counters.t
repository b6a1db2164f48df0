#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-counters lists what can be sampled here, and says what cannot; with the stand-in for a CPU's counters too."""

import os
import re
import tempfile

from answers import is_sentence
from pmu import environment
from session import Gdb, forbid_perf, lacking, ok, plan, rows, skip

ALIAS = re.compile(r"[a-z_-]+(\[/(\d|\{\d(\|\d+)+\})\])?,\d+ \('[^']+', alias for [A-Z0-9_:]+; "
                   r"((load|store|load-store) )?(CPU-cycles|events)(; precise)?\)")
RAW = re.compile(r"[\w:.-]+(\[/(\d|\{\d(\|\d+)+\})\])?,1000003 \(((load|store|load-store|not-program-related) )?"
                 r"(CPU-cycles|events)(; precise)?\)")
SOFTWARE = re.compile(r"[a-z-]+,\d+ \('[^']+'; ((load-store )?events|ns)(; precise)?\)")


def section(text, heading):
    """The lines of TEXT below HEADING, up to an empty one."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(heading)), len(lines)) + 1
    end = next((i for i in range(first, len(lines)) if not lines[i]), len(lines))
    return lines[first:end]


def all_are(lines, pattern):
    return bool(lines) and all(pattern.fullmatch(line) for line in lines)


def check_here():
    """What this machine says of itself."""
    out = Gdb().run("prof-counters", "prof-counters --format=csv", "prof-counters page-faults", "prof-counters no-such",
                    "prof-counters one two", "prof-counters --format=xml")
    text, table = out[0], rows(out[1])
    if "HW counters" not in text:
        ok(is_sentence(text.strip().splitlines()[0]), "without counters of the CPU a sentence says so", text)
    else:
        ok(all_are(section(text, "Aliased HW"), ALIAS) and all_are(section(text, "Raw HW"), RAW),
           "both lists are as the Collector's", text)
    if "Software events" in text:
        ok(all_are(section(text, "Software events"), SOFTWARE) and
           any(row["name"] == "page-faults" and row["kind"] == "software" and row["interval"] == "1" for row in table),
           "software events, as text and as a table", out[1])
        ok(out[2].strip() == "Software events:\npage-faults,1 ('Page Faults'; load-store events; precise)",
           "a pattern selects", out[2])
        ok(all(is_sentence(line) for line in out[3].strip().splitlines()) and '"no-such"' in out[3],
           "nothing is selected", out[3])
    else:
        skip(3, "software events", "the kernel permits no perf events")
    ok(is_sentence(out[4]) and '"two"' in out[4] and is_sentence(out[5]) and '"xml"' in out[5],
       "what is wrong gets a sentence", "\n".join(out[4:]))
    return "Software events" in text


def check_completion():
    """The words that --counter offers, also behind others."""
    for typed, expected in (("=page", ["=page-faults"]), (" page", [" page-faults"]),
                            ("=+minor", ["=+minor-faults"]), ("=cycles,+minor", ["=cycles,+minor-faults"]),
                            ("=page-faults:hi,minor", ["=page-faults:hi,minor-faults"]), ("=sched:", [])):
        out = Gdb().run("complete prof-start --counter" + typed)
        ok(out[0].splitlines() == ["prof-start --counter" + word for word in expected],
           "completes --counter" + typed, out[0])


def check_stand_in(folder):
    """The lists of a CPU with two registers."""
    gdb = Gdb(env=environment(folder))
    file = os.path.join(folder, "counters.csv")
    out = gdb.run("prof-counters", "prof-counters --format=json cycles", "prof-counters --format=csv --output=" + file)
    aliases, raw = section(out[0], "Aliased HW"), section(out[0], "Raw HW")
    ok(all_are(aliases, ALIAS) and "cycles[/{0|1}],9999991 ('CPU Cycles', alias for PERF_COUNT_HW_CPU_CYCLES; "
       "CPU-cycles; precise)" in aliases, "aliases", "\n".join(aliases))
    ok(all_are(raw, RAW) and "INST_RETIRED:LOADS[/{0|1}],1000003 (load events)" in raw,
       "the CPU's own counters", "\n".join(raw))
    ok("(skid)" in out[0] and "With + before" in out[0] and "No such counter of this CPU is precise" in out[0],
       "what can be known of instructions is said", out[0])
    ok('"view": "counters"' in out[1] and '"alias_for": "PERF_COUNT_HW_CPU_CYCLES"' in out[1], "as JSON", out[1])
    with open(file, encoding="utf-8") as lines:
        ok(lines.readline().startswith("kind,name,registers,interval,"), "into a file", out[2])


plan(17)
permitted = check_here()
if permitted:
    check_completion()
else:
    skip(6, "completion", "the kernel permits no perf events")
why = lacking("cc") or ("" if permitted else "the kernel permits no perf events")
if why:
    skip(5, "with the stand-in", why)
else:
    with tempfile.TemporaryDirectory() as place:
        check_stand_in(place)
forbid_perf()
out = Gdb().run("prof-counters")
ok(is_sentence(out[0]) and "perf_event" in out[0], "where perf events are forbidden, a sentence says so", out[0])
