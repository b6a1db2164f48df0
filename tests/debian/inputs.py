# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs of the programs: made from fixed random numbers, so that each run has the same."""

import json
import math
import os
import random
import shutil
import struct
import subprocess
import wave

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sources")

NAMES = ("alpha", "beta", "gamma", "delta", "stack", "sample", "thread", "signal", "clock", "tree",
         "leaf", "root", "node", "frame")


def write_words(path, size):
    """Lines of twelve words with numbers, SIZE bytes of them."""
    number = random.Random(size).randrange
    written = 0
    with open(path, "w", encoding="ascii") as file:
        while written < size:
            line = " ".join("%s%d" % (NAMES[number(14)], number(1000)) for _ in range(12)) + "\n"
            written += file.write(line)


def write_json(path, count):
    number = random.Random(count).randrange
    with open(path, "w", encoding="ascii") as file:
        json.dump([{"name": NAMES[number(14)], "size": number(100000),
                    "parts": [number(100) for _ in range(5)]} for _ in range(count)], file)


def write_xml(path, count):
    number = random.Random(count).randrange
    with open(path, "w", encoding="ascii") as file:
        file.write("<tree>\n")
        for _ in range(count):
            file.write('<leaf kind="%s" size="%d"/>\n' % (NAMES[number(14)], number(100000)))
        file.write("</tree>\n")


def write_sound(path, seconds):
    """Two channels of chords, with noise on top."""
    noise = random.Random(seconds).randrange
    with wave.open(path, "wb") as file:
        file.setparams((2, 2, 44100, 0, "NONE", ""))
        wave_of = [int(8000 * math.sin(i * math.tau / 441)) for i in range(441)]
        for second in range(seconds):
            frames = bytearray()
            for i in range(44100):
                left = wave_of[i * (second % 7 + 1) % 441] + noise(2000)
                frames += struct.pack("<hh", left, wave_of[i * 3 % 441] + noise(1000))
            file.writeframes(bytes(frames))


def write_picture(path, width, height):
    """Waves of colour, with noise."""
    noise = random.Random(width).randrange
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height))
        for y in range(height):
            file.write(bytes((x * y // 64 + step * 40 + noise(8)) % 256
                             for x in range(width) for step in range(3)))


def write_c(path, count):
    """COUNT functions for a compiler to optimize."""
    with open(path, "w", encoding="ascii") as file:
        for i in range(count):
            file.write("int f%d(int *a, int n)\n{\n\tint s = %d;\n"
                       "\tfor (int i = 0; i < n; i++) {\n\t\tif (a[i] %% %d == 0) s += a[i] * %d;\n"
                       "\t\telse if (a[i] > s) s ^= a[i] >> %d;\n\t\telse s -= f%d(a + i, n - i);\n"
                       "\t}\n\treturn s;\n}\n"
                       % (i, i, i % 31 + 2, i % 17, i % 13, max(i - 1, 0)))


def write_pascal(path, count):
    with open(path, "w", encoding="ascii") as file:
        file.write("unit functions;\ninterface\nimplementation\n")
        for i in range(count):
            file.write("function f%d(a: integer): integer;\nvar i, s: integer;\nbegin\n\ts := %d;\n"
                       "\tfor i := 1 to a do begin\n\t\tif i mod %d = 0 then s := s + i * %d\n"
                       "\t\telse s := s xor (i shr 2);\n\tend;\n\tf%d := s;\nend;\n"
                       % (i, i, i % 31 + 2, i % 17, i))
        file.write("end.\n")


def write_assembler(path, count, comment):
    number = random.Random(count).randrange
    with open(path, "w", encoding="ascii") as file:
        file.write("%s many short pieces of code, with jumps among them\n" % comment)
        for i in range(count):
            file.write("l%d:\n\tnop\n\tjmp l%d\n" % (i, number(count)))


def write_formula(path, variables, clauses):
    """A random formula that a solver of satisfiability needs some time for."""
    random_of = random.Random(variables)
    with open(path, "w", encoding="ascii") as file:
        file.write("p cnf %d %d\n" % (variables, clauses))
        for _ in range(clauses):
            chosen = random_of.sample(range(1, variables + 1), 3)
            file.write(" ".join(str(v * random_of.choice((1, -1))) for v in chosen) + " 0\n")


def write_repository(path, commits, git):
    """A repository with one file that each commit changes."""
    number = random.Random(commits).randrange
    lines = ["%s %d" % (NAMES[number(14)], number(1000)) for _ in range(2000)]
    stream = []
    for i in range(commits):
        for _ in range(20):
            lines[number(len(lines))] = "%s %d" % (NAMES[number(14)], number(1000))
        text = "\n".join(lines) + "\n"
        stream.append("commit refs/heads/main\ncommitter A <a@example.org> %d +0000\n"
                      "data 5\nstep\nM 100644 inline list\ndata %d\n%s\n"
                      % (1600000000 + i, len(text), text))
    subprocess.run([git, "init", "-q", "--bare", path], check=True)
    subprocess.run([git, "-C", path, "-c", "core.compression=0", "fast-import", "--quiet"],
                   input="".join(stream).encode(), check=True)


def write_sql(path):
    with open(path, "w", encoding="ascii") as file:
        file.write("CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT);\n"
                   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)\n"
                   "INSERT INTO t SELECT i, i * 7919 % 10007, printf('row %d', i * 31 % 997) FROM n;\n"
                   "CREATE INDEX tb ON t(b, c);\n"
                   "SELECT c, count(*), sum(b) FROM t GROUP BY c ORDER BY 3 DESC LIMIT 5;\n"
                   "SELECT count(*) FROM t x JOIN t y ON x.b = y.b WHERE x.a < 10000;\n")


def make_all(folder):
    """Make all inputs in FOLDER."""
    def at(name):
        return os.path.join(folder, name)

    write_words(at("words.txt"), 6000000)
    write_words(at("words-small.txt"), 500000)
    write_json(at("numbers.json"), 60000)
    write_xml(at("tree.xml"), 9000)
    write_xml(at("forest.xml"), 450000)
    write_sound(at("sound.wav"), 40)
    write_picture(at("picture.ppm"), 1500, 1000)
    write_c(at("functions.c"), 150)
    write_pascal(at("functions.pas"), 5000)
    write_assembler(at("jumps.asm"), 80000, "bits 32 ;")
    write_assembler(at("jumps.s"), 300000, "#")
    write_formula(at("formula.cnf"), 240, 1020)
    write_sql(at("rows.sql"))
    with open(at("headers.cc"), "w", encoding="ascii") as file:
        file.write("#include <regex>\n#include <iostream>\n#include <map>\n"
                   "int main() { std::cout << std::regex_match(\"a\", std::regex(\"a\")); }\n")
    with open(at("password.txt"), "w", encoding="ascii") as file:
        file.write("password")
    for name in os.listdir(SOURCES):
        shutil.copy(os.path.join(SOURCES, name), at(name))
    write_repository(at("list.git"), 2000, "/usr/bin/git")
