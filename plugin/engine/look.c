/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/look.h"

#include "base/clock.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_stack.h"
#include "plugin/gdb/host_target.h"
#include "recording/look.h"
#include "recording/mappings.h"
#include "recording/queue.h"
#include "sampling/watch.h"

#include <string.h>

static void add_section(void *context, const struct host_section *section)
{
	PROF_AUTO(prof_text_deinit) struct prof_text data = {0};
	struct prof_message message = {
		.kind = PROF_MESSAGE_MAPPING,
		.mapping = {0, section->low, section->high, section->offset},
	};

	prof_text_bytes(&data, section->file, strlen(section->file) + 1);
	prof_text_bytes(&data, section->build_id, strlen(section->build_id) + 1);
	message.size = (uint32_t)data.length;
	prof_batch_add(context, &message, prof_text_get(&data));
}

void look_at_objects(const struct engine_request *request)
{
	PROF_AUTO(prof_batch_deinit) struct prof_batch list = {0};

	prof_mappings_begin(&list, 0);
	/* Anything that GDB does not know remains unknown. */
	host_forget(host_each_section(add_section, &list));
	prof_queue_put_batch(request->queue, &list);
}

static void put_name(const struct engine_request *request, const struct host_thread *thread)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_THREAD,
		.size = (uint32_t)strlen(thread->name) + 1,
		.thread = {.id = thread->id, .renamed = true},
	};

	prof_queue_put(request->queue, &message, thread->name);
}

static void put_look(
	const struct engine_request *request, const struct prof_look *look, const uint64_t *frames)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_LOOK,
		.size = (uint32_t)(look->depth * sizeof *frames),
		.look = *look,
	};

	prof_queue_put(request->queue, &message, frames);
}

/* A look at THREAD, which GDB has selected; writes its stack to FRAMES. */
static struct prof_look walk(
	const struct engine_request *request, const struct host_thread *thread, uint64_t *frames)
{
	size_t depth = request->max_depth;
	enum prof_stack_end end;

	struct prof_error *error = host_walk(frames, &depth, &end, NULL);
	host_forget(error); /* Ctrl-C is meant for the program */
	bool waits = depth && host_in_system_call(frames[0]);
	return (struct prof_look){
		.time = prof_clock(),
		.thread = thread->id,
		.depth = (uint32_t)depth,
		.state = waits ? PROF_STATE_OTHER : PROF_STATE_USER,
		.end = (uint8_t)end,
	};
}

void look_at_thread(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, uint64_t *frames)
{
	struct prof_look look = walk(request, thread, frames);

	look.samples = request->wall || look.state == PROF_STATE_USER;
	look.spent[look.state] = ran;
	put_name(request, thread);
	put_look(request, &look, frames);
}

void look_at_address(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, uint64_t address)
{
	struct prof_look look = {
		.time = prof_clock(),
		.thread = thread->id,
		.depth = 1,
		.state = PROF_STATE_USER,
		.end = PROF_STACK_WHOLE,
		.samples = 1,
	};

	look.spent[PROF_STATE_USER] = ran;
	put_name(request, thread);
	put_look(request, &look, &address);
}

void look_at_standing(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, bool sampled, uint64_t *frames)
{
	struct prof_look stack = walk(request, thread, frames);
	struct prof_look did = {.time = stack.time, .thread = stack.thread, .state = stack.state};
	const struct prof_look nothing = {.time = stack.time, .thread = stack.thread};
	bool entered = stack.depth > 1 && host_is_entering();

	stack.depth -= entered;
	did.spent[did.state] = ran;
	put_name(request, thread);
	if (!sampled)
		put_look(request, &stack, frames + entered);
	put_look(request, &did, NULL);
	put_look(request, &nothing, NULL);
}
