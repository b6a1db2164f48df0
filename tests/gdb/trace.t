#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any function is traced with what it is given, and the program gets what it would without."""

import os
import re
import subprocess
import tempfile

from session import Gdb, ok, plan, program, rows

START = "prof-start --engine=none"
# The headers of glibc 2.38 and later have programs call it by another name.
with open(program("given"), "rb") as binary:
    STRTOL = "__isoc23_strtol" if b"__isoc23_strtol" in binary.read() else "strtol"
# With its prototype, since the C library may have no debugging information.
TRACED = {
    "ldiv": "'ldiv_t (long, long)' --arg=1:number",
    "pow": "'double (double, double)' --arg=1:base,returned:power",
    "ldexpf": "'float (float, int)' --arg=returned:scaled,1:number",
    "strtold": "'long double (const char *, char **)' --arg=returned:value",
    STRTOL: "'long (const char *, char **, int)' --arg=3:base",
    "snprintf": "'int (char *, unsigned long, const char *, ...)' --arg=2:size,returned:length",
    "access": "'int (const char *, int)' --arg=returned:failed",
    "bsearch": "'void *(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, "
               "const void *))' --arg=3:count",
}
ROUNDS = 200


def traces(text):
    """What `prof-traces --format=csv` tells: by function, then by argument, its figures."""
    found = {}
    for row in rows(text):
        name = re.sub(r"^(__GI_|__isoc23_)?_*|\(.*", "", row["function"])
        found.setdefault(name, {"calls": row["calls"], "inside": float(row["inside"])})
        if row["argument"]:
            found[name][row["argument"]] = [row[key] for key in ("sum", "least", "most")]
    return found


def lines(text):
    """What the program has printed, of TEXT that GDB printed around it."""
    return [line for line in text.splitlines()
            if line and not re.match(r"\[|Using host|warning:|Breakpoint|Temporary|\d+\t", line)]


def all_traced():
    return ["prof-trace %s --prototype=%s" % item for item in TRACED.items()]


