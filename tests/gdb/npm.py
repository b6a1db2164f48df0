# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools that npm has, for tests: each is fetched once, and nothing of it is run to install it."""

import os
import shutil
import subprocess
import tarfile

from session import BUILD


def fetch(package, version, file):
    """Where the FILE of PACKAGE is, fetched unless it was before; None if it cannot be had."""
    place = os.path.join(BUILD, "npm", package.replace("/", "-"), version)
    found = os.path.join(place, "package", file)
    if os.path.exists(found):
        return found
    if not shutil.which("npm"):
        return None
    os.makedirs(place, exist_ok=True)
    try:
        packed = subprocess.run(
            ["npm", "pack", "%s@%s" % (package, version), "--silent", "--fetch-retries=0", "--cache",
             os.path.join(place, "cache")], cwd=place, check=True, timeout=60, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with tarfile.open(os.path.join(place, packed.stdout.split()[-1])) as archive:
            archive.extractall(place)
    except (subprocess.SubprocessError, OSError, tarfile.TarError, IndexError):
        return None
    return found if os.path.exists(found) else None
