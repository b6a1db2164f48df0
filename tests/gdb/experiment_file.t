#!/usr/bin/python3
"""doc/reference/experiment-file.md has the schema that files have."""

import glob
import os
import re
import sqlite3
import tempfile

from session import Gdb, ok, plan

TOP = os.path.join(os.path.dirname(__file__), "../..")
PAGE = os.path.join(TOP, "doc/reference/experiment-file.md")


def words(sql):
    """SQL with one blank for each stretch of them, and none beside parentheses."""
    return re.sub(r" ?([()]) ?", r"\1", " ".join(sql.split()))


plan(3)
with open(PAGE) as page:
    text = page.read()
described = {words(sql) for sql in re.findall(r"CREATE TABLE [^;]*", text.partition("<!-- schema -->")[2])}
with tempfile.TemporaryDirectory() as place:
    with open(os.path.join(place, "small.folded"), "w") as folded:
        folded.write("main;work 5\n")
    out = Gdb().run("cd " + place, "prof-load small.folded", "prof-save small.prof")
    file = sqlite3.connect(os.path.join(place, "small.prof"))
    real = {words(sql) for sql, in file.execute("SELECT sql FROM sqlite_master WHERE type = 'table'")}
    application, = file.execute("PRAGMA application_id").fetchone()
    file.close()
ok(real and real <= described, "the page has each table of a file",
   "\n".join(["only in the file: " + sql for sql in sorted(real - described)] + out))
# A file has the tables of its version; those of later ones are in the sources.
sources = "".join(open(path).read() for path in glob.glob(os.path.join(TOP, "core/store/*.c")))
unknown = [name for name in (re.match(r"CREATE TABLE (\w+)", sql).group(1) for sql in described)
           if not re.search(r'"%s"' % name, sources)]
ok(not unknown, "the page has no other tables", "\n".join(unknown))
ok("%#x" % application in text, "the page has the file's application id")
