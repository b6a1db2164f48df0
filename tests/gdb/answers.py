# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of bad input have in common: how an answer must look, and watching other processes."""

import os
import re

# Control characters other than a newline and a tab, and those of C1: what a terminal might obey.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def is_sentence(text):
    """Is TEXT exactly one sentence, with nothing around it that looks like a failure of ours?"""
    text = text.strip()
    return ("\n" not in text and text.endswith(".") and "Python" not in text and
            "Traceback" not in text and
            (text.startswith(("prof-", "info prof", "gdbprof")) or not text[:1].islower()))


def says(text, *words):
    """Is TEXT one sentence that has all WORDS in it?"""
    return is_sentence(text) and all(word in text for word in words)


def has_catchpoint(text):
    """Does TEXT, of `info breakpoints`, list a catchpoint?  Some GDBs have the word in "No breakpoints"."""
    return bool(re.search(r"^\d+ +catchpoint\b", text, re.M))


def obeyed(text):
    """The first character of TEXT that a terminal might obey, or None."""
    found = OBEYED.search(text)
    return found and repr(found.group())


def state(pid):
    """The state of the process PID, as R or S; "" if there is none."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def cpu_jiffies(pid):
    """The CPU time of the process PID in jiffies, of sysconf(_SC_CLK_TCK) a second."""
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def status(pid, field):
    """The FIELD of /proc/PID/status, such as "TracerPid"."""
    with open("/proc/%d/status" % pid) as file:
        for line in file:
            if line.startswith(field + ":"):
                return line.split(None, 1)[1].strip()
    return ""


def size(path):
    """The size of the file PATH; 0 if there is none."""
    return os.path.getsize(path) if os.path.exists(path) else 0
