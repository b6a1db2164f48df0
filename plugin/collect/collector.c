/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/collector.h"

/*
 * A row may need those before it, from begin() to end():
 *
 * - The engine reports forks to the marks as soon as it samples.
 * - Signals that control the recording make marks, and need an engine that reports signals.
 * - Tracing sets breakpoints by way of counting, for functions that are called through no slot.
 * - Tracing has the program call functions, which must find all others ready; and where a process
 *   is gone, what is counted is told before its last traced events.
 */
const struct collector *const collectors[] = {
	&collector_marks,
	&collector_sampling,
	&collector_counters,
	&collector_descendants,
	&collector_control_signal,
	&collector_counting,
	&collector_tracing,
	NULL,
};

struct prof_error *collectors_check(const struct session_request *asked)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; collectors[i] && !error; i++)
		error = collectors[i]->check ? collectors[i]->check(asked) : NULL;
	return error;
}

struct prof_error *collectors_begin(const struct collector_request *request)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; collectors[i] && !error; i++)
		error = collectors[i]->begin ? collectors[i]->begin(request) : NULL;
	return error;
}

void collectors_end(void)
{
	size_t count = 0;

	while (collectors[count])
		count++;
	while (count) {
		if (collectors[--count]->end)
			collectors[count]->end();
	}
}

struct prof_error *collectors_attach(pid_t process, bool native)
{
	struct prof_error *error = NULL;
	size_t i;

	for (i = 0; collectors[i] && !error; i++)
		error = collectors[i]->attach ? collectors[i]->attach(process, native) : NULL;
	/* The row that failed has nothing of the process. */
	for (i = error ? i - 1 : 0; i > 0; i--) {
		if (collectors[i - 1]->detach)
			collectors[i - 1]->detach(process);
	}
	return error;
}
