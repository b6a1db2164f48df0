# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs under mpirun for tests, with either MPI library: each rank runs under a GDB of its own.

The programs are in the folder `mpi`, and are compiled when a test needs them, because many machines have no MPI.
"""

import os
import re
import signal
import subprocess
import tempfile

from session import Gdb, distrust, lacking, rows, skip

LIBRARIES = ("openmpi", "mpich")
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mpi")
COLUMNS = ("mpi-sends", "mpi-sent", "mpi-receives", "mpi-received", "mpi-other")
FIGURES = "prof-functions --format=csv --metric=" + ",".join("i." + name for name in COLUMNS)

# What the launcher that runs a test has told it is not for its ranks.
BARE = {name: value for name, value in os.environ.items() if not re.match("OMPI_|PMI_|PMIX_|SLURM_|VT_", name)}


def libraries(count, *more):
    """The libraries that are here, with the tools MORE of each; COUNT tests of each other are skipped."""
    found = []
    for library in LIBRARIES:
        why = lacking(*(tool + "." + library for tool in ("mpicc", "mpirun") + more))
        if why:
            skip(count, library, why)
        else:
            found.append(library)
    return found


def build(library, source, *options):
    """Compile SOURCE with LIBRARY in the working directory; the path of the program."""
    name, kind = os.path.splitext(source)
    path = os.path.abspath("%s.%s" % (name, library))
    compiler = ("mpicc." if kind == ".c" else "mpifort.") + library
    subprocess.run([compiler, "-g", "-O1", "-fno-omit-frame-pointer", "-w", "-pthread", "-o", path,
                    os.path.join(SOURCES, source), *options], check=True)
    return path


def launch(library, *ranks, timeout=200, env=None):
    """Run the command lines RANKS as a job; what each has printed, and mpirun itself, and its exit status."""
    line = ["mpirun." + library]
    if library == "openmpi":
        line += ["--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    folder = tempfile.mkdtemp(prefix="ranks-", dir=".")
    files = [os.path.join(folder, str(rank)) for rank in range(len(ranks))]
    for i, (file, words) in enumerate(zip(files, ranks)):
        line += [":"] * (i > 0) + ["-n", "1", "sh", "-c", 'file=$1; shift; exec "$@" >"$file" 2>&1', "sh", file, *words]
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=dict(BARE, TERM="dumb", LC_ALL="C.UTF-8", **(env or {})), start_new_session=True)
    try:
        said = process.communicate(timeout=timeout)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0].decode(errors="replace") + "\n<<timeout>>"
    texts = []
    for file in files:
        with open(file, errors="replace") as opened:
            texts.append(opened.read())
    return texts, said, process.returncode


def job(library, path, *commands, ranks=2, args=(), **options):
    """Execute COMMANDS in a GDB of each of the RANKS of the program PATH; a list of their output for each.

    %r in a command is the rank.
    """
    own = [[command.replace("%r", str(rank)) for command in commands] for rank in range(ranks)]
    texts, said, _ = launch(library, *(Gdb(path, args).command(*Gdb.batch(each)) for each in own), **options)
    for text in texts:
        distrust(text)
    found = [Gdb.split(text, len(commands)) for text in texts]
    if "<<timeout>>" in said:
        found = [[piece + said for piece in each] for each in found]
    return found


def figures(text, name="<Total>"):
    """What the csv TEXT of FIGURES says of the function NAME: sends, bytes, receives, bytes, other events."""
    for row in rows(text):
        if row["name"] == name:
            return tuple(int(row[column + "_inclusive"]) for column in COLUMNS)
    return ()
