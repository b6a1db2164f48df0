# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of marks share: the program marks, its phases, and the marks of a recording."""

from session import rows

LIST = "prof-intervals --format=csv"
QUIET = ["set prof mark-stops off", "handle SIGUSR2 nostop noprint"]


def labels(text):
    """The labels of all marks, in the order of time."""
    table = rows(text)
    return [table[0]["start_label"]] + [row["end_label"] for row in table] if table else []


def functions(text):
    """Those of the program's phases that TEXT has."""
    return {row["name"] for row in rows(text)} & {"one", "two", "unseen", "three"}
