# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB sessions for tests: run commands in a GDB with gdbprof, and say in TAP what came of it.

A test script prints its plan first, so that one that dies is noticed:

    from session import Gdb, plan, ok

    plan(1)
    out = Gdb("fib").run("prof-start", "run", "prof-functions --format=csv")
    ok("fib" in out[2], "names the function", out[2])
"""

import csv
import ctypes
import functools
import io
import math
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

from unpacked import unpack

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
LOADER = os.path.join(TOP, "gdbscripts", "prof.py")
MARK = "<<command %d>>"

# A program that is run so is ticked by SIGSTOP.
MASKED = "set exec-wrapper " + os.path.join(BUILD, "tests", "programs", "masking")

# Where `make sessions` finds what has failed, with so many lines of what was printed then, and what
# was skipped for want of a package.
FAILED = os.environ.get("FAILED", os.path.join(BUILD, "failed"))
SKIPPED = os.environ.get("SKIPPED", os.path.join(BUILD, "skipped"))
# Some scripts go to another folder before they skip a test.
SCRIPT = os.path.abspath(sys.argv[0])
SHOWN = 60

# `make check-rounds` has time for what scripts do with further engines, languages and programs.
MORE = os.environ.get("MORE") == "yes"

ORDINARY = 65534  # the id of a user without rights

# The packages of tools that are not called like them.
PACKAGES = {
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu", "aarch64-linux-gnu-gprof": "binutils-aarch64-linux-gnu",
    "callgrind_annotate": "valgrind", "cc": "gcc", "chromedriver": "chromium-driver",
    "dbus-run-session": "dbus-daemon", "gnatmake": "gnat", "go": "golang-go",
    "gprof": "binutils", "groff": "groff-base", "ld.lld": "lld", "man": "man-db",
    "mpicc.mpich": "libmpich-dev", "mpicc.openmpi": "libopenmpi-dev", "mpifort.mpich": "libmpich-dev",
    "mpifort.openmpi": "libopenmpi-dev", "mpirun.mpich": "mpich", "mpirun.openmpi": "openmpi-bin",
    "nm": "binutils", "node": "nodejs", "objcopy": "binutils", "perf": "linux-perf", "qemu-aarch64": "qemu-user",
    "qemu-system-riscv32": "qemu-system-misc", "srun": "slurm-client",
    "stackprof-flamegraph.pl": "ruby-stackprof", "xz": "xz-utils"}
# GDB keeps here what it has learnt of symbols: a third of a short session's CPU time went into those of
# the C library, again and again.  GDB 10 has no such setting.
UNPACKED = os.path.join(BUILD, "unpacked")
INDEX = "python exec(%r)" % """gdb.execute("set debug-file-directory %s:" + gdb.parameter("debug-file-directory"))
try:
    gdb.execute("set index-cache directory %s")
    gdb.execute("set index-cache enabled on")
