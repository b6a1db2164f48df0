# SPDX-License-Identifier: GPL-3.0-or-later
"""The debugging information of the C library, unpacked once.

Debian compresses it, and GDB would unpack it anew in each session: a fifth of what most take.
"""

import os
import re
import subprocess
import tempfile

# Where GDB looks for it by itself, below one of its folders for debugging information.
KEPT = "/usr/lib/debug"


def libraries():
    """The libraries that this process has loaded: the C library's are among them."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted(set(re.findall(r"/\S+\.so\S*$", maps.read(), re.M)))


def place(library):
    """Where the debugging information of LIBRARY is below a folder for it, or None."""
    notes = subprocess.run(["readelf", "-n", library], capture_output=True, text=True).stdout
    found = re.search(r"Build ID: (\w\w)(\w+)", notes)
    return os.path.join(".build-id", found[1], found[2] + ".debug") if found else None


def unpack(folder):
    """Make FOLDER, with all of it that is to be had, unless another has made it."""
    if os.path.isdir(folder):
        return
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as own:
        made = os.path.join(own, "made")
        os.mkdir(made)
        for path in filter(None, map(place, libraries())):
            if os.path.exists(os.path.join(KEPT, path)):
                os.makedirs(os.path.join(made, os.path.dirname(path)), exist_ok=True)
                subprocess.run(["objcopy", "--decompress-debug-sections", os.path.join(KEPT, path),
                                os.path.join(made, path)], stderr=subprocess.DEVNULL)
        try:
            os.rename(made, folder)
        except OSError:
            pass  # another was faster
