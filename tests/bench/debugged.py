# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that run under GDB, alone and while gdbprof traces them; and how long it takes to begin."""

import re
import statistics
import subprocess

from common import LOADER, LONGEST, fail, fields, run, say, spread


def gdb(commands, arguments=(), process=None):
    """What GDB prints that executes COMMANDS on the program in ARGUMENTS, or on PROCESS."""
    line = ["gdb", "-nx", "-batch", "-iex", "set pagination off", "-iex", "set breakpoint pending on",
            "-iex", "set print thread-events off", "-x", LOADER]
    for command in commands:
        line += ["-ex", command]
    return run(line + (["-p", str(process)] if process else ["--args", *arguments]), allowed=True)


def events(text):
    """How many events prof-stop says there were, the bytes of one, and how many were lost."""
    found = re.search(r"; (\d+) events(?:, of which (\d+) were lost)?", text)
    size = re.search(r"An event has ([\d.]+) bytes", text)
    if not found or not size:
        fail("gdbprof does not say what it traced:", text[-2000:])
    lost = re.search(r"(\d+)[^\n]* lost", text)
    return int(found[1]), float(size[1]), int(lost[1]) if lost else 0


def show_traced(option, key, threads, arguments, rounds):
    """Show how many times longer a pair takes with OPTION than under GDB without; KEY: its ns."""
    slower, rates, sizes, lost, total = [], [], [], 0, 0
    for _ in range(rounds):
        plain = fields(gdb(["run"], arguments)).get(key)
        # Before its end: there the agent tells how large its events are.
        text = gdb(["prof-start --engine=none " + option, "break exit", "run", "prof-stop", "continue"],
                   arguments)
        traced = fields(text).get(key)
        if not plain or not traced:
            fail("The program was not run to its end:", text[-2000:])
        count, size, missed = events(text)
        slower.append(traced / plain)
        sizes.append(size)
        total, lost = total + count, lost + missed
        rates.append(threads * 1e3 / traced)
    say("  %-18s %-26s %.1f M pairs/s, %.1f bytes an event, %d lost of %.1f M" % (
        "gdbprof", spread(slower, "%.1f"), statistics.median(rates), statistics.median(sizes), lost,
        total / 1e6))


def show_pause(option, arguments, rounds):
    """Show how long the program in ARGUMENTS, in the middle of its work, is kept stopped to begin."""
    pauses = []
    for _ in range(rounds):
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as process:
            try:
                text = gdb(["prof-start --engine=none " + option, "prof-status", "prof-stop", "detach"],
                           process=process.pid)
            finally:
                process.kill()
                process.wait(LONGEST)
        found = re.search(r"kept the program stopped for ([\d.]+) ms", text)
        if not found:
            fail("gdbprof does not say how long it took to begin:", text[-2000:])
        pauses.append(float(found[1]))
    say("  %-18s %s ms to begin in the middle of it" % ("gdbprof, attached", spread(pauses, "%.1f")))
