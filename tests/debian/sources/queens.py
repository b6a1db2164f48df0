"""Count the ways to place N queens on a board of N rows."""

import sys


def place(n, row, columns, down, up):
    """The ways to fill the rows from ROW on; the sets hold the columns and diagonals in use."""
    if row == n:
        return 1
    count = 0
    for column in range(n):
        if column in columns or row + column in down or row - column in up:
            continue
        count += place(n, row + 1, columns | {column}, down | {row + column}, up | {row - column})
    return count


print(place(int(sys.argv[1]), 0, frozenset(), frozenset(), frozenset()))
