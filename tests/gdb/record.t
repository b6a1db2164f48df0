#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`gdbprof record`: a program runs under GDB as it does without, and its profile is in a file."""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from answers import cpu_jiffies
from session import BUILD, Gdb, ok, plan, program, total, wait_until

COMMAND = os.path.join(BUILD, "gdbprof")
BARE = {name: value for name, value in os.environ.items() if not re.match("OMPI_|PMI_|SLURM_", name)}
# Says what it was given, and ends as it was told: by a status, or by a signal.
HEARS = """import os, signal, sys, time
signal.signal(signal.SIGUSR1, lambda *_: (print("heard", flush=True), os._exit(5)))
print("ready", os.getpid(), flush=True)
while True:
    sum(range(10000))
"""
SAYS = """import os, signal, sys
print(sys.argv[2:], sys.stdin.read())
print("beside", file=sys.stderr)
how = int(sys.argv[1])
sys.stdout.flush()
os._exit(how) if how >= 0 else os.kill(os.getpid(), -how)
"""


def execute(words, **options):
    done = subprocess.run(words, input="from stdin", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=300, env=dict(BARE, **options.pop("env", {})), **options)
    return done.returncode, done.stdout, done.stderr


def record(*words, **options):
    """The exit status, and what was printed on stdout and stderr."""
    return execute([COMMAND, "record", *words], **options)


def same(name, *words):
    """Does what WORDS execute end and print the same when it is recorded?"""
    bare = execute(words)
    recorded = record("--output=same.prof", "--", *words)
    # gdbprof says last what it has recorded.
    said = recorded[2].splitlines(True)
    ok(recorded[:2] == bare[:2] and "".join(said[:-1]) == bare[2] and
       re.match(r"gdbprof: \d+ samples? in \d+\.\d+ s; ", said[-1] if said else ""), name, "%r\n%r" % (bare, recorded))


def refused(name, status, sentence, *words, **options):
    found = record(*words, **options)
    ok(found[0] == status and re.search(sentence, found[2]) and not found[1], name, repr(found))


def interrupted():
    """Ctrl-C on a terminal: (the wait status, what the terminal showed)."""
    shown = b""
    child, terminal = pty.fork()
    if not child:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell has what runs in its background ignore it
        os.execv(COMMAND, [COMMAND, "record", "--output=spin.prof", program("busy"), "2"])

    def grows():
        # By its second part: the first has the start alone.
        return os.path.exists("spin.prof") and os.path.getsize("spin.prof") > 0

    begun = wait_until(lambda: grows() and running(child))
    os.write(terminal, b"\x03")
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    status = os.waitpid(child, 0)[1]
    return begun, status, shown.decode(errors="replace")


