// SPDX-License-Identifier: GPL-3.0-or-later
// A template and a nested name: what D mangles.
module names;

__gshared int sum;

T spin(T)(T turns)
{
    T found = 0;
    foreach (T i; 0 .. turns)
        found = cast(T) (found * 7 + i); // LOOP
    return found;
}

struct Counter
{
    int total;

    void count(int turns)
    {
        foreach (i; 0 .. turns)
            total += spin!int(1_000_000);
    }
}

void main(string[] arguments)
{
    Counter counter;
    counter.count(600);
    sum = counter.total;
}
