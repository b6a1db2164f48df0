# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples in an experiment's file, read as core/model/sample_row.h says."""


def numbers(packed):
    """The numbers that the bytes PACKED are."""
    number = shift = 0
    for byte in packed:
        number |= (byte & 0x7f) << shift
        shift += 7
        if not byte & 0x80:
            yield number
            number = shift = 0


def unpack(packed, count):
    """(time in ns, samples) of each of the COUNT rows of a block."""
    take = numbers(packed)
    time = 0
    for _ in range(count):
        head, change = next(take), next(take)
        time += -(change + 1) // 2 if change & 1 else change // 2
        for same in (0x08, 0x10, 0x20):
            if not head & same:
                next(take)
        mask, samples = next(take), 0
        for quantity in range(mask.bit_length()):
            if mask >> quantity & 1:
                value = next(take)
                value = value // 2 + (next(take) / 1e6 if value & 1 else 0)
                samples += value if quantity == 0 else 0
        yield time, samples


def read(database):
    """How many samples DATABASE has, and the time of the last, in ns since the start; or None."""
    rows = [row for count, packed in database.execute("SELECT samples, packed FROM sample_block")
            for row in unpack(packed, count)]
    return sum(samples for _, samples in rows), max((time for time, _ in rows), default=None)
