# SPDX-License-Identifier: GPL-3.0-or-later
"""Load gdbprof, a profiler inside GDB: `source /path/to/prof.py`, for example in .gdbinit."""

import os
import sys

import gdb


def _is_cut_off(path):
    """Does the ELF file PATH end before its last part?  To map such a file would kill GDB."""
    import struct
    try:
        with open(path, "rb") as file:
            head = file.read(64)
    except OSError:
        return False  # importing it will say why
    if len(head) < 64 or not head.startswith(b"\x7fELF\x02"):
        return False
    sections, = struct.unpack_from("=Q", head, 40)
    size, count = struct.unpack_from("=HH", head, 58)
    return os.path.getsize(path) < sections + size * count


def _floor():
    """Why this GDB is too old, a sentence; or None."""
    import re
    version = re.search(r"\d+", gdb.VERSION)
    if version and int(version.group()) < 10:
        return "it needs GDB 10 or later, and this is GDB %s." % gdb.VERSION
    if sys.version_info < (3, 9):
        return "it needs a GDB with Python 3.9 or later, and this one has %d.%d." % sys.version_info[:2]
    return None


def _import_file(name, path):
    """Make the file PATH the module NAME, without a compiled copy beside it, which nobody would remove."""
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    module = type(sys)(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(code, module.__dict__)


def _load():
    """Import _prof.abi3.so and the module prof; return None, or a sentence that says why that failed."""
    old = _floor()
    if old:
        return old
    # Not __file__: within another sourced file GDB leaves that as it was.  It may be a link, as in /etc/gdb/gdbinit.d.
    here = os.path.dirname(os.path.realpath(_load.__code__.co_filename))
    # Beside this file where it is installed; in build/ of its own tree.
    places = [here, os.path.join(os.path.dirname(here), "build")]
    if os.environ.get("GDBPROF_BUILD"):
        places.insert(0, os.environ["GDBPROF_BUILD"])
    found = [p for p in places if os.path.exists(os.path.join(p, "_prof.abi3.so"))]
    if not found:
        return "_prof.abi3.so is not in %s: run `make' in %s." % (
            " or ".join(places), os.path.dirname(here))
    module = os.path.join(found[0], "_prof.abi3.so")
    if _is_cut_off(module):
        return "%s is truncated: run `make clean all' in its tree." % module
    sys.path.insert(0, found[0])
    try:
        import _prof  # noqa: F401: importing it makes the commands
    except Exception as error:  # a foreign module may raise any
        return "%s does not fit this GDB (%s): run `make clean all' in its tree." % (
            module, error)
    finally:
        sys.path.remove(found[0])
    for name, file in ("prof", "objects.py"), ("prof_mi", "mi.py"):
        _import_file(name, os.path.join(here, file))
    sys.modules["prof_mi"].register()
    return None


try:
    _problem = _load()
except Exception as error:  # the modules of Python itself, where files or memory are short
    _problem = "%s." % error
if _problem:
    # An exception would show a traceback, and end the user's .gdbinit here.
    gdb.write("gdbprof cannot be loaded: %s\n" % _problem, gdb.STDERR)
