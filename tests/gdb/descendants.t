#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program forks and executes is recorded until it ends, and the session is as without."""

import os
import re
import subprocess
import tempfile
import time

from session import Gdb, again, forbid_perf, lacking, near, ok, plan, program, rows, skip, wait_until

FUNCTIONS = "prof-functions --format=csv --limit=0"
PROCESSES = "prof-processes --format=csv"
RATE = 1000

# Waits, in GDB, until there are some samples.
WAITING = """import re, time
for _ in range(1200):
    found = re.search(r"(\\d+) samples", gdb.execute("prof-status", to_string=True))
    if found and int(found[1]) > 30:
        break
    time.sleep(0.05)"""


def permitted():
    """Does the kernel permit perf events?"""
    return "Children" not in Gdb("workers").run("prof-start --children")[0]


def samples(text):
    """The inclusive samples of each function in TEXT."""
    return {row["name"]: float(row["inclusive"]) for row in rows(text) if row["inclusive"]}


def times(text):
    """The CPU times that the program has printed in TEXT."""
    return {word: float(number) for word, number in re.findall(r"(\w+) (\d+\.\d{6})", text)}


def test_work(place):
    """All processes have the time that they have used, under their names."""
    tool = os.path.join(place, "tool")
    os.symlink(program("workers"), tool)

    lasted = []

    def run():
        begin = time.monotonic()
        out = Gdb("workers", ["all", tool]).run(
            "prof-start --children --rate=%d" % RATE, "run", "prof-stop", FUNCTIONS, PROCESSES,
            "prof-threads --format=csv --limit=0")
        lasted.append(time.monotonic() - begin)
        return out

    def good(out):
        cpu = times(out[1])
        found = samples(out[3])
        return cpu and 0.9 < found.get("<Total>", 0) / RATE / (cpu["own"] + cpu["children"]) < 1.1

    out = again(run, good)
    cpu, found = times(out[1]), samples(out[3])
    whole = cpu.get("own", 0) + cpu.get("children", 1)
    ok(good(out), "samples are the CPU time that the kernel counts",
       "%s\n%s of %s s" % (out[2], found.get("<Total>"), whole))
    total = found.get("<Total>", 1)
    for name in ("parent", "child", "grandchild", "brief"):
        share = 100 * cpu.get(name, 0) / whole
        ok(near(100 * found.get(name, 0) / total, share, total), name + " has its share",
           "%s of %s samples, %.2f %%\n%s" % (found.get(name), total, share, out[3]))
    ok(found.get("tool", 0) > 0.15 * RATE, "so has a program that is executed", out[3])
    table = rows(out[4])
    names = [row["name"] for row in table if row["process"]]
    ok(names.count("tool") == 1 and names.count("workers") >= 20, "processes have their names",
       out[4])
    process = next((row["process"] for row in table if row["name"] == "tool"), "0")
    ok(any(row["thread"] == process for row in rows(out[5])), "and are rows among the threads", out[5])
    seconds = re.search(r"samples in ([0-9.]+) s", out[2])
    ok(seconds and whole * 0.5 < float(seconds[1]) < lasted[-1], "seconds are those of the clock on the wall",
       "%s\n%.3f s" % (out[2], lasted[-1]))


def test_filter(place):
    """A process can be chosen, in a file too."""
    file = os.path.join(place, "file")
    out = again(lambda: Gdb("workers", ["all", os.path.join(place, "tool")]).run(
        "shell rm -f " + file, "prof-start --children --rate=%d --output=%s" % (RATE, file), "run", "prof-stop",
        PROCESSES), lambda out: ",tool" in out[4])
    process = next((row["process"] for row in rows(out[4]) if row["name"] == "tool"), "0")
    out = Gdb().run("prof-load " + file, "%s --process=%s" % (FUNCTIONS, process))
    found = {name for name, count in samples(out[1]).items() if count}
    ok("tool" in found and not found & {"parent", "child", "brief"}, "a process can be chosen", out[1])


def test_waits():
    """What children wait for is known, with its stack, and a sample where waits are samples."""
    begin = time.monotonic()
    out = Gdb("/bin/sh", ["-c", "sleep 1; :"]).run(
        "prof-start --children --clock=wall", "run", "prof-stop", PROCESSES + " --metric=samples,other,wall",
        FUNCTIONS + " --metric=i.other", "prof-overview --format=csv")
    lasted = time.monotonic() - begin
    row = next((row for row in rows(out[3]) if row["name"] == "sleep"), {"samples": 0, "other": 0, "wall": 1})
    waited = float(row["other"])
    ok(0.95 < waited < lasted, "children wait as long as they do", "%s\n%.3f s" % (out[3], lasted))
    # On a busy machine it waits for a CPU, too.
    ok(abs(float(row["samples"]) - 100 * float(row["wall"])) < 5, "and waits are samples if they are to be", out[3])
    places = {row["name"]: float(row["inclusive"]) for row in rows(out[4])}
    ok(any("nanosleep" in name and 0.8 < time < lasted for name, time in places.items()),
       "waits have their stacks", out[4])
    overview = rows(out[5])[0]
    ok(float(overview["other"]) > waited and float(overview["thread_time"]) > waited,
       "and are in the overview", out[5])