except gdb.error:
    pass""" % (UNPACKED, os.path.join(BUILD, "index-cache"))
unpack(UNPACKED)
# Nor is GDB's own Python compiled anew in each session, which took a quarter of an empty one: Debian ships it as
# source, in folders that not everybody may write to.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(BUILD, "python-cache")

# By this prof-stop says that a recording's figures contradict each other; no recording's may.
CONTRADICTION = "figures of this recording contradict"

# struct sock_filter: perf_event_open() fails with EPERM, all else is allowed.
NUMBERS = {"x86_64": 298, "aarch64": 241}
FILTER = ((0x20, 0, 0, 0), (0x15, 0, 1, NUMBERS.get(os.uname().machine, 0)),
          (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000))
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2

# A shell that starts a command in the background has it ignore SIGINT, and GDB and its programs would, too.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_count = 0
_contradictions = []


def forbid_perf():
    """Have perf_event_open() refused to this process and to all that it starts."""
    code = b"".join(struct.pack("=HBBI", *line) for line in FILTER)
    memory = ctypes.create_string_buffer(code)
    program = struct.pack("@HP", len(FILTER), ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program):
        raise OSError(ctypes.get_errno(), "no filter")


@functools.lru_cache(None)
def patches():
    """Can gdbprof patch functions here: of x86-64, and with Zydis?"""
    libraries = subprocess.run(["ldd", os.path.join(BUILD, "_prof.abi3.so")], stdout=subprocess.PIPE, check=False).stdout
    return os.uname().machine == "x86_64" and b"libZydis" in libraries


def be_ordinary():
    """Go on as an ordinary user, as all that is started from now on does, if such a one can read what is tested."""
    if os.geteuid() != 0:
        return
    with open(FAILED, "a", encoding="utf-8"):
        os.chmod(FAILED, 0o666)
    os.setgroups([])
    os.setegid(ORDINARY)
    os.seteuid(ORDINARY)
    able = os.access(LOADER, os.R_OK, effective_ids=True) and os.access(BUILD, os.X_OK, effective_ids=True)
    os.seteuid(0)
    os.setegid(0)
    if able:
        os.setgid(ORDINARY)
        os.setuid(ORDINARY)


# As for users whose kernel permits no perf events.
if os.environ.get("PERF") == "no":
    forbid_perf()


def plan(tests):
    """Say how many tests will follow."""
    print("1..%d" % tests, flush=True)


def skip_all(why):
    """Say that nothing can be tested here, and end."""
    print("1..0 # SKIP %s" % why, flush=True)
    sys.exit(0)


def lacking(*tools):
    """Why nothing can be tested with TOOLS, which is noted, or "" if all of them are installed."""
    packages = [PACKAGES.get(tool, tool) for tool in tools if not shutil.which(tool)]
    if not packages:
        return ""
    why = "%s %s not installed" % (" and ".join(packages), "is" if len(packages) == 1 else "are")
    with open(SKIPPED, "a", encoding="utf-8") as file:
        print("%s: %s" % (os.path.relpath(SCRIPT, TOP), why), file=file)
    return why


def require(*tools):
    """Skip all tests of the script unless TOOLS are installed."""
    why = lacking(*tools)
    if why:
        skip_all(why)


def skip(count, name, why):
    """Say that COUNT tests of NAME cannot be made here."""
    for _ in range(count):
        ok(True, "%s # SKIP %s" % (name, why))


def ok(passed, name, details=""):
    """Say whether the test NAME has passed; DETAILS are shown if not."""
    global _count
    _count += 1
    if _contradictions:
        passed, details = False, "%s\n%s" % (_contradictions.pop(), details)
    print("%sok %d - %s" % ("" if passed else "not ", _count, name), flush=True)
    if not passed:
        lines = ["# " + line for line in str(details).splitlines()]
        print("".join(line + "\n" for line in lines), end="", flush=True)
        with open(FAILED, "a", encoding="utf-8", errors="replace") as file:
            print("%s: not ok %d - %s" % (os.path.basename(sys.argv[0]), _count, name),
                  *lines[:SHOWN], sep="\n", file=file)
    return passed


def distrust(text):
    """Have the next test fail if TEXT, printed by GDB, has figures that contradict each other."""
    _contradictions.extend(line for line in text.splitlines() if CONTRADICTION in line)


def program(name):
    """The path of one of the programs in tests/programs."""
    return os.path.join(BUILD, "tests", "programs", name)


def rows(text):
    """The rows of a CSV table, as dictionaries; what GDB printed around it is left out."""
    lines = text.splitlines()
    heads = ("hot,", "name,", "level,", "focus,", "entry,", "thread,", "process,", "interval,", "phase,", "instances,",
             "object,", "function,", "kind,", "access,", "rank,", "region,", "call,")
    first = next((i for i, line in enumerate(lines) if line.startswith(heads)), None)
    if first is None:
        return []
    return list(csv.DictReader(io.StringIO("\n".join(lines[first:]))))


def total(text):
    """How many samples a table of functions, as rows() takes it, has in all."""
    table = rows(text)
    return float(table[0]["inclusive"]) if table else 0


def stopped(text):
    """The seconds that prof-stop says in TEXT that the program was kept from running."""
    found = re.search(r"samples in ([0-9.]+) s.*kept from running for ([0-9.]+) %", text, re.S)
    return float(found.group(1)) * float(found.group(2)) / 100 if found else 0


def looks(text):
    """By what prof-stop says in TEXT, for how many seconds the program ran, the rate asked for, and
    how often a second the ticker looked."""
    found = re.search(r"samples in ([0-9.]+) s.*Rate: ([0-9.]+) Hz asked for, ([0-9.]+) Hz reached"
                      r".*\(([0-9.]+) %\)", text, re.S)
    if not found:
        return 0, 1, 1
    duration, asked, reached, lost = (float(word) for word in found.groups())
    return duration, asked, reached / (1 - lost / 100)


def unseen(text):
    """The seconds, by what prof-stop says in TEXT, in which nobody looked at the program: GDB and
    its ticker may have to wait for a CPU that the program has."""
    duration, asked, looked = looks(text)
    return duration * max(0, 1 - looked / asked)


def due(text, least, most):
    """The least and the most samples that a time of LEAST to MOST seconds has, by what prof-stop
    says in TEXT: the ticker may have looked as often as was asked for just then, and hardly at
    other times, or the other way round."""
    _, asked, looked = looks(text)
    return min(looked / asked, 1) * looked * least, max(looked, asked) * most


def missed(text, seconds=0):
    """The seconds without samples, by what GDB says of the rate in TEXT: nobody looked at the program, or
    ticks were lost.  Of prof-stop's text; in a heading it does not say how many SECONDS it recorded."""
    duration = re.search(r"samples in ([0-9.]+) s", text)
    rate = re.search(r"Rate: ([0-9.]+) Hz asked for, ([0-9.]+) Hz reached", text)
    share = float(rate[2]) / float(rate[1]) if rate else 0
    return max(0, 1 - share) * (float(duration[1]) if duration else seconds)


