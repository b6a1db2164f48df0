# SPDX-License-Identifier: GPL-3.0-or-later
"""Silent stops by the thousand on a program that does all it can; what GDB and the program say of it."""

import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

from session import Gdb, rows  # pylint: disable=wrong-import-position

# What GDB prints where something went wrong, in whatever mood.
WRONG = re.compile(
    "internal-error|received signal|warning:|[Ee]rror|Exception|Traceback|Cannot|Couldn't|"
    "Can't|Unable|No such|failed|not reached|<<timeout>>|Assertion|Quit|SIG[A-Z]+",
)

# The busy threads of each run, how far the rate of one may be from that of all in its run, if these
# have so many samples, and how far apart the ids are of threads that were made one after the other.
WORKERS, UNEVEN, ENOUGH, APART = 4, 10, 120, 50

# The program is run again until there were so many stops.
RUNS = """python
import re
def stops():
    text = gdb.execute("prof-status", to_string=True)
    found = re.search(r"(\\d+) of (\\d+) ticks lost", text)
    return int(found.group(2)) - int(found.group(1)) if found else 0
runs = 0
while stops() < %d:
    gdb.execute("run")
    if int(gdb.parse_and_eval("$_exitcode")) != 0:
        raise gdb.GdbError("The program has failed.")
    runs += 1
print("%%d stops in %%d runs" %% (stops(), runs))
end
"""


class Storm:
    """One GDB that samples storm UNITS as often as it can, until it was stopped STOPS times."""

    def __init__(self, stops, units, folder, rate=20000, engine="stop", timeout=1200,
                 masked=False):
        script = folder + "/storm.gdb"
        with open(script, "w", encoding="utf-8") as file:
            file.write("set prof max-stopped 100\nset style enabled off\nset print thread-events off\n"
                       "set print inferior-events off\nprof-start --rate=%d --engine=%s\n"
                       % (rate, engine))
            file.write(RUNS % stops)
            file.write("prof-stop\nprof-threads --format=csv --metric=samples,cpu --limit=0\n")
        self.text = Gdb("storm", [str(units)], timeout=timeout, masked=masked).run("source " + script)[0]
        found = re.search(r"(\d+) stops in (\d+) runs", self.text)
        self.stops, self.runs = (int(found.group(1)), int(found.group(2))) if found else (0, 0)
        self.wrong = [line for line in self.text.splitlines() if WRONG.search(line)]
        made = re.findall(r"made (\d+) threads, (\d+) children, (\d+) loads", self.text)
        self.made = [sum(int(row[i]) for row in made) for i in range(3)]
        self.uneven = self._uneven()
        if len(made) != self.runs or not found:
            self.wrong.append("%d runs, of which %d have come to their end" % (self.runs, len(made)))

    def _uneven(self):
        """What is wrong with the samples of single threads: the workers of a run, all of which do the
        same, have them as their CPU time has it.  Another run may have lost more of them: ticks are
        lost while GDB learns of new threads."""
        threads = [(int(row["thread"]), float(row["samples"]), float(row["cpu"]))
                   for row in rows(self.text)[1:]]
        most = max((cpu for _, _, cpu in threads), default=0)
        groups = []
        for number, samples, cpu in sorted(threads):
            if cpu < most / 3:
                continue
            if not groups or number - groups[-1][-1][0] > APART:
                groups.append([])
            groups[-1].append((number, samples, cpu))
        said, judged = [], 0
        for group in groups:
            rate = sum(samples for _, samples, _ in group) / sum(cpu for _, _, cpu in group)
            if len(group) != WORKERS or sum(samples for _, samples, _ in group) < ENOUGH:
                continue
            judged += 1
            said += ["thread %d had %.0f samples a second of its CPU time, its run had %.0f" %
                     (number, samples / cpu, rate) for number, samples, cpu in group
                     if not rate / UNEVEN < samples / cpu < rate * UNEVEN]
        return said if judged else ["no run had enough samples: %s" % groups]
