/* SPDX-License-Identifier: GPL-3.0-or-later */
// Exceptions that pass frames with something to clean up: throws TURNS.
#include "spend.h"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

static volatile unsigned long sink;

struct Held {
	explicit Held(int level) : name(static_cast<size_t>(level) + 20, 'x')
	{
	}
	~Held()
	{
		sink += name.size();
	}
	std::string name;
};

__attribute__((noinline)) static unsigned long descend(int level, int bottom)
{
	Held held(level);

	for (int i = 0; i < 200; i++)
		SPEND(i);
	if (level >= bottom)
		throw std::out_of_range(held.name);
	try {
		return descend(level + 1, bottom) + held.name.size();
	} catch (const std::out_of_range &error) {
		// Every third frame throws another one out of its handler.
		if (level % 3 == 0 && level)
			throw std::runtime_error(error.what() + held.name);
		throw;
	} catch (const std::runtime_error &) {
		if (level % 5)
			throw;
		return held.name.size();
	}
}

int main(int argc, char **argv)
{
	long turns = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 5000;

	for (long i = 0; i < turns; i++) {
		try {
			sink += descend(1, 12);
		} catch (const std::exception &error) {
			sink += std::string(error.what()).size();
		}
	}
	return 0;
}
