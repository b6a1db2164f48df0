# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for a CPU with two counter registers, for sessions on machines that show none: see pmu/pmu.c."""

import os
import subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pmu", "pmu.c")


def environment(folder, cpu="core"):
    """What Gdb() takes as env to have the stand-in, built in FOLDER, whose counters have the names that libpfm4
    has for CPU; "core" has two registers there too.  It needs cc."""
    library = os.path.join(folder, "pmu.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
    return {"LD_PRELOAD": library, "LIBPFM_FORCE_PMU": cpu}
