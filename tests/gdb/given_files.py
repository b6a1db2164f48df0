# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of all kinds, for the tests that load and write files."""

import os
import sqlite3
import subprocess

FOLDED = "main;work 5\nmain;rest 3\n"


def works(line):
    try:
        return subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


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
