#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of other languages have the names that GDB has for them: D, Ada, Fortran, Go and Rust."""

import os
import subprocess
import tempfile

from session import TOP, Gdb, lacking, ok, plan, rows, skip

SOURCES = os.path.join(TOP, "tests", "programs", "names")

# The language, its compiler and the arguments of that, and the name of what works, as its source has it.
LANGUAGES = [
    ("D", "gdc", ["-O1", "-g", "-fno-inline", "names.d", "-o", "names"], "names.spin!(int).spin(int)"),
    ("Ada", "gnatmake", ["-q", "-O1", "-g", "-fno-inline", "names.adb", "-o", "names"], "names.work.spin"),
    ("Fortran", "gfortran", ["-O1", "-g", "-fno-inline", "names.f90", "-o", "names"], "work::spin"),
    ("Go", "go", ["build", "-o", "names", "names.go"], "main.spin"),
    ("Rust", "rustc", ["-g", "-C", "opt-level=1", "names.rs", "-o", "names"], "names::work::spin<u32>")]
CHECKS = 3

# Print, for each frame of the program's own source, what GDB calls it, and what `info symbol` does.
FRAMES = "python exec(%r)" % r"""
frame = gdb.newest_frame()
while frame:
    place = frame.find_sal().symtab
    if place and place.filename.rsplit("/", 1)[-1].startswith("names.") and frame.type() == gdb.NORMAL_FRAME:
        symbol = gdb.execute("info symbol %d" % frame.pc(), to_string=True)
        print("frame", (frame.name(), symbol.split(" in section ")[0].split(" + ")[0]))
    frame = frame.older()
"""


def build(compiler, arguments, folder):
    """The program that COMPILER makes with ARGUMENTS in FOLDER, or None; and what it says."""
    for name in os.listdir(SOURCES):
        with open(os.path.join(SOURCES, name), "rb") as source, open(os.path.join(folder, name), "wb") as copy:
            copy.write(source.read())
    env = dict(os.environ, GO111MODULE="off", GOCACHE=os.path.join(folder, "cache"))
    done = subprocess.run([compiler, *arguments], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return (os.path.join(folder, "names") if done.returncode == 0 else None), done.stdout.decode(errors="replace")


def loop(arguments):
    """Where the loop of spin is, as GDB's command break takes it."""
    source = next(word for word in arguments if word.startswith("names."))
    with open(os.path.join(SOURCES, source)) as file:
        lines = file.read().splitlines()
    return "%s:%d" % (source, 1 + next(i for i, line in enumerate(lines) if "LOOP" in line))


def is_plain(name):
    """Is NAME one of the symbols of D's runtime that only look mangled, as _D4core6memory10initialize?"""
    return name.startswith("_D") and "Can't demangle" in Gdb(load=False).run("demangle -l d -- " + name)[0]


def test(language, arguments, worker, path):
    here = loop(arguments)
    out = Gdb(path).run("tbreak " + here, "prof-start --rate=1000", "run", FRAMES, "continue", "prof-stop",
                        "prof-functions --format=csv")
    frames = [eval(line[len("frame "):]) for line in out[3].splitlines() if line.startswith("frame ")]
    found = {row["name"] for row in rows(out[6])}
    said = "\n".join(out)
    ok(worker in found, "%s: %s is sampled" % (language, worker), said)
    # GDB's debugging information has the names of D as they are mangled.
    wanted = {symbol if language == "D" else name for name, symbol in frames}
    ok(len(wanted) >= 2 and wanted <= found, language + ": callers and callees have GDB's names",
       "%s\n%s" % (sorted(wanted - found), said))
    mangled = [name for name in found if name.startswith(("_D", "_R", "_Z", "__names", "__work")) and not is_plain(name)]
    ok(not mangled, language + ": no name is mangled", (mangled, sorted(found)))


plan(len(LANGUAGES) * CHECKS)
for language, compiler, arguments, worker in LANGUAGES:
    why = lacking(compiler)
    if why:
        skip(CHECKS, language, why)
        continue
    with tempfile.TemporaryDirectory() as own:
        path, said = build(compiler, arguments, own)
        if path:
            test(language, arguments, worker, path)
        else:
            skip(CHECKS, language, "%s makes no program: %s" % (compiler, " ".join(said.split())[:200]))
