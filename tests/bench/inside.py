# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside GDB: the same program again and again, sampled in one way or another.

BENCH_PLAN is a file with JSON: "arguments", the program's; "rounds"; "load", the file that loads
gdbprof; "output", where the program's output goes; "ways", a list of [name, commands before the run, commands after it].  Each
run is told as a line of JSON on the file "result".
"""

import json
import os
import resource
import time

import gdb


def spent():
    """Seconds of CPU time that this GDB has used."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def run(plan, before, after):
    """One run: what the program printed, what GDB said after it, and what it cost GDB."""
    for command in before:
        gdb.execute(command, to_string=True)
    used, began = spent(), time.monotonic()
    said = gdb.execute("run %s >%s 2>&1" % (plan["arguments"], plan["output"]), to_string=True)
    used, lasted = spent() - used, time.monotonic() - began
    told = "".join(gdb.execute(command, to_string=True) for command in after)
    with open(plan["output"]) as file:
        return {"printed": file.read(), "said": said, "told": told, "cpu": used, "lasted": lasted}


def main():
    with open(os.environ["BENCH_PLAN"]) as file:
        plan = json.load(file)
    gdb.execute("source " + plan["load"])
    gdb.execute("set print thread-events off")
    with open(plan["result"], "w") as result:
        for _ in range(plan["rounds"]):
            for name, before, after in plan["ways"]:
                result.write(json.dumps(dict(run(plan, before, after), way=name)) + "\n")
                result.flush()


main()
