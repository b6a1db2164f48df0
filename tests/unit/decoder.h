/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of decoded machine code share: they are skipped where nothing can decode it. */
#ifndef PROF_TESTS_DECODER_H
#define PROF_TESTS_DECODER_H

#include "suite.h"
#include "target/instruction.h"

#include <stdio.h>

static inline int run_decoder_tests(const char *name, const TTest *tests[], size_t count)
{
	struct prof_error *error = prof_instruction_available();

	if (!error)
		return run_tests(name, tests, count);
	prof_error_destroy(error);
	puts("1..0 # SKIP machine code cannot be decoded here");
	return 0;
}

/* As RUN_TESTS(). */
#define RUN_DECODER_TESTS(name, ...)                                      \
	int main(void)                                                    \
	{                                                                 \
		const TTest *tests[] = {__VA_ARGS__};                     \
		return run_decoder_tests(name, tests, PROF_COUNT(tests)); \
	}

#endif
