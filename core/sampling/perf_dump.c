/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_dump.h"

#include "base/compiler.h"
#include "target/process.h"

/* How many of how many samples may lack a part of their stack. */
enum { CUT = 2, OF = 100 };

/* Rings with room for samples with the largest copies are large: no more threads get them. */
enum { FEW = 4 };

uint32_t prof_perf_dump_bytes(const struct prof_perf_dump *dump, size_t threads)
{
	if (dump->chosen)
		return dump->chosen;
	return threads <= FEW ? PROF_PERF_DUMP_MOST : PROF_PERF_DUMP_LEAST;
}

static uint32_t choose(const struct prof_perf_dump *dump)
{
	for (size_t i = 0; i < PROF_COUNT(dump->more); i++) {
		if (dump->more[i] < CUT)
			return (uint32_t)PROF_PERF_DUMP_LEAST << i;
	}
	return PROF_PERF_DUMP_MOST;
}

void prof_perf_dump_count(struct prof_perf_dump *dump, const struct prof_copy *stack)
{
	size_t needed = stack->exceeded ? stack->length + 1 : stack->reached;

	for (size_t i = 0; i < PROF_COUNT(dump->more); i++)
		dump->more[i] += needed > (size_t)PROF_PERF_DUMP_LEAST << i;
	if (++dump->samples < OF)
		return;
	uint32_t chosen = choose(dump);
	*dump = (struct prof_perf_dump){
		.chosen = chosen > dump->chosen ? chosen : dump->chosen,
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
