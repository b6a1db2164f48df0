# SPDX-License-Identifier: GPL-3.0-or-later
"""What a recording has, as its views say."""

import re


def heading(text):
    """Rate asked for, rate reached, and the share in percent that the program was kept stopped."""
    rate = re.search(r"Rate: (\S+) Hz asked for, .*?(\S+) Hz reached", text)
    kept = re.search(r"kept from running for (\S+) %", text)
    return (float(rate.group(1)) if rate else 0, float(rate.group(2)) if rate else 0,
            float(kept.group(1)) if kept else -1)
