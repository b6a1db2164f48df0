#!/usr/bin/python3
"""Some thousand silent stops of a program that makes threads and children, and loads libraries."""

import tempfile

from storm import Storm

from session import ok, plan

plan(3)
with tempfile.TemporaryDirectory() as folder:
    storm = Storm(4000, 60000, folder)
ok(storm.stops >= 4000, "it is stopped often enough", storm.text[-5000:])
ok(not storm.wrong, "nothing goes wrong, and every thread has done all its work",
   "\n".join(storm.wrong) + "\n--\n" + storm.text[-5000:])
ok(all(count > 10 for count in storm.made), "threads, children and libraries come and go",
   storm.made)
