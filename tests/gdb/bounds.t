#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small file can stand for a large view: what is larger than `set prof max-output` is refused."""

import json
import os
import tempfile

from session import Gdb, ok, plan

NAME = "f" * 4000
DEEP, SAMPLES = 100, 600


def speedscope(path):
    """Write a small profile of many stacks, all of whose frames have long names."""
    frames = [{"name": "%d%s" % (i, NAME)} for i in range(10)]
    stacks = [[(i + j) % 10 for j in range(DEEP)] for i in range(SAMPLES)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"$schema": "https://www.speedscope.app/file-format-schema.json",
                   "shared": {"frames": frames},
                   "profiles": [{"type": "sampled", "name": "p", "unit": "seconds", "startValue": 0,
                                 "endValue": SAMPLES, "samples": stacks, "weights": [1] * SAMPLES}]}, file)
    return os.path.getsize(path)


plan(5)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    size = speedscope("small.json")
    ok(size < 400000, "the file is small", size)
    shown = ["prof-flame --chart out.svg", "prof-flame --chart --output=out.folded"]
    out = Gdb().run("prof-load small.json", "set prof max-output 1", *shown, "set prof max-output 65536", shown[0])
    for command, text in zip(shown, out[2:]):
        ok(text.strip().startswith("The output would have more than 1 MB"), command, text[:2000])
    ok(not os.path.exists("out.folded"), "what is refused leaves no file", os.listdir("."))
    ok("is written" in out[-1] and os.path.getsize("out.svg") > 1 << 20, "a higher bound lets it pass", out[-1][:2000])
    os.chdir("/")