def terminated():
    """SIGTERM, as a supervisor sends it: (whether it had begun, the exit status)."""
    process = subprocess.Popen([COMMAND, "record", "--output=ended.prof", "--", program("busy"), "2"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begun = wait_until(lambda: os.path.exists("ended.prof") and os.path.getsize("ended.prof") > 0 and
                       running(process.pid))
    process.terminate()
    return begun, process.wait(300)


def running(gdb):
    """Does a process that GDB has started execute the program, and for so long that looks must have met it?"""
    with open("/proc/%d/task/%d/children" % (gdb, gdb)) as file:
        children = file.read().split()
    for child in children:
        try:
            if os.path.basename(os.readlink("/proc/%s/exe" % child)) == "busy":
                with open("/proc/%s/stat" % child) as stat:
                    return int(stat.read().rsplit(")", 1)[1].split()[11]) > 50  # ticks of user time
        except OSError:
            pass
    return False


def as_rank(tell):
    """A rank in a group of its own that has computed for a while, to which TELL gives a signal: what it printed, its exit
    status, and the program's id."""
    process = subprocess.Popen([COMMAND, "record", "--output=rank.prof", "--", sys.executable, "-c", HEARS],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env=dict(BARE, PMI_RANK="0", PMI_SIZE="1"), start_new_session=True)
    first = process.stdout.readline()
    pid = int(first.split()[1])
    begin = cpu_jiffies(pid)
    wait_until(lambda: os.path.getsize("rank.prof") > 0 and
               cpu_jiffies(pid) > begin + 0.3 * os.sysconf("SC_CLK_TCK"))
    tell(process)
    return first + process.communicate(timeout=300)[0], process.returncode, pid


plan(7 + 2 + 4 + 3 + 12 + 2)
os.chdir(tempfile.mkdtemp(prefix="gdbprof-record-"))
BARE["PWD"] = os.getcwd()  # which a shell sets
os.mkdir("temporary")
BARE["TMPDIR"] = os.path.abspath("temporary")
python = sys.executable
same("its arguments, input, output and exit status are its own", python, "-c", SAYS, "3", "a b", "c'd\"", "$HOME*\\")
same("it dies of its own signal", python, "-c", SAYS, str(-signal.SIGSEGV))
same("also of one that cannot be caught", python, "-c", SAYS, str(-signal.SIGKILL))
same("also of one that GDB uses", python, "-c", SAYS, str(-signal.SIGTRAP))
same("its environment is its own", python, "-c", "import os; print(sorted(os.environ.items()))")
# /bin/sh, which starts the program, has no variables of such names, or has its own.
BARE.update({"BASH_FUNC_greet%%": "() {  echo \"$1\"\n}", "a.b": "'x' \\ $HOME", "9": "", "IFS": ":", "PPID": "7"})
del BARE["PWD"]
same("also what a shell would lose or change", python, "-c", "import os; print(sorted(os.environ.items()))")
for name in "BASH_FUNC_greet%%", "a.b", "9", "IFS", "PPID":
    del BARE[name]
BARE["PWD"] = os.getcwd()
# GDB has something to say of scripts that lie beside a program.
shutil.copy(program("shares"), "scripted")
with open("scripted-gdb.py", "w", encoding="utf-8") as script:
    script.write("print('a script of the program')\n")
same("GDB's scripts for it are left alone", os.path.abspath("scripted"), "1")

status, out, err = record(program("shares"), "1000")
loaded = Gdb().run("prof-load gdbprof.prof", "prof-functions --format=csv")
ok(status == 0 and total(loaded[1]) > 5, "the profile is in gdbprof.prof", err + "\n".join(loaded))
record("--rate=777", program("shares"), "1")
loaded = Gdb().run("prof-load gdbprof.prof.old", "prof-functions --format=csv", "prof-load gdbprof.prof", "prof-status")
ok(total(loaded[1]) > 5 and "777 Hz" in loaded[3], "one that was there is kept; options are those of prof-start",
   "\n".join(loaded))
begun, status, shown = interrupted()
loaded = Gdb().run("prof-load spin.prof", "prof-functions --format=csv")
ok(begun and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT and total(loaded[1]) > 0,
   "Ctrl-C ends the program and keeps the profile", "%r %d %s %s" % (begun, status, shown, loaded))
begun, status = terminated()
loaded = Gdb().run("prof-load ended.prof", "prof-functions --format=csv")
ok(begun and status == 255 and total(loaded[1]) > 0,
   "SIGTERM ends the program, keeps the profile, and is no success", "%r %s %s" % (begun, status, loaded))

for launcher in ({"PMI_RANK": "3", "PMI_SIZE": "4"},
                 {"OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_SIZE": "6", "SLURM_PROCID": "0"},
                 {"SLURM_PROCID": "7", "SLURM_STEP_NUM_TASKS": "8", "SLURM_STEP_ID": "0"}):
    rank = {"PMI_RANK": 3, "OMPI_COMM_WORLD_RANK": 5}.get(min(launcher, key=lambda name: name.startswith("S")), 7)
    found = record("-o", "job.%r.100%%.prof", "true", env=launcher)
    ok(found[0] == 0 and os.path.exists("job.%d.100%%.prof" % rank), "the rank is in the name of the file",
       "%s %s %s" % (launcher, found, os.listdir()))

heard, status, _ = as_rank(lambda process: process.send_signal(signal.SIGUSR1))
ok("heard" in heard and status == 5, "a signal that a rank gets is the program's", "%s %s" % (heard, status))
os.unlink("rank.prof")
heard, status, pid = as_rank(lambda process: os.killpg(process.pid, signal.SIGKILL))
ended = wait_until(lambda: not os.path.exists("/proc/%d" % pid))
ok(status == -signal.SIGKILL and ended and
   wait_until(lambda: total(Gdb().run("prof-load rank.prof", "prof-functions --format=csv")[1]) > 10),
   "a rank that its launcher kills has ended, and GDB has written its profile", "%s %s %s" % (heard, status, os.listdir()))

with open("script", "w") as file:
    file.write("#!/bin/sh\n")
with open("broken", "wb") as file:
    file.write(b"\x7fELF" + bytes(60))
with open("other", "w") as file:
    file.write("no profile\n")
for name in ("script", "broken"):
    os.chmod(name, 0o755)
refused("no program", 2, "no program to record", "--rate=100")
refused("a program that is not there", 127, 'no program "nowhere"', "--", "nowhere")
refused("a path that is not there", 127, "cannot be found: No such file", "./nowhere")
refused("a folder", 126, "cannot be executed: it is a directory", "/")
refused("a script", 126, r'record its interpreter, as in "gdbprof record -- sh ./script"\.', "./script")
refused("a program that cannot be executed", 125, "could not be run", "./broken")
refused("an option that prof-start does not have", 125, 'no option "--nothing"', "--nothing", "true")
refused("a file that is no profile", 125, '"other" exists already', "--output=other", "true")
refused("a rank where there is none", 125, "no launcher", "--output=x%r", "true")
refused("another word of the file's name", 125, "write %% for a percent sign", "--output=x%q", "true")
with open("gdbprof.prof", "r+b"):
    refused("a profile that another process writes", 125, "another process writes it.*%p", "true")
found = record("--output=x.%p.%%", "true"), record("--output=x.%p.%%", "true")
names = [name for name in os.listdir() if re.fullmatch(r"x\.\d+\.%", name)]
ok(len(names) == 2 and not found[0][0], "the process ID is in the name of the file", "%s %s" % (found, os.listdir()))

def contents():
    """What the profiles in gdbprof.prof and gdbprof.prof.old are."""
    found = []
    for name in ("gdbprof.prof", "gdbprof.prof.old"):
        with open(name, "rb") as file:
            found.append(file.read())
    return found, sorted(name for name in os.listdir() if name.startswith("gdbprof.prof"))


before = contents()
failed = [record("--nothing", "true")[0], record("./broken")[0], record("--rate=nonsense", "true")[0]]
ok(failed == [125] * 3 and contents() == before, "what fails leaves the profiles that are there", str((failed, contents()[1])))
ok(not os.listdir("temporary"), "no other file is left", str(os.listdir("temporary")))
