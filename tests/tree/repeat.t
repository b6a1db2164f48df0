#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make check-repeat` runs: it counts what fails, keeps the output of it, and leaves nothing running."""

import os
import re
import subprocess
import tempfile

from tree import TOP, ok, plan

# Fails its second test each second time; notes how many busy processes there are beside it.
FLAKY = """#!/usr/bin/python3
import glob, os

def words(path, default):
    try:
        with open(path) as file:
            return file.read().split()
    except OSError:
        return default

turn = int(words("{place}/turn", ["0"])[0]) + 1
with open("{place}/turn", "w") as file:
    print(turn, file=file)
print("1..2\\nok 1 - steady\\n%sok 2 - flaky" % ("not " if turn % 2 == 0 else ""))
siblings = [path for path in glob.glob("/proc/[0-9]*/stat")
            if words(path, "0 0 0 0".split())[3:4] == [str(os.getppid())]]
with open("{place}/busy", "a") as file:
    print(len(siblings) - 1, file=file)
"""
SHORT = "#!/bin/sh\necho 1..2\necho ok 1 - alone\n"


def script(place, name, text):
    path = os.path.join(place, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("{place}", place))
    os.chmod(path, 0o755)
    return path


def repeat(place, *scripts):
    """Two rounds of SCRIPTS: what is printed, and the exit status."""
    done = subprocess.run([os.path.join(TOP, "tests", "repeat"), "2", *scripts], check=False,
                          env=dict(os.environ, BUILD=os.path.join(place, "build")),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout, done.returncode


plan(6)
with tempfile.TemporaryDirectory() as folder:
    flaky, short = script(folder, "flaky.t", FLAKY), script(folder, "short.t", SHORT)
    text, status = repeat(folder, flaky, short)
    ok(re.search(r"^ +1 +1  %s: 2 - flaky$" % flaky, text, re.M) and "steady" not in text,
       "a test that fails at times is counted, quiet and busy", text)
    ok(re.search(r"^ +2 +2  %s: it planned 2 tests and ran 1$" % short, text, re.M) and status == 1,
       "so is a script that ends early; the exit status says that something failed", text)
    kept = re.search(r"flaky.t failed; its output is in (.*)", text)
    with open(os.path.join(TOP, kept[1]), encoding="utf-8") as file:
        ok("not ok 2 - flaky" in file.read(), "the output is kept", text)
    with open(os.path.join(folder, "busy"), encoding="utf-8") as file:
        counts = [int(line) for line in file]
    ok(counts == [0, 0] + [3 * os.cpu_count()] * 2, "three busy processes per CPU compete, then none",
       counts)
    text, status = repeat(folder, script(folder, "steady.t", "#!/bin/sh\necho 1..1\necho ok 1\n"))
    ok("Nothing failed in 2 quiet and 2 busy runs" in text and status == 0, "nothing failed", text)
    text, status = repeat(folder, script(folder, "skip.t", "#!/bin/sh\necho '1..0 # SKIP no tool'\n"))
    ok("Nothing failed" in text and status == 0, "a script that is skipped has not failed", text)
