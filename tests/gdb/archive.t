#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-save --archive: source and instructions are in the file, for a machine that has neither."""

import os
import shutil
import sqlite3
import subprocess
import tempfile

from session import TOP, Gdb, grown, ok, plan

plan(5)
here = tempfile.mkdtemp()
source = os.path.join(here, "copy.c")
saved = os.path.join(here, "saved.prof")
shutil.copy(os.path.join(TOP, "tests", "programs", "lines.c"), source)
copy = os.path.join(here, "copy")
subprocess.check_call(["gcc", "-O1", "-g", "-o", copy, source])
VIEWS = ["source hot", "disas hot", "source outer", "disas outer", "source copy.c", "source bare"]


def views(where):
    """The commands that write all VIEWS into files that begin with WHERE."""
    return ["prof-%s --output=%s/%s.%d" % (view, here, where, i) for i, view in enumerate(VIEWS)]


def read(where):
    """What they wrote."""
    texts = []
    for i in range(len(VIEWS)):
        with open("%s/%s.%d" % (here, where, i)) as file:
            texts.append(file.read())
    return texts


out = grown(lambda rounds: Gdb(copy, [str(rounds)]).run(
    "set prof max-stopped 100", "prof-start --rate=500", "run", "prof-stop", *views("with"),
    "prof-save %s.bare" % saved, "prof-save --archive %s" % saved),
            lambda out: all(os.path.exists("%s/with.%d" % (here, i)) for i in range(len(VIEWS))), 300)
ok("The archive holds 1 source file and the instructions of " in out[-1] and
   "archive" not in out[-2], "prof-save says what the archive holds", out[-2] + out[-1])
shutil.move(source, source + ".gone")
shutil.move(copy, copy + ".gone")
out = Gdb().run("prof-load " + saved, *views("archive"), "prof-source hot",
                "prof-save %s.again" % saved, "prof-load %s.again" % saved, *views("again"),
                "prof-load %s.bare" % saved, "prof-source hot")
ok(read("archive") == read("with"), "elsewhere every view of code prints the same",
   "\n".join(read("with") + read("archive")))
ok("/* hot */" in out[1 + len(VIEWS)] and "cannot be read" not in out[1 + len(VIEWS)] and
   "/* hot */" not in out[-1], "without the archive there is no source", out[-1])
ok(read("again") == read("with"), "what was loaded with an archive is saved with it", "\n".join(out))
database = sqlite3.connect(saved)
database.execute("UPDATE archived_source SET text = zeroblob(length(text))")
database.commit()
database.close()
out = Gdb().run("prof-load " + saved, "print 1")
ok("is damaged" in out[0] and "= 1" in out[1], "a damaged archive is refused in a sentence", "\n".join(out))
shutil.rmtree(here)
