#!/usr/bin/python3
"""Files: bad ones are refused in a sentence, foreign ones left alone, and a recording survives."""

import os
import sqlite3
import subprocess
import tempfile

from answers import is_sentence, says
from session import Gdb, again, ok, plan, rows

FOLDED = "main;work 5\nmain;rest 3\n"


class DiskGdb(Gdb):
    """GDB with a small file system of its own on DIRECTORY, that ends with it."""

    def __init__(self, directory, *args, **more):
        super().__init__(*args, **more)
        self.directory = directory

    def command(self, *first):
        line = super().command(*first)
        mount = 'mount -t tmpfs -o size=128k tmpfs "$1" && shift && exec "$@"'
        return unshare() + ["sh", "-c", mount, "sh", self.directory] + line


def unshare():
    """The command that gives what it starts its own mounts."""
    return ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-Urm"]


def can_mount(directory):
    return works(unshare() + ["mount", "-t", "tmpfs", "tmpfs", directory])


def skip(count, why):
    """Say that COUNT tests can't be done here."""
    for _ in range(count):
        ok(True, "# SKIP " + why)


def unprivileged():
    """The command that takes from what root starts the right to read all; none for others."""
    if os.getuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


def works(line):
    try:
        return subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


class UnprivilegedGdb(Gdb):
    """GDB that may not read whatever it likes, even if it is root's."""

    def command(self, *first):
        return unprivileged() + super().command(*first)


