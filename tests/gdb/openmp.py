# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs with OpenMP, built by each compiler that is there."""

import os
import subprocess

from session import TOP, lacking

COMPILERS = ("gcc", "clang")


def build(name, compiler, folder, *flags):
    """The program NAME of tests/programs/openmp, built by COMPILER with FLAGS in FOLDER, or None, and why it cannot be."""
    why = lacking(compiler)
    if why:
        return None, why
    source = os.path.join(TOP, "tests", "programs", "openmp", name + ".c")
    made = os.path.join(folder, "%s.%s" % (name, compiler))
    built = subprocess.run([compiler, "-O2", "-g", "-fopenmp", "-Wl,--build-id", *flags, source, "-o", made, "-lm"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if built.returncode and ("omp.h" in built.stdout or "-lomp" in built.stdout):
        return None, lacking("libomp-dev")
    return made, built.stdout


def column(table, key, name):
    """What the column NAME of TABLE, rows of a view, has by KEY, as numbers."""
    return {row[key]: float(row[name] or 0) for row in table}
