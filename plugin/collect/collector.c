/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/collector.h"

#include "plugin/collect/request.h"

/*
 * Rows may need earlier ones, from begin() to end():
 *
 * - The engine reports forks to the marks as soon as it samples.
 * - Signals that control the recording make marks, and need an engine that reports signals.
 * - Tracing uses counting to set breakpoints in functions that are not called through a slot.
 * - Tracing makes the program call functions, so all others must be ready; and when a process is
 *   gone, its counts are reported before its last traced events.
 */
const struct collector *const collectors[] = {
	&collector_marks,
	&collector_mark_breakpoints,
	&collector_sampling,
	&collector_counters,
	&collector_descendants,
	&collector_control_signal,
	&collector_counting,
	&collector_tracing,
	NULL,
};

size_t collectors_count(void)
{
	return PROF_COUNT(collectors) - 1;
}

bool collectors_load(PyObject *module)
{
	bool loaded = true;

	for (size_t i = 0; collectors[i] && loaded; i++)
		loaded = !collectors[i]->load || collectors[i]->load(module);
	return loaded;
}

struct prof_error *collectors_check(const struct session_request *asked)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; collectors[i] && !error; i++)
		error = collectors[i]->check ? collectors[i]->check(asked->choices.own.items[i])
					     : NULL;
	return error;
}

struct prof_error *collectors_begin(const struct collector_request *request)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; collectors[i] && !error; i++)
		error = collectors[i]->begin
			? collectors[i]->begin(request, request->asked->choices.own.items[i])
			: NULL;
	return error;
}

void collectors_end(void)
{
	size_t count = collectors_count();

	while (count) {
		if (collectors[--count]->end)
			collectors[count]->end();
	}
}

bool collectors_have_others(void)
{
	bool any = false;

	for (size_t i = 0; collectors[i] && !any; i++)
		any = collectors[i]->has_others && collectors[i]->has_others();
	return any;
}

size_t collectors_count_others(void)
{
	size_t count = 0;

	for (size_t i = 0; collectors[i]; i++)
		count += collectors[i]->count_others ? collectors[i]->count_others() : 0;
	return count;
}

struct prof_error *collectors_attach(pid_t process, bool native)
{
	struct prof_error *error = NULL;
	size_t i;

	for (i = 0; collectors[i] && !error; i++)
		error = collectors[i]->attach ? collectors[i]->attach(process, native) : NULL;
	/* The row that failed has recorded nothing of the process. */
	for (i = error ? i - 1 : 0; i > 0; i--) {
		if (collectors[i - 1]->detach)
			collectors[i - 1]->detach(process);
	}
	return error;
}