# Until both of two processes have samples.
BOTH = """import time
for _ in range(1200):
    rows = [row.split(",") for row in gdb.execute("%s", to_string=True).splitlines()]
    if sum(row[1:2] == ["workers"] and float(row[2]) > 10 for row in rows) == 2:
        break
    time.sleep(0.05)""" % PROCESSES


def test_alone(place):
    """A child is called as it is called, and not as the program, which has no samples."""
    file = os.path.join(place, "alone")
    with subprocess.Popen(["sh", "-c", "%s work %s; true" % (program("workers"), file)]) as shell:
        wait_until(lambda: names_of_children(shell.pid) == ["workers"])
        out = Gdb().run("attach %d" % shell.pid, "prof-start --children --rate=%d" % RATE,
                        "python exec(%r)" % WAITING, "prof-stop", PROCESSES, "detach")
        names = [row["name"] for row in rows(out[4]) if float(row["samples"]) > 0 and row["process"]]
        ok(names == ["workers"], "a process that is sampled alone has its name", out[4])
        open(file, "w").close()


def test_running(place):
    """Processes that run already, with what they have made: of the program, and others."""
    file = os.path.join(place, "over")
    work = "%s work %s" % (program("workers"), file)
    with subprocess.Popen(["sh", "-c", "%s & %s & wait" % (work, work)]) as shell:
        wait_until(lambda: names_of_children(shell.pid) == ["workers", "workers"])
        out = Gdb().run("attach %d" % shell.pid, "prof-start --children --rate=%d" % RATE,
                        "python exec(%r)" % BOTH, "prof-stop", FUNCTIONS, PROCESSES, "detach")
        ok(samples(out[4]).get("outliving", 0) > 10 and
           sum(row["name"] == "workers" and float(row["samples"]) > 0 for row in rows(out[5])) == 2,
           "a process that GDB attaches to has its children recorded", out)
        out = Gdb().run("prof-start --processes=%d --rate=%d" % (shell.pid, RATE), "python exec(%r)" % WAITING,
                        "info inferiors", "prof-stop", FUNCTIONS)
        ok(samples(out[4]).get("outliving", 0) > 10 and "<null>" in out[2],
           "processes can be recorded that GDB does not have", out)
        seconds = re.search(r"samples in ([0-9.]+) s", out[3])
        ok(seconds and float(seconds[1]) > 0, "for so long", out[3])
        with open(file, "w", encoding="ascii"):
            pass
    out = Gdb().run("prof-start --cgroup=no-such.service", "prof-start --processes=%d" % shell.pid, "prof-start --processes=x,12", "prof-start --processes=")
    ok('There is no control group "no-such.service"' in out[0] and "There is no process %d." % shell.pid in out[1] and
       'as in 12,34, not "x,12".' in out[2] and 'not "".' in out[3], "what is no process is refused", out)


def test_group(place):
    """The processes that a control group lists, and those that come into it."""
    group = os.path.join(place, "group")
    over = os.path.join(place, "left")
    os.mkdir(group)
    procs = os.path.join(group, "cgroup.procs")
    with subprocess.Popen([program("workers"), "work", over]) as first, \
            subprocess.Popen([program("workers"), "work", over]) as second:
        with open(procs, "w", encoding="ascii") as file:
            file.write("%d\n" % first.pid)
        out = Gdb().run("prof-start --cgroup=%s --rate=%d" % (group, RATE), "python exec(%r)" % WAITING, "prof-status",
                        "shell echo %d >> %s" % (second.pid, procs), "python exec(%r)" % BOTH, "prof-status",
                        "prof-stop", PROCESSES, "prof-overview --format=csv", "prof-status")
        open(over, "w", encoding="ascii").close()
    ok("Recording: 1 process that GDB does not have." in out[2], "a control group is recorded", out)
    found = {row["process"] for row in rows(out[7]) if float(row["samples"]) > 10}
    ok({str(first.pid), str(second.pid)} <= found and "Recording: 2 processes that GDB does not have." in out[5],
       "with the processes that come later", out)
    overview = rows(out[8])[0]
    ok(overview["user"] == "" and float(overview["thread_time"]) > 0, "and what they used is not shown as none", out[8])