def near(found, expected, samples):
    """Is FOUND, in percent of SAMPLES, EXPECTED to within 3, or 5 standard deviations?"""
    return abs(found - expected) <= max(3, 5 * deviation(expected, samples))


def deviation(share, samples):
    """The standard deviation of a SHARE in percent, found by so many SAMPLES."""
    return 100 * math.sqrt(share / 100 * (1 - share / 100) / max(samples, 1))


def grown(run, enough, amount):
    """What RUN returns of AMOUNT of work, or of more, until that is ENOUGH: on a busy machine GDB
    may wait so long for a CPU that the program is done before much of it was sampled."""
    for times in (1, 3, 9, 27):
        got = run(times * amount)
        if enough(got):
            break
    return got


def again(run, enough):
    """What RUN returns, or what it returns next, until that is ENOUGH: a virtual machine may have lost a CPU
    for as long as the program ran."""
    return grown(lambda _: run(), enough, 0)


class Gdb:
    """One way to start GDB: with a program or without, with gdbprof or without; the program MASKED,
    so that it blocks the signals that ticks are elsewhere."""

    def __init__(self, exe=None, args=(), load=True, env=None, timeout=300, gdb="gdb",
                 masked=False):
        self.gdb = gdb
        self.masked = masked
        self.exe = program(exe) if exe and "/" not in exe else exe
        self.args = list(args)
        self.load = load
        self.timeout = timeout
        self.env = dict(os.environ, TERM="dumb", LC_ALL="C.UTF-8")
        # Nor empty: GDB 10 complains of each file then.
        self.env.pop("DEBUGINFOD_URLS", None)
        self.env.update(env or {})

    def command(self, *first):
        """The command line, with FIRST as GDB's own arguments after the usual ones."""
        line = [self.gdb, "-nx", "-q", "-iex", "set pagination off", "-iex", "set confirm off",
                "-iex", "set width 0", "-iex", INDEX]
        if self.load:
            line += ["-x", LOADER]
        if self.masked:
            line += ["-ex", MASKED]
        line += first
        if self.exe:
            line += ["--args", self.exe] + self.args
        return line

    def run(self, *commands):
        """Execute COMMANDS; return what each of them printed, errors included, as a list."""
        return self.split(self._communicate(self.batch(commands)), len(commands))

    @staticmethod
    def batch(commands):
        """GDB's arguments to execute COMMANDS and end, with a mark before each."""
        first = ["-batch"]
        for i, command in enumerate(commands):
            first += ["-ex", "echo \\n" + MARK % i + "\\n", "-ex", command]
        return first + ["-ex", "echo \\n" + MARK % len(commands) + "\\n"]

    @staticmethod
    def split(text, count):
        """What each of COUNT commands has printed, by the marks in TEXT."""
        outputs = []
        for i in range(count):
            begin = text.find("\n" + MARK % i + "\n")
            end = text.find("\n" + MARK % (i + 1) + "\n", begin)
            piece = text[begin + len(MARK % i) + 2:end if end >= 0 else None]
            outputs.append(piece if begin >= 0 else "<<not reached>>\n" + text)
        return outputs

    def talk(self, *lines):
        """Type LINES at GDB's prompt; return all that it printed, each line typed after a "+"."""
        return self._communicate(
            ["-ex", "set trace-commands on"], "".join(line + "\n" for line in lines))

    def on_terminal(self, *commands, term="xterm"):
        """What GDB and COMMANDS print on a terminal of the kind TERM."""
        master, slave = pty.openpty()
        line = self.command("-batch", *[word for command in commands for word in ("-ex", command)])
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                                   env=dict(os.environ, DEBUGINFOD_URLS="", TERM=term, LC_ALL="C.UTF-8"))
        os.close(slave)
        text = b""
        try:
            while data := os.read(master, 65536):
                text += data
        except OSError:
            pass  # all have closed it
        process.wait()
        os.close(master)
        return text.decode(errors="replace")

    def _communicate(self, first, text=""):
        """Start GDB with FIRST as its own arguments, TEXT for its input; return what it prints."""
        process = subprocess.Popen(
            self.command(*first), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=self.env, start_new_session=True)
        try:
            printed = process.communicate(text.encode(), self.timeout)[0]
            self.text = printed.decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.text = process.communicate()[0].decode(errors="replace") + "\n<<timeout>>"
        self.status = process.returncode
        distrust(self.text)
        return self.text