def check_figures(found):
    total = ROUNDS * (ROUNDS - 1) // 2
    # And atoi() is a call of strtol().
    ok(all(found.get(name, {}).get("calls") == str(ROUNDS + (name == "strtol"))
           for name in [*found, "strtol"] if name != "bsearch") and len(found) == len(TRACED),
       "each call is counted", str(found))
    ok(found["ldiv"]["number"] == [str(1000 * ROUNDS + total), "1000", str(1000 + ROUNDS - 1)],
       "of a struct that is returned in registers", str(found["ldiv"]))
    ok(found["pow"]["base"] == [str(total), "0", str(ROUNDS - 1)] and
       found["pow"]["power"][2] == str((ROUNDS - 1) ** 2), "of double", str(found["pow"]))
    ok(found["ldexpf"]["scaled"] == [str(4 * total), "0", str(4 * (ROUNDS - 1))] and
       found["ldexpf"]["number"][0] == str(total), "of float", str(found["ldexpf"]))
    ok(found["strtold"]["value"] == [str(ROUNDS // 8), "0.125", "0.125"], "of long double",
       str(found["strtold"]))
    ok(found["strtol"]["base"][1:] == ["10", "36"], "of int", str(found["strtol"]))
    ok(found["snprintf"]["size"] == [str(160 * ROUNDS), "160", "160"] and
       0 < int(found["snprintf"]["length"][1]) < 160, "of more arguments", str(found["snprintf"]))
    ok(found["access"]["failed"] == [str(-ROUNDS), "-1", "-1"], "of what fails", str(found["access"]))
    # An exception is no return.
    ok(found["bsearch"]["calls"] == "1" and found["bsearch"]["count"] == ["7", "7", "7"],
       "a call that an exception ends is none that returned", str(found))


def test_from_the_start():
    with tempfile.NamedTemporaryFile() as file:
        plain = Gdb("given", [str(ROUNDS)]).run("run")
        gdb = Gdb("given", [str(ROUNDS)])
        out = gdb.run(START, *all_traced(), "prof-trace", "run", "prof-stop",
                      "prof-traces --format=csv", "prof-traces", "prof-functions --metric=calls,inside",
                      "prof-save %s.prof" % file.name, "prof-load %s.prof" % file.name,
                      "prof-traces --format=csv", "prof-gprof --graph --format=csv", "prof-gprof --flat",
                      "prof-callers pow --format=csv")
        run, stop, shown, text, functions = out[len(TRACED) + 2:len(TRACED) + 7]
        ok(lines(run) == lines(plain[0]) and len(lines(run)) == ROUNDS + 2,
           "the program does what it does without", run)
        check_figures(traces(shown))
        ok(re.search(r"^\s*%d .* _*pow$" % ROUNDS, text, re.MULTILINE) and "base: mean" in text,
           "the list names them, with their arguments", text)
        ok("attempt" in functions and not re.search(r"ffi_|prof_agent", functions),
           "stacks show who calls, and nothing of the agent", functions)
        ok(out[len(TRACED) + 1].count("\n") == len(TRACED) - 1 or
           len(out[len(TRACED) + 1].split("\n")) >= len(TRACED), "prof-trace alone lists them",
           out[len(TRACED) + 1])
        ok(traces(out[-4]) == traces(shown), "a file keeps it all", out[-4])
        arcs = {(re.sub(r"^_*", "", row["name"])): row for row in rows(out[-3]) if row["role"] == "primary"}
        ok(arcs.get("pow", {}).get("called") == str(ROUNDS) and arcs["pow"]["counted"] == "all" and
           "Traced calls of " in out[-2], "the call graph has the calls", out[-3] + out[-2])
        callers = {row["name"]: row["attributed"] for row in rows(out[-1]) if row["role"] == "caller"}
        ok(callers == {"attempt(int)": str(ROUNDS)}, "and so have callers, where no samples were taken", out[-1])


def test_from_the_middle():
    out = Gdb("given", [str(ROUNDS)]).run(
        "break attempt if round == 100", "run", START, *all_traced(), "continue", "prof-stop",
        "prof-traces --format=csv")
    found = traces(out[-1])
    ok(found.get("pow", {}).get("calls") == str(ROUNDS - 100) and
       found["pow"]["base"][1:] == ["100", str(ROUNDS - 1)],
       "a program that is there already is traced from where it stands", "\n".join(out))

    out = Gdb("given", [str(ROUNDS)]).run(
        "break attempt if round == 50 || round == 100 || round == 150", "run", START + " --heap",
        "continue", all_traced()[1], "continue", "prof-traces --format=csv", all_traced()[4],
        "prof-stop", "continue", "prof-traces --format=csv")
    ok(traces(out[6]).get("pow", {}).get("calls") == "50" and "strtol" not in traces(out[6]),
       "one function after the other", "\n".join(out))
    ok(traces(out[-1]) == traces(out[6]) and "exited normally" in out[9],
       "after prof-stop nothing is traced, and the program goes on", out[9])


def test_limit():
    out = Gdb("given", ["1"]).run(
        START, "prof-trace usleep --prototype='int (unsigned int)' --arg=1:us --if-longer=10ms", "run",
        "prof-stop", "prof-gprof --graph --format=csv", "prof-traces --format=csv")
    found = traces(out[-1])
    # On a busy machine another one may take as long, whatever it asks for.
    usleep = found.get("usleep", {"calls": "0", "inside": 0, "us": [""]})
    ok(usleep["us"][-1] == "20000" and usleep["inside"] >= 0.01 + 0.01 * int(usleep["calls"]),
       "only calls that take longer", out[-1])
    known = [row["counted"] for row in rows(out[-2]) if (row["role"], row["name"]) == ("primary", "usleep")]
    ok(known == ["part"], "the call graph does not pass them for all", out[-2])


def test_breakpoints():
    """Functions that are not called through a table."""
    out = Gdb("given", [str(ROUNDS)]).run(
        "set prof count-limit 100", START, "prof-trace local --arg=1:value,returned:next",
        "prof-trace below --arg=1:depth", "prof-trace leap --arg=1:value,returned:nothing",
        "prof-trace leap --arg=1:value", "run", "info breakpoints", "prof-stop",
        "prof-traces --format=csv", "prof-functions --metric=calls")
    found = traces(out[9])
    total = ROUNDS * (ROUNDS - 1) // 2
    ok(found.get("local", {}).get("calls") == str(ROUNDS) and found["local"]["inside"] > 0 and
       found["local"]["value"] == [str(total), "0", str(ROUNDS - 1)] and
       found["local"]["next"] == [str(total + ROUNDS), "1", str(ROUNDS)],
       "their calls are met at breakpoints", "\n".join(out))
    ok(found["below"]["calls"] == "6" and found["below"]["depth"] == ["15", "0", "5"],
       "each of a recursion", out[9])
    ok("returned" in out[4] or "is not a number" in out[4], "void is not a number", out[4])
    ok(found["leap"] == {"calls": "1", "inside": 0, "value": ["-3", "-3", "-3"]},
       "a call that is left by a jump has no time", out[9])
    ok("No breakpoints" in out[7] and "local is not called through a table" in out[8] and
       re.search(r"Breakpoints of prof-trace kept threads stopped for \d+\.\d+ s", out[8]), "it is said, with what it takes", out[7] + out[8])
    ok("; %d events." % (ROUNDS + 6 + 1) in out[8], "they are counted as events", out[8])
    stopped = Gdb("given", [str(ROUNDS)]).run(
        START, "prof-trace attempt --arg=1:round", "break local", "run", "prof-stop",
        "prof-traces --format=csv", "delete", "continue")
    ok(traces(stopped[5]).get("attempt") == {"calls": "1", "inside": 0, "round": ["0", "0", "0"]} and
       "exited normally" in stopped[7], "one that goes on at prof-stop has no time",
       "\n".join(stopped))
    ok(re.search(r"main\b", out[10]) and "attempt" in out[10], "they have stacks", out[10])


def test_too_often():
    """More calls than GDB has time for at breakpoints."""
    out = Gdb("counted", ["1", "storm", "100"]).run(
        START, "prof-trace never", "run", "prof-stop", "prof-gprof --graph --format=csv", "prof-gprof --graph")
    ok(re.search(r"^never is called too often: gdbprof stopped tracing after \d+ calls", out[3], re.M),
       "what is called too often is not traced any more", out[3])
    ok(("primary", "never", "part") in [(row["role"], row["name"], row["counted"]) for row in rows(out[4])] and
       "\nSome calls of never were not traced.\n" in out[5], "and the call graph does not pass it for all",
       out[4] + out[5])


LIBRARY = """
struct point { double x, y; };
struct odd { char letter; int number; } __attribute__((packed));
struct bits { int low : 3, high : 5; };
union either { int number; float share; };
enum color { RED, GREEN = 7 };
double far(struct point from, struct point to, const char *name) { return to.x - from.x + to.y - from.y + !name; }
int packed(struct odd odd) { return odd.number; }
int bitwise(struct bits bits) { return bits.high; }
int united(union either either) { return either.number; }
enum color paint(enum color color, unsigned char shade, short tone) { return color + 0 * (shade + tone); }
"""
USER = """
struct point { double x, y; };
double far(struct point from, struct point to, const char *name);
int paint(int color, unsigned char shade, short tone);
int main(void)
{
	double sum = 0;
	for (int i = 0; i < 5; i++)
		sum += far((struct point){i, 1}, (struct point){i + 2, 4}, "name") + paint(7, 200, -5);
	return (int)sum;
}
"""


def test_debug_information():
    """What functions of a library take and return is known from its debugging information."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text, options in (("lib", LIBRARY, ["-shared", "-fPIC", "-o", "libgiven.so"]),
                                    ("user", USER, ["-o", "user", "libgiven.so", "-Wl,-rpath," + folder])):
            with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
                file.write(text)
            subprocess.run(["gcc", "-g", "-O1", name + ".c", *options], cwd=folder, check=True)
        out = Gdb(os.path.join(folder, "user")).run(
            START, "prof-trace far --arg=returned:distance",
            "prof-trace paint --arg=1:color,2:shade,3:tone", "run", "prof-stop", "prof-traces --format=csv",
            "break main", "run", START, "prof-trace packed", "prof-trace bitwise", "prof-trace united",
            "prof-trace far --arg=1:point", "prof-trace")
    found = traces(out[5])
    ok("code 074" in out[3] and found.get("far", {}).get("distance") == ["25", "5", "5"],
       "structs and pointers, without a prototype", out[3] + out[5])
    ok(found.get("paint", {}).get("shade") == ["1000", "200", "200"] and
       found["paint"]["tone"] == ["-25", "-5", "-5"] and found["paint"]["color"] == ["35", "7", "7"],
       "enumerations and short integers", out[5])
    for told, what in zip(out[9:13], ("packed", "bit fields", "union", "is not a number")):
        ok(what in told, "%s cannot be passed, or recorded" % what, told)
    ok("No functions are traced" in out[13], "and nothing of it is traced", out[13])


REFUSED = [
    ("prof-trace no_such_function", "There is no function no_such_function"),
    ("prof-trace local --arg=2:x", "local has no argument 2: it takes 1."),
    ("prof-trace local --arg=0:x", "names no argument"),
    ("prof-trace local --arg=x", "names no argument"),
    ("prof-trace local --arg=1:", "names no argument"),
    ("prof-trace local --arg=1:%s" % ("x" * 40), "too long a name"),
    ("prof-trace local --arg=1:a,1:b,1:c,1:d,1:e,1:f,1:g,1:h,1:i", "at most 8 values"),
    ("prof-trace strtol --prototype=nothing", "is not a prototype"),
    ("prof-trace strtol --prototype='struct nothing (int)'", "nothing"),
    ("prof-trace strtol --prototype='int (__int128)'", "libffi"),
    ("prof-trace ldiv --prototype='ldiv_t (long, long)' --arg=returned:both", "is not a number"),
    ("prof-trace local --if-longer=soon", "soon"),
]


def test_refusals():
    out = Gdb("given", ["1"]).run("prof-trace local", "break attempt", "run", START, *[
        command for command, _ in REFUSED], "prof-trace local", "prof-trace local", "prof-trace")
    ok("begin with prof-start" in out[0], "it needs a recording", out[0])
    for (command, part), told in zip(REFUSED, out[4:]):
        ok(part in told and told.count("\n") <= 1, command, told)
    ok("local is traced already" in out[-2] and out[-1].strip() == "local",
       "nothing of what was refused is traced", "\n".join(out[-3:]))


plan(1 + 11 + 4 + 3 + 2 + 2 + 8 + 7 + 1 + len(REFUSED) + 1)
test_from_the_start()
test_from_the_middle()
test_limit()
test_breakpoints()
test_too_often()
test_debug_information()
test_refusals()
