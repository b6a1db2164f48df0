#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages for Debian and Fedora have the version of gdbprof, and what it is built with."""

import re

from tree import none, ok, plan, read

TOOLS = {"gcc", "libc6-dev", "make"}  # that a package may take for granted


def version():
    return re.search(r'PROF_VERSION "(.*)"', read("core/base/version.h")).group(1)


plan(4)
first = re.match(r"gdbprof \((.*?)\)", read("debian/changelog"))
ok(first and first.group(1) == version().replace("-", "~"), "debian/changelog has the version", first)
fedora = dict(re.findall(r"^(Version|Release):\s+(\S+)", read("fedora/gdbprof.spec"), re.M))
ok(fedora.get("Version") == version().replace("-", "~"), "gdbprof.spec has it, too", fedora)

wanted = {line.split()[0] for line in read("packages.txt").splitlines() if line and line[0] != "#"} - TOOLS
fields = re.search(r"^Build-Depends: (.*\n(?: .*\n)*)", read("debian/control"), re.M).group(1)
named = {re.match(r"[\w+.-]+", item.strip()).group() for item in fields.split(",")}
none(wanted - named, "Debian's package is built with all of packages.txt")

# Fedora has other names, and one for each library.
libraries = [name for name in wanted if name.startswith("lib")]
required = re.findall(r"^BuildRequires:", read("fedora/gdbprof.spec"), re.M)
ok(len(required) >= len(libraries), "Fedora's with as many libraries", "%s\n%s" % (libraries, required))