def write(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def read(name):
    with open(name, "rb") as file:
        return file.read()


def make_files():
    """The files of the tests, in the current directory."""
    write("good.folded", FOLDED)
    write("empty", "")
    write("junk", bytes(range(256)) * 40)
    write("text", "To be, or not to be.\n")
    write("program.c", "int main(void)\n{\n\treturn 0;\n}\n")
    write("negative.folded", "main;work -5\n")
    write("late.folded", FOLDED + "main;;work 5\n")
    write("gmon.out", b"gmon\1\0\0\0" + bytes(100))
    os.mkdir("directory")
    os.mkfifo("fifo")
    os.symlink("nowhere", "dangling")
    database = sqlite3.connect("foreign.db")
    database.execute("CREATE TABLE list (text TEXT)")
    database.commit()
    database.close()


UNREADABLE = ["missing", "missing/file", "directory", "empty", "junk", "text", "program.c",
              "negative.folded", "late.folded", "gmon.out", "foreign.db", "fifo", "dangling",
              "/dev/zero", "/dev/null", "''"]


def test_load():
    out = Gdb().run("prof-load good.folded", "prof-functions",
                    *("prof-load " + name for name in UNREADABLE), "prof-functions")
    for name, answer in zip(UNREADABLE, out[2:]):
        ok(says(answer, '"%s"' % name.strip("'")), "prof-load " + name, answer)
    ok("work" in out[1] and out[-1] == out[1], "what was there stays", out[-1])

    write("unreadable", FOLDED)
    os.chmod("unreadable", 0)
    if not works(unprivileged() + ["true"]):
        skip(1, "root can't be kept from reading")
        return
    out = UnprivilegedGdb().run("prof-load unreadable")
    ok(says(out[0], '"unreadable"', "denied"), "prof-load of what may not be read", out[0])


def test_truncated():
    out = again(lambda: Gdb("shares", args=["150"]).run(
        "shell rm -f whole.prof", "prof-start --rate=1000 --output=whole.prof", "run", "prof-stop",
        "prof-functions")[1:], lambda out: "main" in out[3])
    whole = read("whole.prof")
    # SQLite's pages have 4096 bytes; the header says how many there are.
    places = [50, 100, 4096, 10000, len(whole) // 2, len(whole) - 4096, len(whole) - 1]
    for place in places:
        write("cut%d.prof" % place, whole[:place])
    hostile = bytearray(whole)
    for i in range(4096 * 3, len(hostile), 7):
        hostile[i] ^= 0x55
    write("hostile.prof", bytes(hostile))
    names = ["cut%d.prof" % place for place in places] + ["hostile.prof"]
    answers = Gdb().run("prof-load good.folded", "prof-functions",
                        *("prof-load " + name for name in names), "prof-functions")
    for name, answer in zip(names, answers[2:]):
        ok(says(answer, '"%s"' % name), "prof-load " + name, answer)
    ok("work" in answers[1] and answers[-1] == answers[1], "what was there stays", answers[-1])
    loaded = Gdb().run("prof-load whole.prof", "prof-functions")
    ok(out[3] == loaded[1] and "main" in out[3], "what was recorded is what is loaded",
       out[3] + loaded[1])


def test_save():
    foreign = ["text", "program.c", "foreign.db", "junk", "empty"]
    before = {name: read(name) for name in foreign}
    targets = foreign + ["directory", "fifo", "/dev/null", "missing/file", "''"]
    out = Gdb().run("prof-load good.folded", *("prof-save " + name for name in targets),
                    "prof-save saved.prof", "prof-save saved.prof", "prof-load saved.prof",
                    "prof-functions")
    for name, answer in zip(targets, out[1:]):
        ok(says(answer, '"%s"' % name.strip("'")), "prof-save " + name, answer)
    ok(before == {name: read(name) for name in foreign}, "foreign files are untouched")
    ok([text.strip() for text in out[-4:-1]] == ["saved.prof is written."] * 2 + [""] and "work" in out[-1],
       "an experiment is replaced",
       "\n".join(out[-4:]))
    ok(not [name for name in os.listdir(".") if "saved.prof" in name and name != "saved.prof"],
       "no temporary file stays", os.listdir("."))

    out = Gdb("shares").run("prof-start --output=text", "prof-start --output=missing/file",
                            "prof-start --output=directory", "prof-start --output=saved.prof",
                            "prof-status")
    for name, answer in zip(["text", "missing/file", "directory", "saved.prof"], out):
        ok(says(answer, '"%s"' % name), "prof-start --output=" + name, answer)
    ok("Nothing was recorded" in out[-1] and before["text"] == read("text"),
       "then nothing is recorded", out[-1])


def test_write():
    bad = ["missing/file", "directory", "fifo", "/dev/full", "''"]
    out = Gdb().run("prof-load good.folded", *("prof-export " + name for name in bad),
                    *("prof-tree --output=" + name for name in bad), "prof-functions")
    for name, answer in zip(bad, out[1:]):
        ok(says(answer, '"%s"' % name.strip("'")), "prof-export " + name, answer)
    for name, answer in zip(bad, out[1 + len(bad):]):
        ok(says(answer, '"%s"' % name.strip("'")), "prof-tree --output=" + name, answer)
    ok("work" in out[-1], "and the experiment stays", out[-1])


def test_full():
    """A disk that becomes full before, or while something is written."""
    count = 9
    os.mkdir("disk")
    if not can_mount("disk"):
        skip(count, "no file system can be mounted")
        return
    fill = "shell head -c 1000000 /dev/zero 2>&1 > disk/fill | :"
    out = DiskGdb("disk").run("prof-load good.folded", fill, "prof-save disk/x", "prof-export disk/x",
                              "prof-tree --output=disk/x", "shell ls disk", "prof-functions")
    ok(says(out[2], '"disk/x"', "full"), "prof-save on a full disk", out[2])
    ok(says(out[3], '"disk/x"', "No space"), "prof-export on a full disk", out[3])
    ok(says(out[4], '"disk/x"', "No space"), "a view on a full disk", out[4])
    ok(out[5].split() == ["fill"] and "work" in out[6], "leaves no rest, and goes on", out[5])

    out = again(lambda: DiskGdb("disk", "shares", args=["150"]).run(
        "break plain", "prof-start --rate=1000 --output=disk/x", "run", "delete", fill, "continue",
        "prof-status", "prof-functions --format=csv", "run", "prof-stop",
        "prof-functions --format=csv", "prof-status", "shell rm disk/fill", "prof-save disk/y",
        "prof-load disk/y", "prof-functions --format=csv"), lambda out: 0 < total(out[7]))
    message = ('The file "disk/x" can\'t be written: the disk is full.  '
               "Since then only marks are recorded; prof-save saves what there is.\n")
    ok(message in out[6] and "Recording into" in out[6], "prof-status tells of it", out[6])
    ok(message in out[9], "prof-stop tells of it", out[9])
    totals = [total(out[i]) for i in (7, 10, 15)]
    ok(0 < totals[0] == totals[1], "all that was is there, and nothing more is recorded", totals)
    ok(totals[1] == totals[2], "and can be saved elsewhere", out[13] + out[14])
    ok(message in out[11], "prof-status still tells of it", out[11])


def total(text):
    """The samples of all in what prof-functions prints as CSV."""
    table = rows(text)
    return float(table[0]["inclusive"]) if table else 0


def test_removed():
    out = again(lambda: Gdb("shares", args=["150"]).run(
        "shell mkdir removed", "break plain", "prof-start --rate=1000 --output=removed/x", "run", "delete",
        "shell rm -r removed", "continue", "prof-status", "prof-functions --format=csv", "run",
        "prof-stop", "prof-functions --format=csv")[1:], lambda out: 0 < total(out[7]))
    lines = [line for line in out[6].split("\n") if '"removed/x"' in line]
    ok(len(lines) == 1 and is_sentence(lines[0]), "prof-status tells of a removed directory",
       out[6])
    lines = [line for line in out[9].split("\n") if '"removed/x"' in line]
    ok(len(lines) == 1 and is_sentence(lines[0]), "prof-stop tells of it", out[9])
    ok(0 < total(out[7]) == total(out[10]), "all that was is there, and no more", out[7] + out[10])

    out = again(lambda: Gdb("shares", args=["150"]).run(
        "shell mkdir -p removed", "break plain", "prof-start --rate=1000 --output=removed/x", "run", "delete",
        "shell rm removed/x", "continue", "prof-stop", "prof-functions --format=csv")[1:],
                lambda out: total(out[7]) > 0)
    ok('"removed/x" can\'t be written: it was removed or renamed.' in out[6] and total(out[7]) > 0,
       "a removed file is told of too", out[6])


plan(len(UNREADABLE) + 2 + 10 + 10 + 3 + 5 + 11 + 9 + 4)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    make_files()
    test_load()
    test_truncated()
    test_save()
    test_write()
    test_full()
    test_removed()
    os.chdir("/")
