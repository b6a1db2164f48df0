#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What clang-format, clang-tidy, cppcheck, shellcheck and codespell find.

Other versions of these find other things, so only Debian 12's decide; the configuration is in .clang-format,
.clang-tidy, .codespellrc and tests/tree/cppcheck.txt.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess

from tree import BUILD, TOP, ok, plan
from session import lacking, skip

TOOLS = 5
plan(TOOLS)
TIDY_FILES = 32  # for one process of clang-tidy


def tracked(*patterns):
    """The paths of the files of the repository that match PATTERNS; none where there is no git, or only a copy."""
    if not shutil.which("git"):
        return []
    found = subprocess.run(["git", "ls-files", "--", *patterns], cwd=TOP, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL)
    return [path for path in found.stdout.splitlines() if os.path.isfile(os.path.join(TOP, path))]


def sees(tool, version):
    """Whether TOOL is installed and prints VERSION as its own; if not, a test by its name is skipped."""
    why = lacking(tool)
    if not why:
        printed = subprocess.run([tool, "--version"], text=True, stdout=subprocess.PIPE).stdout
        if not re.search(r"(?<![\d.])%s\b" % re.escape(version), printed):
            why = "only version %s decides" % version
    if not why and not tracked("Makefile"):
        why = "there is no repository"
    if why:
        skip(1, tool, why)
    return not why


def finds_nothing(tool, *commands):
    """Run COMMANDS, one on each CPU: each must print nothing and succeed."""
    def run(command):
        return subprocess.run(command, cwd=TOP, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        ended = list(threads.map(run, commands))
    ok(all(process.returncode == 0 for process in ended), "%s finds nothing" % tool,
       "".join(process.stdout + process.stderr for process in ended))


def flags():
    """The flags that say to a tool what the compiler is told, as far as it matters for parsing."""
    python = subprocess.run(["gdb", "-nx", "-batch", "-ex",
                             'python import sysconfig; print(sysconfig.get_paths()["include"])'],
                            text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
    return ["-std=c11", "-D_GNU_SOURCE", "-DPy_LIMITED_API=0x03090000", "-Icore", "-I.",
            "-I" + os.path.join(BUILD, "made"), "-I" + python]


def is_shell(path):
    """Whether the file PATH begins as a script for a shell does."""
    with open(os.path.join(TOP, path), "rb") as file:
        return re.match(rb"#!.*\b(ba)?sh\b", file.readline())


if sees("clang-format", "14"):
    finds_nothing("clang-format", ["clang-format", "--dry-run", "-Werror", *tracked("*.c", "*.h")])

sources = tracked("core/*.c", "plugin/*.c", "shell/*.c")
if sees("clang-tidy", "14"):
    finds_nothing("clang-tidy", *[["clang-tidy", "--quiet", *sources[i:i + TIDY_FILES], "--", *flags()]
                                  for i in range(0, len(sources), TIDY_FILES)])

if sees("cppcheck", "2.10"):
    finds_nothing("cppcheck", ["cppcheck", "-q", "-j2", "--std=c11", "--enable=warning,portability", "--error-exitcode=1",
                               "--suppressions-list=tests/tree/cppcheck.txt", "-DElfW(type)=Elf64_##type",
                               "-DPy_RETURN_NONE=return 0", "-DPyAPI_FUNC(type)=type", "-Icore", "-I.", *sources])

if sees("shellcheck", "0.9"):
    finds_nothing("shellcheck", ["shellcheck", "-x", *[path for path in tracked(".") if is_shell(path)]])

if sees("codespell", "2.2"):
    finds_nothing("codespell", ["codespell", *tracked(".")])