@functools.lru_cache(None)
def gdb_version():
    """The first number of GDB's version."""
    text = subprocess.run(["gdb", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(re.search(r"(\d+)\.\d", text.partition("\n")[0].rpartition(" ")[2])[1])


def hides_catchpoints():
    """Why gdbprof cannot see what is done with its catchpoint, or "" if it can."""
    return "GDB before 12 tells scripts of no catchpoints" if gdb_version() < 12 else ""


def engines():
    """The engines that sample processes of this machine, by what their names are for prof-start:
    the kernel may not permit perf."""
    out = Gdb("shares", ["1"]).run("prof-start --engine=perf")
    return ("stop", "catch") + (("perf",) if "with the engine perf" in out[0] else ())


def uncalled():
    """Why GDB itself cannot call functions of a program here, or ""."""
    out = Gdb("shares", load=False).run("break main", "run", "print labs(-3)")
    if "= 3" in out[2]:
        return ""
    return "without gdbprof too GDB cannot call a function here: " + " ".join(out[2].split())


def unwatched():
    """Why hardware watchpoints are of no use here, or "": some virtual machines have none."""
    out = Gdb("session", load=False).run("break count", "run", "watch counter", "continue")
    if "Old value" in out[3]:
        return ""
    return "without gdbprof too a hardware watchpoint sees nothing here: " + " ".join(out[3].split())


def wait_until(condition, seconds=60):
    """Wait until CONDITION () is true; False if it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False
