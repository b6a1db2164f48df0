#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prof-save and the files of prof-start: foreign files are left alone."""

import os
import tempfile

from answers import says
from given_files import make_files, read
from session import Gdb, ok, plan

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
    ok("Nothing has been recorded" in out[-1] and before["text"] == read("text"),
       "then nothing is recorded", out[-1])


plan(10 + 3 + 5)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    make_files()
    test_save()
    os.chdir("/")
