/* SPDX-License-Identifier: GPL-3.0-or-later */
// C++: templates, overloads, functions that are inlined, and exceptions thrown through several
// frames.
#include "spend.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static volatile unsigned long sink;

// The same code for all: a copy of it elsewhere may be faster by a tenth.
__attribute__((noinline)) static void work()
{
	for (unsigned long i = 0; i < 20000; i++)
		SPEND(i);
}

static inline __attribute__((always_inline)) void unit()
{
	work();
	sink = sink + 1;
}

namespace shapes
{

template <typename Number, int Size> class Grid
{
      public:
	__attribute__((noinline)) Number total(int units)
	{
		Number sum = 0;

		for (int i = 0; i < units; i++)
			unit();
		for (Number cell : cells)
			sum += cell;
		sink = sink + 1;
		return sum;
	}

      private:
	std::vector<Number> cells = std::vector<Number>(Size);
};

} // namespace shapes

struct Thrown : std::runtime_error {
	using std::runtime_error::runtime_error;
};

template <int Depth> __attribute__((noinline)) static void throw_from(int units)
{
	if constexpr (Depth > 0) {
		throw_from<Depth - 1>(units);
		sink = sink + 1;
	} else {
		for (int i = 0; i < units; i++)
			unit();
		throw Thrown("deep down");
	}
}

__attribute__((noinline)) static int catch_it(int units)
{
	try {
		throw_from<5>(units);
	} catch (const Thrown &) {
		sink = sink + 1;
		return 1;
	}
	return 0;
}

__attribute__((noinline)) static int catch_it(long units)
{
	int caught = catch_it(static_cast<int>(units));

	sink = sink + 1;
	return caught;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1000;
	shapes::Grid<double, 4> doubles;
	shapes::Grid<unsigned long, 16> longs;
	long caught = 0;
	double sum = 0;

	for (long i = 0; i < rounds; i++) {
		sum += doubles.total(50);
		sum += static_cast<double>(longs.total(30));
		caught += catch_it(20L);
	}
	std::printf("caught %ld, sum %g\n", caught, sum);
	return 0;
}
