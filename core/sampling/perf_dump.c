/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_dump.h"

#include "base/compiler.h"
#include "target/process.h"

/* How many of how many samples may lack a part of their stack. */
enum { CUT = 2, OF = 100 };

/* Sizes of copies, and what stacks need at most for which they are chosen. */
static const struct {
	uint32_t bytes, needed;
} sizes[] = {
	{PROF_PERF_DUMP_LEAST, PROF_PERF_DUMP_LEAST / 2},
	{PROF_PERF_DUMP_LEAST * 4, PROF_PERF_DUMP_LEAST * 2},
	{PROF_PERF_DUMP_USUAL, PROF_PERF_DUMP_USUAL},
	{PROF_PERF_DUMP_USUAL * 2, PROF_PERF_DUMP_USUAL * 2},
};

/* Rings with room for samples with the largest copies are large: no more threads get them. */
enum { FEW = 4 };

uint32_t prof_perf_dump_bytes(const struct prof_perf_dump *dump, size_t threads)
{
	if (dump->chosen)
		return dump->chosen;
	return threads <= FEW ? PROF_PERF_DUMP_MOST : PROF_PERF_DUMP_USUAL;
}

static uint32_t choose(const struct prof_perf_dump *dump)
{
	for (size_t i = 0; i < PROF_COUNT(sizes); i++) {
		if (dump->more[i] < CUT)
			return sizes[i].bytes;
	}
	return PROF_PERF_DUMP_MOST;
}

void prof_perf_dump_count(struct prof_perf_dump *dump, const struct prof_copy *stack)
{
	size_t needed = stack->exceeded ? stack->length + 1 : stack->needed;

	/* How deep a stack is that was cut is not known: a small copy does not grow by small steps.
	 */
	if (stack->exceeded && dump->chosen && stack->length >= dump->chosen &&
		needed < PROF_PERF_DUMP_USUAL)
		needed = PROF_PERF_DUMP_USUAL;
	for (size_t i = 0; i < PROF_COUNT(sizes); i++)
		dump->more[i] += needed > sizes[i].needed;
	dump->samples++;
	uint32_t bytes = choose(dump);
	/* What is cut is lost: a larger copy is not waited for. */
	if (dump->samples >= OF || (dump->chosen && bytes > dump->chosen))
		*dump = (struct prof_perf_dump){
			.chosen = bytes > dump->chosen ? bytes : dump->chosen,
		};
}

void prof_perf_dump_complete(pid_t process, const struct prof_copy *stack)
{
	uint64_t end = stack->address + stack->length;
	uint64_t most = stack->address + PROF_PERF_DUMP_MOST;
	char byte;

	/* A copy that was as long as was asked for ends anywhere in a page. */
	if (!stack->exceeded || end % PROF_TARGET_PAGE)
		return;
	while (end < most && prof_process_read(process, end, &byte, sizeof byte))
		end += PROF_TARGET_PAGE;
}
