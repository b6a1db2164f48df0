# SPDX-License-Identifier: GPL-3.0-or-later
"""Read experiment files of gdbprof in any Python, without GDB.

    import gdbprof
    with gdbprof.open("service.prof") as experiment:
        for function in experiment.functions("cpu")[:10]:
            print(function.name, function.exclusive, function.inclusive)
        table = gdbprof.frame(experiment.functions("cpu"))  # if pandas is installed
        experiment.database.execute("SELECT count(*) FROM mark")

Rows are named tuples.  Times are in seconds since the start of the recording, and so are metrics of time.  Stacks are as
gdbprof recorded them: those that views of GDB show with --stacks=machine.
"""

import collections
import pathlib
import sqlite3

APPLICATION = 0x67646270  # PRAGMA application_id: "gdbp"
OLDEST, NEWEST = 9, 20  # the versions of the schema that are read
MILLION = 10 ** 6
SECOND = 10 ** 9  # ns

# By their numbers in the file: core/model/state.h, core/model/sample_row.h.
STATES = ("user", "system", "runqueue", "lock", "data-fault", "other", "text-fault")
SAME_THREAD, SAME_PATH, SAME_CPU, STATE = 0x08, 0x10, 0x20, 0x07
# Metrics that are sums of the states' times.
SUMS = {"cpu": ("user", "system"), "fault": ("data-fault", "text-fault"), "wall": STATES}

Thread = collections.namedtuple("Thread", "id tid name process")
Mark = collections.namedtuple("Mark", "time label")
Frame = collections.namedtuple("Frame", "function module file line address")
Function = collections.namedtuple("Function", "name module exclusive inclusive")
Stack = collections.namedtuple("Stack", "functions value")
Sample = collections.namedtuple("Sample", "time thread state cpu stack values")


class Error(Exception):
    """What cannot be read: a sentence that says what, and why."""


def _varints(packed):
    """The numbers of the bytes PACKED: 7 bits each, the lowest first, and the bit 0x80 in all but the last."""
    number, shift = 0, 0
    for byte in packed:
        number |= (byte & 0x7f) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield number
            number, shift = 0, 0
    if shift:
        raise Error("A block of samples is truncated.")


