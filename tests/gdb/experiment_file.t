#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""doc/reference/experiment-file.md has the schema that files have."""

import os
import re
import sqlite3
import tempfile

from session import Gdb, ok, plan

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PAGE = os.path.join(TOP, "doc/reference/experiment-file.md")


def words(sql):
    """SQL with one blank for each stretch of them, and none beside parentheses."""
    return re.sub(r" ?([()]) ?", r"\1", " ".join(sql.split()))


plan(3)
with open(PAGE) as page:
    text = page.read()
described = {words(sql) for sql in re.findall(r"CREATE TABLE [^;]*", text.partition("<!-- schema -->")[2])}
if sqlite3.sqlite_version_info < (3, 37):  # strict tables, and the type ANY, are newer
    described = {re.sub("STRICT$", "", sql).replace(" ANY ", " BLOB ") for sql in described}
# A file has the tables of its version: that of single calls is the newest, and has all.
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    with open("calls.txt", "w", encoding="ascii") as list_of_calls:
        list_of_calls.write("call f 0 0\nret 1 1\n")
    out = Gdb().run("prof-load calls.txt", "prof-save x.prof")
    file = sqlite3.connect("x.prof")
    real = {words(sql) for sql, in file.execute("SELECT sql FROM sqlite_master WHERE type = 'table'")}
    application, = file.execute("PRAGMA application_id").fetchone()
    version, = file.execute("PRAGMA user_version").fetchone()
    file.close()
    os.chdir(TOP)
ok(real == described, "the page has the tables of a file", "\n".join(
    ["only in the file: " + sql for sql in sorted(real - described)] +
    ["only on the page: " + sql for sql in sorted(described - real)] + out))
ok("versions 3 to %d." % version in text, "the page has the newest version")
ok("%#x" % application in text, "the page has the file's application id")