def test_split(place):
    """A child's functions and lines come from its file, or from the one that they were split off to."""
    if lacking("objcopy", "readelf"):
        skip(2, "names that were split off", "binutils are not installed")
        return
    tool = os.path.join(place, "stripped")
    notes = subprocess.run(["readelf", "-n", program("workers")], stdout=subprocess.PIPE, text=True, check=True).stdout
    build_id = re.search(r"Build ID: (\w\w)(\w+)", notes)
    folder = os.path.join(place, "debug")
    os.makedirs(os.path.join(folder, ".build-id", build_id[1]))
    subprocess.run(["objcopy", "--only-keep-debug", program("workers"),
                    os.path.join(folder, ".build-id", build_id[1], build_id[2] + ".debug")], check=True)
    subprocess.run(["objcopy", "--strip-all", program("workers"), tool], check=True)
    found = []
    for where in (folder, place):
        out = again(lambda where=where: Gdb("/bin/sh", ["-c", tool + " tool; :"]).run(
            "set debug-file-directory " + where, "prof-start --children --rate=%d" % RATE, "run", "prof-stop",
            FUNCTIONS, "prof-lines --format=csv --limit=0"), lambda out: samples(out[4]).get("<Total>", 0) > 100)
        found.append(out)
    lines = [row["name"] for row in rows(found[0][5]) if float(row["exclusive"]) > 50]
    ok(samples(found[0][4]).get("burn", 0) > 100 and any("spend.h" in line or "cpu.h" in line for line in lines),
       "names and lines that were split off are found", found[0][4:])
    ok("burn" not in samples(found[1][4]) and "<static>@" in found[1][4], "only where GDB would look", found[1][4:])


def names_of_children(process):
    """The names of the processes that PROCESS has made."""
    names = []
    for other in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % other, encoding="utf-8", errors="replace") as file:
                name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        if rest.split()[1] == str(process):
            names.append(name)
    return names


def anonymous(text):
    """TEXT without the numbers of processes, and times."""
    text = re.sub(r"\d+\.\d{6}", "TIME", re.sub(r"process \d+", "process N", text))
    return re.sub(r"(Value returned is \$\d+ =) \d+", r"\1 N", text)


def test_transcript():
    """GDB prints the same, stops at the same places, and has the same settings."""
    script = ["break parent", "run", "info breakpoints", "next", "tbreak wait", "continue", "backtrace 1",
              "finish", "continue", "info breakpoints", "info inferiors", "show detach-on-fork",
              "show follow-fork-mode", "show schedule-multiple", "info signals SIGURG", "info signals SIGCHLD"]
    plain = Gdb("workers", ["all"], load=False).run(*script)
    out = Gdb("workers", ["all"]).run("prof-start --children", *script, "prof-stop")
    ok(list(map(anonymous, out[1:-1])) == list(map(anonymous, plain)), "the session reads as without",
       "\n".join("%s\n%s" % pair for pair in zip(out[1:-1], plain) if anonymous(pair[0]) != anonymous(pair[1])))
    ok("[Detaching after fork from child process" in "".join(plain), "and GDB lets children go", plain)


def test_outliving(place):
    """A process that goes on when the program and the recording have ended."""
    file = os.path.join(place, "end")
    out = Gdb("workers", ["outlive", file]).run(
        "prof-start --children --rate=%d" % RATE, "run", "python exec(%r)" % WAITING, "prof-stop",
        FUNCTIONS, PROCESSES)
    ok(samples(out[4]).get("outliving", 0) > 10, "what the program leaves behind is recorded", out[3:])
    process = next((int(row["process"]) for row in rows(out[5]) if row["name"] == "workers" and
                    float(row["samples"])), 0)
    with open("/proc/%d/stat" % process, encoding="ascii") as status:
        state = status.read().rsplit(")", 1)[1].split()[0]
    ok(process and state in "RSD", "and goes on", state)
    with open(file, "w", encoding="ascii"):
        pass
    ok(wait_until(lambda: os.path.getsize(file)), "to its end")
    with open(file, encoding="ascii") as text:
        ok(text.read() == "%d\n" % process, "as it was", process)


def refused():
    """What prof-start and prof-stop say where perf events are forbidden."""
    ends = os.pipe()
    child = os.fork()
    if not child:
        forbid_perf()
        out = Gdb("workers", ["all"]).run("prof-start --children --rate=%d" % RATE, "run", "prof-stop", FUNCTIONS)
        os.write(ends[1], "\0".join(out).encode())
        os._exit(0)
    os.close(ends[1])
    with os.fdopen(ends[0], "rb") as file:
        out = file.read().decode().split("\0")
    os.waitpid(child, 0)
    return out


def test_refused():
    """Without perf events the program alone is recorded, and that is said."""
    out = refused()
    said = "Children of the program are not recorded: "
    ok(out[0].count(said) == 1 and out[2].count(said) == 1 and "perf_event_open" in out[0],
       "where perf events are forbidden that is said", out)
    found = samples(out[3])
    ok("children" in out[1] and found.get("parent", 0) > 0 and not found.get("child"),
       "and the program is recorded", out)


def test_mistakes():
    """What cannot be done is refused."""
    out = Gdb("workers").run("prof-start --children --engine=none", "prof-start --children")
    ok("--children, --processes and --cgroup need samples by the clock" in out[0] and "Recording at" in out[1], "children need a clock", out)


plan(33)
if permitted():
    with tempfile.TemporaryDirectory() as scratch:
        test_work(scratch)
        test_filter(scratch)
        test_waits()
        test_transcript()
        test_outliving(scratch)
        test_alone(scratch)
        test_running(scratch)
        test_group(scratch)
        test_split(scratch)
else:
    skip(30, "children", "the kernel permits no perf events")
test_refused()
test_mistakes()
