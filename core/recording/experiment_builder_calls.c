/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calls that begin and end: each becomes a sample, and a single call, when it ends.  As in
 * core/model/call_builder.h, TURNED of a call that has called another is what it has spent itself
 * until then, and of the innermost one it is the time at which it would have begun if it had called
 * nobody.
 */
#include "base/value.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/single_calls.h"
#include "model/state.h"
#include "recording/experiment_builder_private.h"

#include <assert.h>
#include <stdlib.h>

/* The open calls of the thread with the kernel's ID, or NULL: no memory. */
static struct prof_experiment_builder_caller *find_caller(
	struct prof_experiment_builder *builder, int64_t id)
{
	uint32_t known = prof_map_get(&builder->caller_index, (uint64_t)id);

	if (known != PROF_NONE)
		return &builder->callers.items[known];
	struct prof_experiment_builder_caller *added =
		prof_map_push(&builder->caller_index, (uint64_t)id, &builder->callers);
	if (added)
		*added = (struct prof_experiment_builder_caller){0};
	return added;
}

/* The innermost call of CALLER is suspended, or goes on, at TIME. */
static void turn(struct prof_experiment_builder_caller *caller, int64_t time)
{
	if (!caller->open.count)
		return;
	struct prof_experiment_builder_call *call = &caller->open.items[caller->open.count - 1];
	call->turned = time - call->turned;
}

/* A call of the function at ADDRESS of PROCESS begins at TIME, in which CALLER has not stood. */
static struct prof_error *begin(struct prof_experiment_builder *builder,
	struct prof_experiment_builder_caller *caller, int64_t process, uint64_t address,
	int64_t time)
{
	uint32_t parent = caller->open.count ? caller->open.items[caller->open.count - 1].path : 0;
	uint32_t path;
	struct prof_error *error =
		prof_experiment_builder_called(builder, process, parent, address, &path);

	if (error)
		return error;
	if (!prof_array_reserve(&caller->open, 1))
		return prof_error_nomem();
	turn(caller, time);
	caller->open.items[caller->open.count++] = (struct prof_experiment_builder_call){
		.path = path, .begun = time, .stood = caller->stood, .turned = 0};
	turn(caller, time);
	return NULL;
}

/* The innermost call of CALLER, in the THREAD of the experiment, ends at TIME. */
static struct prof_error *end(struct prof_experiment_builder *builder,
	struct prof_experiment_builder_caller *caller, uint32_t thread, int64_t time,
	enum prof_call_end how)
{
	prof_value values[PROF_QUANTITIES] = {0};

	turn(caller, time);
	const struct prof_experiment_builder_call call = caller->open.items[--caller->open.count];
	turn(caller, time);
	const struct prof_sample sample = {
		.time = prof_experiment_builder_time(builder, call.begun + call.stood),
		.path = call.path,
		.thread = thread,
		.state = PROF_STATE_USER,
	};
	values[PROF_QUANTITY_SPENT + PROF_STATE_USER] = prof_value_of(call.turned);
	struct prof_error *error = prof_experiment_sample(builder->experiment, &sample, values);
	if (error)
		return error;
	const struct prof_single_call single = {
		.sample = (uint32_t)builder->experiment->samples.count - 1,
		.duration = time - call.begun,
		.end = (uint8_t)how,
	};
	return prof_single_call_add(builder->experiment, &single);
}

static enum prof_call_end end_of(uint32_t kind)
{
	if (kind == PROF_CALL_RETURNS)
		return PROF_CALL_END_RETURNED;
	return kind == PROF_CALL_LEFT ? PROF_CALL_END_LEFT : PROF_CALL_END_OPEN;
}

struct prof_error *prof_experiment_builder_calls(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_call_message *calls)
{
	struct prof_experiment_builder_caller *caller = find_caller(builder, message->calls.thread);
	struct prof_experiment_builder_thread *tracked;
	struct prof_error *error = caller ? prof_experiment_builder_thread(builder,
						    message->calls.thread, NULL, false, &tracked)
					  : prof_error_nomem();

	assert(message->size % sizeof *calls == 0);
	if (!error)
		error = prof_experiment_builder_own(builder, tracked, message->calls.process);
	for (size_t i = 0; !error && i < message->size / sizeof *calls; i++) {
		const struct prof_call_message *call = &calls[i];
		if (call->kind == PROF_CALL_STOOD) {
			caller->stood += (int64_t)call->function;
			continue;
		}
		/* Clocks that are compared again and again do not agree to the ns. */
		int64_t time = call->time - caller->stood;
		time = time > caller->time ? time : caller->time;
		caller->time = time;
		if (call->kind == PROF_CALL_BEGINS)
			error = begin(
				builder, caller, message->calls.process, call->function, time);
		else if (caller->open.count)
			error = end(builder, caller, tracked->thread, time, end_of(call->kind));
		builder->experiment->recording.open_calls += call->kind == PROF_CALL_OPEN;
	}
	return error;
}
