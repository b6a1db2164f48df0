#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs and servers of Debian do under gdbprof what they do without, and are seen whole.

PROGRAMS="xz redis" selects some by name.  At the end stands a table of them all: the
CPU time by the kernel's account, what samples stand for of it, and how long threads waited for a CPU
(on a busy machine that is long, and the other figures mean less).
"""

import os
import signal
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

import attached  # noqa: E402
import inputs  # noqa: E402
import recorded  # noqa: E402
from programs import PROGRAMS  # noqa: E402
from servers import SERVERS  # noqa: E402
from session import ok, plan  # noqa: E402

LEAST = 0.9  # of the CPU time
AGAIN = 3  # recordings more, where one has seen less: of few samples that may be chance

wanted = os.environ.get("PROGRAMS", "").split()
unknown = set(wanted) - {program.name for program in PROGRAMS} - SERVERS.keys()
programs = [program for program in PROGRAMS if not wanted or program.name in wanted]
servers = {name: kind for name, kind in SERVERS.items() if not wanted or name in wanted}
lines = []


def percent(value):
    return "-" if value is None else "%.0f %%" % (100 * value)


def skip(count, name, why):
    for _ in range(count):
        ok(True, "%s # SKIP %s" % (name, why))


def told(seen):
    return "\n".join(one.text for one in seen)


def described(seen):
    """The figures of SEEN as columns of the table."""
    cpu = sum(one.cpu for one in seen)
    return "%7d %6.2f %7s %6.1f" % (max(one.threads for one in seen), cpu / len(seen),
                                  percent(recorded.share(seen)),
                                  sum(one.waited for one in seen) / len(seen))


def check_program(program, folder):
    command = recorded.find(program.command)
    if not command:
        skip(2, program.name, "the package %s is not installed" % program.package)
        return
    source, place = os.path.join(folder, "inputs"), os.path.join(folder, "run")
    bare = recorded.run_bare(command, source, place)
    outcome, first = recorded.run_recorded(command, source, place)
    wrong = recorded.differences(bare, outcome)
    ok(not wrong, "%s: the same output and exit status" % program.name,
       "\n".join(wrong) + "\n" + first.text)
    seen = [first]
    while not recorded.is_seen(seen, LEAST) and len(seen) <= AGAIN:
        seen.append(recorded.run_recorded(command, source, place)[1])
    ok(recorded.is_seen(seen, LEAST, recorded.chance(seen)),
       "%s: %s of %.2f s of CPU time seen" % (program.name, percent(recorded.share(seen)),
                                              sum(one.cpu for one in seen)), told(seen))
    lines.append("%-10s %s  %-6s %s" % (
        program.name, described(seen), "no" if bare.files != outcome.files else "yes",
        "yes" if bare.status == outcome.status else "no"))


def check_server(name, kind):
    if missing := kind.missing():
        skip(3, name, "%s is not installed" % missing)
        return
    try:
        got = attached.run(kind)
    except (OSError, RuntimeError, ValueError) as error:
        for what in ("serves", "is seen", "keeps its throughput"):
            ok(False, "%s %s" % (name, what), error)
        return
    share = recorded.share([got.seen])
    low, middle, high = attached.quartiles(got.ratios)
    ok(got.goes_on, "%s: goes on after it was let go" % name, got.said)
    ok(recorded.is_seen([got.seen], LEAST, recorded.chance([got.seen])), "%s: %s of %.2f s of CPU time seen"
       % (name, percent(share), got.seen.cpu), got.said + got.seen.text)
    ok(not attached.certain_loss(got.ratios),
       "%s: throughput %.3f of that without, quartiles %.3f and %.3f" % (name, middle, low, high),
       "\n".join("%.3f" % ratio for ratio in got.ratios))
    lines.append("%-10s %s  %.3f (%.3f to %.3f, %d pairs)" % (
        name, described([got.seen]), middle, low, high, len(got.ratios)))


# A test that is ended ends its servers, and takes its files away.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))
plan(1 + 2 * len(programs) + 3 * len(servers))
ok(not unknown, "all that PROGRAMS names is known", " ".join(sorted(unknown)))
with tempfile.TemporaryDirectory(prefix="gdbprof-") as folder:
    os.mkdir(os.path.join(folder, "inputs"))
    if programs:
        inputs.make_all(os.path.join(folder, "inputs"))
    lines.append("%-10s %7s %6s %7s %6s  %-6s %s" % ("program", "threads", "CPU s", "seen", "waited",
                                                     "output", "status"))
    for program in programs:
        check_program(program, folder)
lines.append("%-10s %7s %6s %7s %6s  %s" % ("server", "threads", "CPU s", "seen", "waited",
                                            "throughput, recorded to not: median (quartiles)"))
for name, kind in servers.items():
    check_server(name, kind)
print("".join("# %s\n" % line for line in lines), end="", flush=True)
