#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names from programs and files are data: whatever they hold, the terminal obeys none of it."""

import os
import subprocess
import tempfile

from answers import is_sentence, obeyed
from session import Gdb, grown, ok, plan, program, rows

TITLE = "\x1b]0;x\x07"
FORMATS = ["text", "csv", "json"]
VIEWS = ["prof-tree", "prof-tree --collapse=full", "prof-functions", "prof-callers", "prof-gprof",
         "prof-gprof --style=gnu", "prof-phases"]
SHOWN = ["%s --format=%s" % (view, form) for view in VIEWS for form in FORMATS]

# Names in tests/programs/shares.c, and as long ones that are put in their place.
NAMES = {b"recurse": b"\x1b]0;x\x07z", b"plain": b"\x9b31mX", b"even": b"a\nb\t",
         b"odd": b"\r,\"", b"shares.c": b"sh\x1b[7m.c"}

FOLDED = (b"main;work 5\n" +
          TITLE.encode() + b";work 5\n" +       # an OSC, cut in two by its semicolon
          b"main;\x1b[31mred 4\n" +             # a CSI
          b"main;\xc2\x9b31mred 3\n" +          # one in C1
          b"main;\x9b31m\xff 2\n" +             # no UTF-8
          b"main;\xe2\x80\xaedlrow 2\n" +       # written backwards
          b"main;a\tb\x7f\x08 1\n" +
          b"main;\"quoted\", and more 1\n" +
          b"main;=1+1 1\n")


def clean(text):
    """Why TEXT is not fit for a terminal, or None."""
    return "a byte that is no UTF-8" if "\ufffd" in text else obeyed(text)


def ok_clean(text, name):
    ok(text.strip() and "Python" not in text and "<<" not in text and not clean(text), name,
       "%s in: %s" % (clean(text), ascii(text)))


def test_shown(outputs, who):
    for command, text in zip(SHOWN, outputs):
        ok_clean(text, "%s: %s" % (who, command))


def test_folded():
    with open("hostile.folded", "wb") as file:
        file.write(FOLDED)
    rest = ["complete prof-callers ", "complete prof-callers m", "prof-export out", "shell cat out",
            "prof-export /dev/stdout", "prof-tree --output=/dev/stdout", "prof-save saved",
            "prof-status", "prof-callers --format=csv main"]
    out = Gdb().run("prof-load hostile.folded", *SHOWN, *rest)
    test_shown(out[1:], "folded")
    more = dict(zip(rest, out[1 + len(SHOWN):]))
    ok("\\x1b[31mred" in out[1] and "\\u009b31m" in out[1] and "\\x9b31m\\xff" in out[1],
       "folded: a name is shown, made harmless", ascii(out[1]))
    lines = more["complete prof-callers "].split("\n")
    ok("prof-callers work" in lines and not clean("".join(lines)),
       "folded: only harmless names are completed", ascii(lines))
    ok("prof-callers main" in more["complete prof-callers m"], "folded: and those are",
       more["complete prof-callers m"])
    for name in "shell cat out", "prof-export /dev/stdout", "prof-tree --output=/dev/stdout":
        ok_clean(more[name], "folded: " + name)
    ok_clean(more["prof-status"], "folded: prof-status")
    table = rows(more["prof-callers --format=csv main"])
    ok(len(table) > 6 and all(None not in row and None not in row.values() for row in table),
       "folded: CSV is well formed", more["prof-callers --format=csv main"])
    out = Gdb().run("prof-load saved", *SHOWN)
    test_shown(out[1:], "saved")


def patched():
    """Copies of a program with other names in it: with debugging information, and less and less."""
    with open(program("shares"), "rb") as file:
        data = file.read()
    for name, other in NAMES.items():
        data = data.replace(name + b"\0", other + b"\0")
    with open("debug", "wb") as file:
        file.write(data)
    os.chmod("debug", 0o755)
    nameless = "none" + TITLE.replace("/", "")
    subprocess.run(["strip", "-g", "-o", "symbols", "debug"], check=True)
    subprocess.run(["strip", "-s", "-o", nameless, "debug"], check=True)
    return ["debug", "symbols", nameless]


def test_program(path, name, expected, engine):
    out = grown(lambda amount: Gdb(os.path.abspath(path), args=[str(amount)]).run(
        "set prof max-stopped 100", "prof-start --rate=1000 --engine=" + engine, "run",
        "prof-status", "prof-stop", *SHOWN, "complete prof-callers ", "prof-export out2",
        "shell cat out2"), lambda out: expected in out[5], 60)
    who = "%s by %s" % (name, engine)
    test_shown(out[5:], who)
    ok(expected in out[5], who + ": is shown, made harmless", ascii(out[5]))
    for text, what in zip(out[3:5] + out[-3:-2] + out[-1:], ["status", "stop", "complete", "export"]):
        ok(not clean(text), "%s: %s" % (who, what), ascii(text))


def test_answers():
    commands = ["prof-load no" + TITLE, "prof-save /no/" + TITLE, "prof-export /no/" + TITLE,
                "prof-tree --output=/no/" + TITLE, "prof-callers " + TITLE, "prof-tree --" + TITLE,
                "prof-tree --format=" + TITLE, "prof-start --rate=" + TITLE,
                "prof-start --output=/no/" + TITLE, "set prof rate " + TITLE,
                "prof-functions " + TITLE, "set prof " + TITLE, "prof-start --engine=" + TITLE]
    out = Gdb("shares").run("prof-load hostile.folded", *commands)
    for command, text in zip(commands, out[1:]):
        ok(is_sentence(text) and not clean(text.strip()), "answer to " + ascii(command), ascii(text))
    out = Gdb("shares", args=["10"]).run(
        "prof-start --output=" + TITLE, "prof-status", "prof-mark " + TITLE, "run",
        "prof-mark " + TITLE, "prof-status", "prof-stop", "set prof output " + TITLE,
        "show prof output", "show prof", "prof-load " + TITLE, "prof-status")
    for i in 0, 1, 5, 6, 8, 9, 11:
        ok_clean(out[i], "a hostile file name and label, %d" % i)


plan(len(SHOWN) * 2 + 8 + 3 * (len(SHOWN) + 5) + 13 + 7)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    debug, symbols, nameless = patched()
    test_folded()
    test_program(debug, "debugging information", "\\x1b]0;x\\x07z", "stop")
    test_program(symbols, "symbol table", "\\x1b]0;x\\x07z", "catch")
    test_program(nameless, "file name", "none\\x1b]0;x\\x07", "stop")
    test_answers()
    os.chdir("/")
