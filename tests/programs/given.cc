/* SPDX-License-Identifier: GPL-3.0-or-later */
// Calls functions of libraries with all kinds of arguments, and prints what it gets: the sums tell
// whether each call was given what it was called with.
#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {

// Not known when it is compiled.
volatile double exponent = 2;

struct thrown {
	int value;
};

// Of a search: throws where it comes to 9.
int compare(const void *left, const void *right)
{
	int a = *static_cast<const int *>(left), b = *static_cast<const int *>(right);

	if (b == 9)
		throw thrown{b};
	return a - b;
}

// An exception passes through the C library, and what is between it and here.
int search(int wanted)
{
	const int numbers[] = {1, 3, 5, 7, 9, 11, 13};

	try {
		// Not the one that is inlined.
		decltype(&bsearch) volatile find = bsearch;
		const void *found = find(&wanted, numbers, 7, sizeof *numbers, compare);
		return found ? *static_cast<const int *>(found) : -1;
	} catch (const thrown &what) {
		return -what.value;
	}
}

} // namespace

// Not called through a table.
extern "C" __attribute__((noinline)) int local(int value)
{
	__asm__ volatile("");
	return value + 1;
}

extern "C" __attribute__((noinline)) int below(unsigned char depth)
{
	return depth ? 1 + below(depth - 1) : 0;
}

static jmp_buf back;

extern "C" __attribute__((noinline)) void leap(short value)
{
	longjmp(back, value);
}

extern "C" __attribute__((noinline)) void attempt(int round)
{
	char text[160];
	char *end;

	ldiv_t halves = ldiv(1000 + round, 7);
	double power = pow(static_cast<double>(round), exponent);
	float scaled = ldexpf(static_cast<float>(round), 2);
	long double exact = strtold("0.125", &end);
	long number = strtol("zz", nullptr, 30 + round % 7);
	int length = snprintf(text, sizeof text, "%d %ld %.2f %s %c %.3Lf %d %d %.1f", round, halves.rem,
		power, "text", 'x', exact, 7, 8, 0.5);
	errno = 0;
	int failed = access("/there is no such file", R_OK);
	printf("%d %ld %ld %g %g %Lg %ld %d %s %d %d %d\n", round, halves.quot, halves.rem, power,
		static_cast<double>(scaled), exact, number, length, text, failed, errno == ENOENT,
		local(round));
}

extern "C" __attribute__((noinline)) char *make(std::size_t size)
{
	return new char[size];
}

int main(int count, char **arguments)
{
	delete[] make(77);
	int rounds = count > 1 ? atoi(arguments[1]) : 10;

	for (int i = 0; i < rounds; i++)
		attempt(i);
	printf("%d %d\n", search(3), search(9));
	printf("%d\n", below(5));
	if (!setjmp(back))
		leap(-3);
	usleep(20000);
	usleep(1);
	return 0;
}
