#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The SQL views of doc/reference/experiment-file.md give what gdbprof's own views give."""

import os
import re
import sqlite3
import tempfile

from session import TOP, Gdb, ok, plan, rows

with open(os.path.join(TOP, "doc", "reference", "experiment-file.md"), encoding="utf-8") as file:
    VIEWS = re.search(r"<!-- queries -->(.*)<!-- end of queries -->", file.read(), re.S)[1]

plan(4)
with tempfile.TemporaryDirectory() as place:
    path = os.path.join(place, "x.prof")
    out = Gdb("accounts").run("prof-start --sync --rate=1000", "run", "prof-stop", "prof-save " + path, "prof-locks --format=csv",
                              "prof-functions --format=csv --metric=wall", "prof-export --metric=wall " + os.path.join(place, "folded"))
    database = sqlite3.connect(path)
    database.executescript(VIEWS)
    found = {(name, holder or ""): (events, seconds) for name, holder, events, seconds in
             database.execute("SELECT object, holder_id, events, seconds FROM waits WHERE object <> ''")}
    expected = {}
    for row in rows(out[4]):
        if row["object"]:
            key = row["object"], int(row["holder_id"]) if row["holder_id"] else ""
            events, seconds = expected.get(key, (0, 0))
            expected[key] = events + int(row["sync_events"]), seconds + float(row["sync_wait"])
    ok(found.keys() == expected.keys() and all(found[key][0] == expected[key][0] for key in found) and
       all(abs(found[key][1] - expected[key][1]) < 1e-6 for key in found), "waits are those of prof-locks", (found, expected))
    names = {name for name, in database.execute("SELECT name FROM functions")}
    ok({row["name"] for row in rows(out[5])} - {"<Total>", "<Unknown>", "<No-stack>"} <= names, "functions have their names", out[5])
    with open(os.path.join(place, "folded"), encoding="utf-8") as file:
        folded = {line.rpartition(" ")[0] for line in file}
    stacks = {text for text, in database.execute("SELECT text FROM stacks")}
    ok({text for text in folded if "<" not in text} <= stacks and any("pay" in text for text in stacks), "stacks are those of prof-export",
       sorted(folded - stacks))
    ok(database.execute("SELECT count(*) FROM stacks").fetchone() == database.execute("SELECT count(*) FROM path").fetchone(),
       "each path is one stack")
    database.close()