def _rows(packed, count):
    """The COUNT rows (time, thread, path, state, CPU or None, {quantity: millionths}) of a block PACKED."""
    numbers = _varints(packed)
    time = thread = path = cpu = 0
    for _ in range(count):
        head, step = next(numbers), next(numbers)
        time += -(step // 2) - 1 if step & 1 else step // 2
        thread = thread if head & SAME_THREAD else next(numbers)
        path = path if head & SAME_PATH else next(numbers)
        cpu = cpu if head & SAME_CPU else next(numbers)
        mask, values = next(numbers), {}
        for quantity in range(mask.bit_length()):
            if mask >> quantity & 1:
                units = next(numbers)
                # Whole units, and millionths of one if the lowest bit is set.
                values[quantity] = units // 2 * MILLION + (next(numbers) if units & 1 else 0)
        yield time, thread, path, head & STATE, cpu - 1 if cpu else None, values


def _in_units(quantity, value):
    """VALUE, in millionths, as users see it: seconds for times."""
    if 1 <= quantity <= len(STATES):
        return value / (MILLION * SECOND)
    return value / MILLION if value % MILLION else value // MILLION


class Experiment:
    """An experiment file that is open; DATABASE is its connection of sqlite3, read-only."""

    def __init__(self, path):
        name = str(path)
        try:
            self.database = sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro", uri=True)
            application, = self.database.execute("PRAGMA application_id").fetchone()
            self.version, = self.database.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as error:
            raise Error("%s cannot be read: %s." % (name, error)) from error
        if application != APPLICATION:
            self.close()
            raise Error("%s is not an experiment file of gdbprof." % name)
        if not OLDEST <= self.version <= NEWEST:
            self.close()
            raise Error("%s has version %d of the schema, and versions %d to %d are read: load and save it with the gdbprof"
                        " that this module belongs to." % (name, self.version, OLDEST, NEWEST))
        self.info = {key: value for key, value in self._select("SELECT key, value FROM info ORDER BY id")}
        # The names of counters and events; the metric of the first is event-1.
        self.events = [name for name, in self._select("SELECT text FROM event JOIN string ON string.id = name ORDER BY event.id")]
        self._quantities = ["samples", *STATES] + ["event-%d" % (i + 1) for i in range(len(self.events))]
        self._costs = any(self._select("SELECT 1 FROM %s LIMIT 1" % table) for table in ("arc_value", "gmon")
                          if self._select("SELECT 1 FROM sqlite_master WHERE name = '%s'" % table))
        self._stacks = {0: ()}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Close the file."""
        self.database.close()

    def _select(self, sql):
        try:
            return self.database.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise Error("The experiment file is damaged: %s." % error) from error

    def metrics(self):
        """The names of the metrics that samples carry, or that are sums of these; event-1 is that of the first of EVENTS."""
        return self._quantities + list(SUMS)

    def threads(self):
        """The threads, by their ids in the experiment; process is None where the recording had only one."""
        return [Thread(*row) for row in self._select(
            "SELECT thread.id, tid, text, process FROM thread JOIN string ON string.id = name"
            " LEFT JOIN owner ON owner.thread = thread.id ORDER BY thread.id")]

    def marks(self):
        """The marks, in the order of time."""
        return [Mark(time / SECOND, label) for time, label in self._select(
            "SELECT time, text FROM mark JOIN string ON string.id = label ORDER BY time, mark.id")]

    def _frames(self):
        """{frame: its locations, the outermost first: several where functions are inlined}"""
        found = collections.defaultdict(list)
        for frame, *row in self._select(
                "SELECT frame, name.text, path.text, source.text, line, frame.address FROM location"
                " JOIN frame ON frame.id = frame JOIN function ON function.id = function"
                " JOIN module ON module.id = function.module"
                " JOIN string AS name ON name.id = function.name JOIN string AS path ON path.id = module.path"
                " JOIN string AS source ON source.id = location.file ORDER BY location.id DESC"):
            found[frame].append(Frame(*row))
        return found

    def _stack(self, path):
        """The frames of the path PATH, the outermost first."""
        if len(self._stacks) == 1:
            frames = self._frames()
            # A path has a larger id than its parent.
            for child, parent, frame in self._select("SELECT id, parent, frame FROM path ORDER BY id"):
                self._stacks[child] = self._stacks[parent] + tuple(frames[frame])
        try:
            return self._stacks[path]
        except KeyError:
            raise Error("The experiment file is damaged: a sample has no stack.") from None

    def _packed(self):
        """The rows of all samples."""
        for count, packed in self._select("SELECT samples, packed FROM sample_block ORDER BY id"):
            try:
                yield from _rows(packed, count)
            except (RuntimeError, StopIteration):
                raise Error("A block of samples is truncated.") from None

    def samples(self):
        """Yield all samples: values are {metric: value} of what they carry, and stack is a tuple of Frame, the outermost first.

        A sample may stand for several, see values["samples"]; a wait has no samples, and its time in values.
        """
        for time, thread, path, state, cpu, values in self._packed():
            named = {self._quantities[quantity]: _in_units(quantity, value) for quantity, value in values.items()}
            yield Sample(time / SECOND, thread, STATES[state], cpu, self._stack(path), named)

    def _add_up(self, metric, groups):
        """The sums of METRIC, one {group: value} for each function of GROUPS, which returns the groups of a stack."""
        if metric not in self.metrics():
            raise Error('There is no metric "%s": there are %s.' % (metric, ", ".join(self.metrics())))
        if self._costs:
            raise Error("The experiment has costs of calls from callgrind or a gmon.out, and no stacks: use gdbprof report.")
        wanted = [self._quantities.index(name) for name in SUMS.get(metric, (metric,))]
        paths = collections.Counter()
        for _, _, path, _, _, values in self._packed():
            paths[path] += sum(values.get(quantity, 0) for quantity in wanted)
        sums = [collections.Counter() for _ in groups]
        for path, value in paths.items():
            stack = self._stack(path) if value else ()
            for found, group in zip(sums, groups):
                found.update(dict.fromkeys(group(stack), value))
        return [collections.Counter({group: _in_units(wanted[0], value) for group, value in found.items() if value})
                for found in sums]

    def stacks(self, metric="samples"):
        """The distinct stacks: names of functions, the outermost first, and the value of METRIC; the largest come first."""
        found, = self._add_up(metric, [lambda stack: [tuple(frame.function for frame in stack)]])
        return [Stack(*row) for row in sorted(found.items(), key=lambda row: (-row[1], row[0]))]

    def functions(self, metric="samples"):
        """The functions with METRIC in themselves, and with all that they call; the largest exclusive values come first."""
        exclusive, inclusive = self._add_up(metric, [
            lambda stack: [(frame.function, frame.module) for frame in stack[-1:]],
            lambda stack: {(frame.function, frame.module) for frame in stack}])
        rows = [Function(*function, exclusive[function], value) for function, value in inclusive.items()]
        return sorted(rows, key=lambda row: (-row.exclusive, -row.inclusive, row.name, row.module))


def open(path):  # as gdbprof.open()
    """Open the experiment file PATH, an Experiment; raises Error if it is none."""
    return Experiment(path)


def frame(rows):
    """The named tuples ROWS, of one kind, as a data frame of pandas, which must be installed."""
    try:
        import pandas  # only here: everything else works without
    except ImportError:
        raise Error("pandas is not installed: install python3-pandas, or use the rows themselves.") from None
    rows = list(rows)
    return pandas.DataFrame.from_records(rows, columns=rows[0]._fields if rows else None)
