# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs of a file of GDB's test suite say, and how runs with gdbprof differ from those without."""

import collections
import re

LINE = re.compile(r"^(PASS|FAIL|XPASS|XFAIL|KPASS|KFAIL|UNTESTED|UNRESOLVED|UNSUPPORTED|ERROR): (.*)$", re.M)
# Process ids, addresses and ports, which are others in each run.
CHANCE = re.compile(r"0x[0-9a-f]+|\d{4,}")

# What the suite appends to a test's name where GDB did not answer in time: a test fails as much in either way.
TIMEOUT = " (timeout)"

# What a run says that was ended since it took too long.
OVERDUE = "more than a run may take"

# A test NAME that said FOUND in TIMES of RUNS runs with gdbprof, and other things, WITHOUT, without.
Difference = collections.namedtuple("Difference", "name found without times runs")
# What is different by construction: in which FILE and MODE (patterns), which tests, and why.
Known = collections.namedtuple("Known", "file mode name why")


def read(text):
    """The results in TEXT, a gdb.sum: {name: what its tests said, sorted, in one string}.

    Several tests may have the same name.
    """
    found = collections.defaultdict(list)
    for status, name in LINE.findall(text):
        found[CHANCE.sub("N", name).strip().removesuffix(TIMEOUT)].append(status)
    return {name: " ".join(sorted(all_of)) for name, all_of in found.items()}


def comparable(bare, recorded):
    """Of the runs BARE and RECORDED, as read() has them, those that can be compared, maybe none.

    Where a file takes too long without gdbprof too, nothing is known of what was not reached.
    """
    if not any(OVERDUE in run for run in bare):
        return bare, recorded
    return tuple([run for run in runs if OVERDUE not in run] for runs in (bare, recorded))


def passes(run):
    """Does a test pass in RUN, as read() has it?

    Of a file whose compiler or simulator is missing, none does.
    """
    return any("PASS" in found.split() for found in run.values())


def better(found, without):
    """Did a test never pass in the runs that said WITHOUT, and not fail in one that said FOUND?

    Where GDB itself ends in an internal error, a run with gdbprof may have more luck.
    """
    return set(found.split()) <= {"PASS", "nothing"} and not any("PASS" in one.split() for one in without)


def differences(bare, recorded):
    """The Differences of RECORDED, a list of runs as read() has them, from BARE.

    Where a run with gdbprof says what one without says too, if not the first, nothing differs; nor
    where only runs without gdbprof fail.
    """
    bare, recorded = comparable(bare, recorded)
    if not bare:
        return []
    names = sorted(set().union(*bare, *recorded))
    differ = []
    for name in names:
        without = {run.get(name, "nothing") for run in bare}
        other = collections.Counter(run.get(name, "nothing") for run in recorded)
        for found, times in sorted(other.items()):
            if found not in without and not better(found, without):
                differ.append(Difference(name, found, ", ".join(sorted(without)), times, len(recorded)))
    return differ


def describe(one):
    return "%s: %s in %d of %d runs; without gdbprof %s" % (
        one.name, one.found, one.times, one.runs, one.without)


def read_known(text):
    """The rows of the table in TEXT, doc/gdbsuite.md, whose first column is a file of the suite."""
    rows = [[cell.strip().strip("`").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in text.splitlines() if line.startswith("| `gdb")]
    return [Known(*row) for row in rows]


def reason(known, file, mode, one):
    """Why ONE of the Differences in FILE and MODE is by construction, or None."""
    return next((row.why for row in known if re.fullmatch(row.file, file) and
                 re.fullmatch(row.mode, mode) and re.search(row.name, one.name)), None)
