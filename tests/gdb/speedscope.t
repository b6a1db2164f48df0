#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""speedscope itself, in a browser, reads what is written for it and for others."""

import base64
import json
import os
import re
import tempfile

from browser import BROWSER, Browser
import npm
from session import Gdb, ok, plan, require, rows, skip_all, wait_until

HOSTILE = "main;<img/src=x/onerror=document.title=1> 2\nmain;</script><script>document.title=1</script> 3\n"


def add(found, name, own, total):
    """Adds to what FOUND has of NAME: several functions may have the same."""
    one, other = found.get(name, (0, 0))
    found[name] = (one + own, other + total)


def listed():
    """By function what stands in speedscope's list, (itself, in all)."""
    text = browser.run("return document.body.innerText").split("Symbol Name", 1)[-1]
    found = {}
    for total, own, function in re.findall(
            r"\s*([\d,.]+) \([^)]*\)\s*([\d,.]+) \([^)]*\)\s*([^\n]*)", text):
        add(found, function, float(own.replace(",", "")), float(total.replace(",", "")))
    return found


def shown(name):
    """What speedscope's list has of the file NAME, once it is drawn; and what it logs."""
    with open(name, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    with open("load.js", "w", encoding="utf-8") as file:
        file.write("speedscope.loadFileFromBase64(%s, %s)" % (json.dumps(name), json.dumps(data)))
    browser.open("/")
    browser.open(page + "#localProfilePath=" + os.path.abspath("load.js"))
    wait_until(lambda: browser.run("return document.body.innerText").find("Sandwich") >= 0)
    browser.keys("3")
    lists = [{}]

    def is_drawn():
        lists.append(listed())
        return lists[-1] and lists[-1] == lists[-2]

    wait_until(is_drawn)
    return lists[-1], [line for line in browser.log() if "rror" in line], \
        browser.run("return document.title")


def figures(text):
    """The same of the list TEXT of prof-functions, where there is anything."""
    found = {}
    for row in rows(text)[1:]:
        if float(row["inclusive"]):
            add(found, row["name"], float(row["exclusive"]), float(row["inclusive"]))
    return found


def test_files():
    # From main on: the loader has a _start too, which speedscope takes for the program's.
    out = Gdb("shares", args=["150"]).run(
        "tbreak main", "run", "prof-start --rate=1000", "continue", "prof-stop",
        "prof-functions --format=csv --sort=name",
        *("prof-export --format=%s shares.%s" % pair for pair in
          (("speedscope", "json"), ("pprof", "pb.gz"), ("callgrind", "callgrind"), ("folded", "txt"))))
    wanted = figures(out[5])
    for name, what in (("json", "its own format"), ("pb.gz", "pprof's"), ("txt", "folded stacks")):
        found, errors, _ = shown("shares." + name)
        ok(found == wanted and len(found) > 3 and not errors, "reads " + what,
           "%s\n%s\n%s" % (found, wanted, errors))
    # Of calls it makes stacks by itself, so that of recursion little is as it was, and rounds parts.
    found, errors, _ = shown("shares.callgrind")
    ok(all(abs(found.get(name, (0, 0))[0] - own) <= 1 for name, (own, _) in wanted.items()) and
       sum(own for own, _ in found.values()) == sum(own for own, _ in wanted.values()) and not errors,
       "reads callgrind's", "%s\n%s\n%s" % (found, wanted, errors))


def test_hostile():
    with open("hostile", "w", encoding="utf-8") as file:
        file.write(HOSTILE)
    out = Gdb().run("prof-load hostile", "prof-functions --format=csv",
                    "prof-export --format=speedscope hostile.json")
    found, errors, title = shown("hostile.json")
    ok(found == figures(out[1]) and len(found) == 3 and not errors and "hostile" in title,
       "names do nothing", "%s\n%s\n%s\n%s" % (found, out[1], errors, title))


require(*BROWSER)
page = npm.fetch("speedscope", "1.25.0", "dist/release/index.html")
if not page:
    skip_all("npm cannot be reached for speedscope")
plan(5)
with tempfile.TemporaryDirectory() as place, Browser() as browser:
    os.chdir(place)
    test_files()
    test_hostile()
    os.chdir("/")
