# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiment at hand, as objects: `import prof` in GDB's Python, once gdbprof is loaded.

    import prof
    for function in prof.functions(metric="cpu"):
        print(function.name, function.exclusive)
    slow = [s for s in prof.samples("--state=lock") if "serve" in s.stack]

Times are in seconds, other metrics in their own unit.  METRIC is a name that prof-metrics lists; the
default is samples.  FILTER is text with the filters of views: "--thread=12 --time=1s-2s".  For
programs with OpenMP it can also choose the stacks: "--stacks=machine".  A mistake raises gdb.GdbError
with a full sentence.
"""

import collections
import json
import types

import _prof
import gdb

STATES = ("user", "system", "runqueue", "lock", "fault", "other", "text-fault")

Thread = collections.namedtuple("Thread", "id name")
Sample = collections.namedtuple("Sample", "time thread state stack")


def view(name, *options):
    """Return the rows of the view prof-NAME with OPTIONS, as objects with the names that JSON has."""
    command = " ".join(("prof-" + name, "--format=json") + options)
    try:
        text = gdb.execute(command, to_string=True)
    except gdb.error as error:  # a command's own mistakes come as this
        raise gdb.GdbError(str(error)) from None
    return [types.SimpleNamespace(**row) for row in json.loads(text)["rows"]]


def _list(name, metric, filter):
    """All rows of the view NAME but the total."""
    chosen = ["--metric=" + metric] if metric else []
    return [row for row in view(name, *chosen, filter) if row.name != "<Total>"]


def functions(metric="", filter=""):
    """Return the functions: name, exclusive, inclusive, exclusive_percent, inclusive_percent."""
    return _list("functions", metric, filter)


def objects(metric="", filter=""):
    """Return the load objects, with the attributes of functions()."""
    return _list("objects", metric, filter)


def lines(metric="", filter=""):
    """Return the source lines, with the attributes of functions()."""
    return _list("lines", metric, filter)


def metrics(filter=""):
    """Return the metrics: name, title, unit, total."""
    return view("metrics", filter)


def intervals(filter=""):
    """Return the intervals between marks, with the figures that prof-overview has in csv."""
    return [row for row in view("overview", filter) if row.interval is not None]


def threads():
    """Return the threads in the order in which gdbprof recorded them: id, name."""
    return [Thread(*thread) for thread in _prof.threads()]


class _Stacks:
    """The stacks of an experiment, by number."""

    def __init__(self, stacks):
        self.parents, self.frames = (memoryview(part).cast("I") for part in stacks[:2])
        self.names = stacks[2]
        self.known = {0: ()}

    def stack(self, path):
        """The names of the functions of PATH, the outermost first."""
        missing = []
        while path not in self.known:
            missing.append(path)
            path = self.parents[path]
        for path in reversed(missing):
            outer = self.known[self.parents[path]]
            self.known[path] = outer + (self.names[self.frames[path]] or ("<Unknown>",))
        return self.known[path]


def samples(filter=""):
    """Generate the samples: time, thread, state, stack.

    The time is since the start of the recording.  The stack is a tuple of the names of its functions,
    the outermost first.
    """
    got, known = _prof.samples(filter), threads()
    stacks = _Stacks(got[4])
    columns = [memoryview(part).cast(kind) for part, kind in zip(got, "qIBI")]
    for time, thread, state, path in zip(*columns):
        yield Sample(time / 1e9, known[thread], STATES[state], stacks.stack(path))


def values(metric="", filter=""):
    """Return the value of METRIC of each sample, in the order of samples()."""
    return memoryview(_prof.values(metric, filter)).cast("d")


def stacks(metric="", filter=""):
    """Return a dictionary with the METRIC of each stack, all samples of a stack added up."""
    sums, got = _prof.sums(metric, filter)
    known, added = _Stacks(got), {}
    for path, value in enumerate(memoryview(sums).cast("d")):
        if value:
            stack = known.stack(path)
            added[stack] = added.get(stack, 0) + value
    return added
