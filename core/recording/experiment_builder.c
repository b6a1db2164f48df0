/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/experiment_builder_private.h"

#include "base/file.h"
#include "base/ranges.h"
#include "base/strings.h"
#include "base/value.h"
#include "model/arcs.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/state.h"
#include "model/usage.h"
#include "recording/look.h"
#include "recording/queue.h"
#include "recording/traced_message.h"
#include "target/kallsyms.h"
#include "target/unwind.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void deinit_space(struct prof_experiment_builder_space *space)
{
	free(space->mappings.items);
	prof_map_deinit(&space->frames);
}

void prof_experiment_builder_deinit(struct prof_experiment_builder *builder)
{
	for (size_t i = 0; i < builder->spaces.count; i++)
		deinit_space(&builder->spaces.items[i]);
	free(builder->spaces.items);
	free(builder->tracked.items);
	prof_map_deinit(&builder->threads);
	for (size_t i = 0; i < builder->readers.count; i++)
		free(builder->readers.items[i].totals.items);
	free(builder->readers.items);
	free(builder->counters.items);
	for (size_t i = 0; i < builder->callers.count; i++)
		free(builder->callers.items[i].open.items);
	free(builder->callers.items);
	prof_map_deinit(&builder->caller_index);
	free(builder->open.items);
	prof_map_deinit(&builder->open_index);
	*builder = (struct prof_experiment_builder){0};
}

/* The space of PROCESS, which is added if it is new; NULL: no memory. */
static struct prof_experiment_builder_space *find_space(
	struct prof_experiment_builder *builder, int64_t process)
{
	for (size_t i = 0; i < builder->spaces.count; i++) {
		if (builder->spaces.items[i].process == process)
			return &builder->spaces.items[i];
	}
	struct prof_experiment_builder_space *space = prof_array_push(&builder->spaces);
	if (space)
		*space = (struct prof_experiment_builder_space){.process = process};
	return space;
}

/* The number of mappings that begin at or below ADDRESS. */
static size_t mappings_below(const struct prof_experiment_builder_space *space, uint64_t address)
{
	return prof_ranges_below(space->mappings.items, space->mappings.count,
		sizeof *space->mappings.items, address);
}

static uint32_t find_module(const struct prof_experiment_builder *builder,
	const struct prof_experiment_builder_space *space, uint64_t address)
{
	size_t below = mappings_below(space, address);

	if (below && address < space->mappings.items[below - 1].high)
		return space->mappings.items[below - 1].module;
	return address >= PROF_KERNEL_BEGIN ? builder->kernel : 0;
}

static struct prof_error *find_frame(struct prof_experiment_builder *builder,
	struct prof_experiment_builder_space *space, uint64_t address, uint32_t *ret)
{
	uint32_t frame = prof_map_get(&space->frames, address);

	if (frame == PROF_NONE) {
		struct prof_error *error = prof_experiment_frame(
			builder->experiment, find_module(builder, space, address), address, &frame);
		if (!error && !prof_map_add(&space->frames, address, frame))
			error = prof_error_nomem();
		if (error)
			return error;
	}
	*ret = frame;
	return NULL;
}

/* Forgets the mappings of a process, which may have ended. */
static struct prof_error *forget_mappings(
	struct prof_experiment_builder *builder, const struct prof_message *message)
{
	for (size_t i = 0; i < builder->spaces.count; i++) {
		struct prof_experiment_builder_space *space = &builder->spaces.items[i];
		if (space->process != message->mapping.process)
			continue;
		deinit_space(space);
		*space = builder->spaces.items[--builder->spaces.count];
		break;
	}
	return NULL;
}

static struct prof_error *add_mapping(struct prof_experiment_builder *builder,
	const struct prof_message *message, const char *path)
{
	const char *build_id = path + strlen(path) + 1;
	struct prof_range range = {
		message->mapping.low, message->mapping.high, message->mapping.offset};
	struct prof_experiment_builder_mapping mapping = {.low = range.low, .high = range.high};

	/* Nothing is known about anonymous memory, so its addresses are not resolved. */
	if (!*path || range.low >= range.high)
		return NULL;
	struct prof_error *error =
		prof_experiment_module(builder->experiment, path, build_id, &mapping.module);
	if (!error)
		error = prof_experiment_range(builder->experiment, mapping.module, &range);
	if (error)
		return error;
	if (!strcmp(path, PROF_KERNEL_OBJECT)) {
		builder->kernel = mapping.module;
		return NULL;
	}
	struct prof_experiment_builder_space *space = find_space(builder, message->mapping.process);
	if (!space || !prof_array_reserve(&space->mappings, 1))
		return prof_error_nomem();
	size_t at = mappings_below(space, mapping.low);
	struct prof_experiment_builder_mapping *place = &space->mappings.items[at];
	memmove(place + 1, place, (space->mappings.count - at) * sizeof *place);
	*place = mapping;
	if (!strcmp(prof_file_base_name(path), PROF_AGENT_FILE)) {
		space->agent_low = mapping.low;
		space->agent_high = mapping.high;
	}
	space->mappings.count++;
	prof_map_deinit(&space->frames);
	return NULL;
}

struct prof_error *prof_experiment_builder_thread(struct prof_experiment_builder *builder,
	int64_t id, const char *name, bool renamed, struct prof_experiment_builder_thread **ret)
{
	struct prof_experiment *experiment = builder->experiment;
	uint32_t number = prof_map_get(&builder->threads, (uint64_t)id);
	struct prof_experiment_builder_thread new = {0};

	if (number != PROF_NONE) {
		struct prof_experiment_builder_thread *known = &builder->tracked.items[number];
		uint32_t known_name = prof_experiment_thread_row(experiment, known->thread).name;
		*ret = known;
		known->ended = false;
		if (!name || !strcmp(prof_strings_get(&experiment->strings, known_name), name))
			return NULL;
		/* A thread that was known only by its id gets its name. */
		renamed |= !*prof_strings_get(&experiment->strings, known_name);
		known->muted &= renamed;
		known->process = renamed ? known->process : 0;
		return renamed ? prof_experiment_rename(experiment, known->thread, name)
			       : prof_experiment_thread(experiment, id, name, &known->thread);
	}
	struct prof_error *error =
		prof_experiment_thread(experiment, id, name ? name : "", &new.thread);
	if (error)
		return error;
	*ret = prof_map_push(&builder->threads, (uint64_t)id, &builder->tracked);
	if (!*ret)
		return prof_error_nomem();
	**ret = new;
	return NULL;
}

/* The kernel's id of the thread that is tracked as NUMBER. */
static int64_t id_of(const struct prof_experiment_builder *builder, size_t number)
{
	uint32_t thread = builder->tracked.items[number].thread;

	return prof_experiment_thread_row(builder->experiment, thread).id;
}

/* Drops the thread that is tracked as NUMBER, which the last one gets. */
static void drop(struct prof_experiment_builder *builder, uint32_t number)
{
	uint32_t last = (uint32_t)builder->tracked.count - 1;
	uint64_t id = (uint64_t)id_of(builder, last);

	prof_map_remove(&builder->threads, (uint64_t)id_of(builder, number), number);
	if (number != last) {
		prof_map_remove(&builder->threads, id, last);
		bool added = prof_map_add(&builder->threads, id, number);
		assert(added); /* in the room of the two that were removed */
		(void)added;
		builder->tracked.items[number] = builder->tracked.items[last];
	}
	builder->tracked.count = last;
}

void prof_experiment_builder_forget(
	struct prof_experiment_builder *builder, bool (*lives)(int64_t id))
{
	for (uint32_t i = (uint32_t)builder->tracked.count; i-- > 0;) {
		struct prof_experiment_builder_thread *tracked = &builder->tracked.items[i];
		bool ended = !lives(id_of(builder, i));
		if (ended && tracked->ended)
			drop(builder, i);
		else
			tracked->ended = ended;
	}
}

/* Tells the experiment the process of THREAD. */
static struct prof_error *own(struct prof_experiment_builder *builder,
	const struct prof_experiment_builder_thread *thread)
{
	struct prof_experiment *experiment = builder->experiment;

	if (!thread->process || prof_experiment_thread_row(experiment, thread->thread).process)
		return NULL;
	return prof_experiment_own(experiment, thread->thread, thread->process);
}

struct prof_error *prof_experiment_builder_own(struct prof_experiment_builder *builder,
	struct prof_experiment_builder_thread *thread, int64_t process)
{
	struct prof_error *error = NULL;

	if (!process || thread->process == process)
		return NULL;
	thread->process = process;
	if (!builder->process)
		builder->process = process;
	if (builder->several)
		return own(builder, thread);
	builder->several = process != builder->process;
	for (size_t i = 0; builder->several && i < builder->tracked.count && !error; i++)
		error = own(builder, &builder->tracked.items[i]);
	return error;
}

static struct prof_error *add_thread(struct prof_experiment_builder *builder,
	const struct prof_message *message, const char *name)
{
	struct prof_experiment_builder_thread *tracked;

	return prof_experiment_builder_thread(
		builder, message->thread.id, name, message->thread.renamed, &tracked);
}

static struct prof_error *mute_thread(
	struct prof_experiment_builder *builder, const struct prof_message *message)
{
	struct prof_experiment_builder_thread *tracked;
	struct prof_error *error =
		prof_experiment_builder_thread(builder, message->mute.id, NULL, false, &tracked);

	if (!error)
		tracked->muted = message->mute.muted;
	return error;
}

struct prof_error *prof_experiment_builder_artificial(
	struct prof_experiment_builder *builder, uint32_t parent, const char *name, uint32_t *ret)
{
	uint32_t function, frame;
	struct prof_error *error =
		prof_experiment_function(builder->experiment, name, strlen(name), 0, &function);

	if (!error)
		error = prof_experiment_frame_of(builder->experiment, function, &frame);
	return error ? error : prof_experiment_path(builder->experiment, parent, frame, ret);
}

/* The path of a stack that lacks its outermost frames: its root has a name that says why. */
static struct prof_error *find_root(
	struct prof_experiment_builder *builder, uint8_t end, uint32_t *ret)
{
	static const char *const names[] = {
		[PROF_STACK_TRUNCATED] = "<Truncated-stack>",
		[PROF_STACK_FAILED] = "<Stack-unwind-failed>",
	};

	*ret = 0;
	if (end == PROF_STACK_WHOLE)
		return NULL;
	assert(end < PROF_COUNT(names));
	return prof_experiment_builder_artificial(builder, 0, names[end], ret);
}

struct prof_error *prof_experiment_builder_path(struct prof_experiment_builder *builder,
	const struct prof_look *look, const uint64_t *frames, uint32_t *ret)
{
	uint32_t path, frame;
	struct prof_error *error = find_root(builder, look->end, &path);
	struct prof_experiment_builder_space *space = find_space(builder, look->process);

	if (!error && !space)
		error = prof_error_nomem();
	for (uint32_t i = look->depth; i > 0 && !error; i--) {
		/*
		 * Leaves out the agent's frames, except the innermost one: the agent's own work is
		 * shown.
		 */
		if (i > 1 &&
			frames[i - 1] - space->agent_low < space->agent_high - space->agent_low)
			continue;
		error = find_frame(builder, space, frames[i - 1], &frame);
		if (!error)
			error = prof_experiment_path(builder->experiment, path, frame, &path);
	}
	if (!error)
		*ret = path;
	return error;
}

struct prof_error *prof_experiment_builder_called(struct prof_experiment_builder *builder,
	int64_t process, uint32_t parent, uint64_t address, uint32_t *ret)
{
	struct prof_experiment_builder_space *space = find_space(builder, process);
	uint32_t frame;
	struct prof_error *error =
		space ? find_frame(builder, space, address, &frame) : prof_error_nomem();

	return error ? error : prof_experiment_path(builder->experiment, parent, frame, ret);
}

int64_t prof_experiment_builder_time(const struct prof_experiment_builder *builder, int64_t time)
{
	return time - builder->experiment->recording.start;
}

/* Clocks that are read one after the other can make a short time negative. */
static prof_value duration(int64_t ns)
{
	return prof_value_of(ns > 0 ? ns : 0);
}

/* Does LOOK only bring the stack of a thread that stands still, for later looks? */
static bool is_empty(const struct prof_look *look)
{
	for (int i = 0; i < PROF_STATES; i++) {
		if (look->spent[i] > 0)
			return false;
	}
	return !look->samples;
}

/* Takes LOOK at the thread TRACKED, which only brings PATH; 0: its stack is no longer known. */
static struct prof_error *place(struct prof_experiment_builder *builder,
	struct prof_experiment_builder_thread *tracked, const struct prof_look *look, uint32_t path)
{
	if (look->depth)
		tracked->paths[1] = path;
	tracked->paths[0] = 0;
	return look->depth ? prof_experiment_builder_artificial(
				     builder, path, PROF_NO_STACK, &tracked->paths[0])
			   : NULL;
}

/* LOOK at the thread TRACKED has PATH, which also counts for later looks without a stack. */
static void remember(
	struct prof_experiment_builder_thread *tracked, const struct prof_look *look, uint32_t path)
{
	bool sleeps = prof_state_sleeps(look->state);

	/* A thread that waits for a CPU is not where it works. */
	if (look->state != PROF_STATE_RUNQUEUE || !tracked->paths[sleeps])
		tracked->paths[sleeps] = path;
	/* Until the first look, what it was found doing is all that is known of the thread. */
	if (!tracked->paths[!sleeps])
		tracked->paths[!sleeps] = path;
}

static struct prof_error *add_look(struct prof_experiment_builder *builder,
	const struct prof_message *message, const uint64_t *frames)
{
	const struct prof_look *look = &message->look;
	bool sleeps = prof_state_sleeps(look->state);
	uint32_t path;
	struct prof_experiment_builder_thread *tracked;
	struct prof_error *error =
		prof_experiment_builder_thread(builder, look->thread, NULL, false, &tracked);

	assert(message->size == look->depth * sizeof *frames);
	if (!error)
		error = prof_experiment_builder_own(builder, tracked, look->process);
	if (error)
		return error;
	if (look->counter)
		return prof_experiment_builder_overflow(builder, tracked, look, frames);
	path = tracked->paths[sleeps];
	if (look->depth)
		error = prof_experiment_builder_path(builder, look, frames, &path);
	if (!error && is_empty(look))
		return place(builder, tracked, look, path);
	if (!error && !path)
		error = prof_experiment_builder_artificial(builder, 0, PROF_NO_STACK, &path);
	if (error)
		return error;
	if (look->depth)
		remember(tracked, look, path);
	if (tracked->muted)
		return NULL;
	const struct prof_sample sample = {
		.time = prof_experiment_builder_time(builder, look->time),
		.path = path,
		.thread = tracked->thread,
		.state = look->state,
		.cpu = look->cpu,
	};
	prof_value values[PROF_QUANTITIES] = {
		[PROF_QUANTITY_SAMPLES] = prof_value_of(look->samples),
	};
	int64_t length = 0;
	for (int i = 0; i < PROF_STATES; i++) {
		values[PROF_QUANTITY_SPENT + i] = duration(look->spent[i]);
		length += look->spent[i] > 0 ? look->spent[i] : 0;
	}
	bool waits = sleeps && length > 0 && length == look->spent[look->state];
	return waits ? prof_experiment_builder_wait(builder, &sample, length, values)
		     : prof_experiment_builder_sample(builder, &sample, length, values);
}

/* Adds the figures of the tracing since the last message. */
static struct prof_error *add_traced(
	struct prof_experiment_builder *builder, const struct prof_tracing_figures *traced)
{
	struct prof_recording *recording = &builder->experiment->recording;

	recording->families |= traced->families;
	recording->events += traced->events;
	recording->events_lost += traced->lost;
	recording->events_dropped += traced->dropped;
	recording->operations_lost += traced->operations_lost;
	recording->event_bytes += traced->bytes;
	/* Calls met at breakpoints have no family, and no waits. */
	if (traced->families) {
		recording->threshold = traced->threshold;
		recording->uncontended = traced->uncontended;
	}
	return NULL;
}

static struct prof_error *add_mark(struct prof_experiment_builder *builder,
	const struct prof_message *message, const void *data)
{
	struct prof_mark mark = {
		.time = prof_experiment_builder_time(builder, message->mark.time),
		.kind = (uint8_t)message->mark.kind,
	};

	assert(message->size > sizeof mark.usage);
	prof_experiment_builder_divide(builder);
	memcpy(&mark.usage, data, sizeof mark.usage);
	/* Who samples has reported what it knows until now, and knows better than the marker. */
	if (builder->coverage.count)
		mark.usage.figures[PROF_USAGE_RUNNING] = builder->experiment->recording.duration;
	return prof_experiment_mark(
		builder->experiment, &mark, (const char *)data + sizeof mark.usage);
}

static struct prof_error *add_counted(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_counted_arc *counted)
{
	struct prof_experiment *experiment = builder->experiment;
	struct prof_experiment_builder_space *space = find_space(builder, message->counted.process);
	struct prof_error *error = space ? NULL : prof_error_nomem();

	assert(message->size % sizeof *counted == 0);
	experiment->recording.counting += message->counted.cost;
	for (size_t i = 0; i < message->size / sizeof *counted && !error; i++) {
		struct prof_arc arc = {
			.time = prof_experiment_builder_time(builder, message->counted.time),
			.calls = counted[i].calls,
			.kind = (uint8_t)counted[i].kind,
		};
		error = find_frame(builder, space, counted[i].callee, &arc.callee);
		if (!error)
			error = find_frame(builder, space, counted[i].caller, &arc.caller);
		if (!error)
			error = prof_experiment_arc(experiment, &arc);
	}
	return error;
}

struct prof_error *prof_experiment_builder_add(struct prof_experiment_builder *builder,
	const struct prof_message *message, const void *data)
{
	switch ((enum prof_message_kind)message->kind) {
	case PROF_MESSAGE_LOOK:
		return add_look(builder, message, data);
	case PROF_MESSAGE_MAPPING:
		return add_mapping(builder, message, data);
	case PROF_MESSAGE_UNMAP:
		return forget_mappings(builder, message);
	case PROF_MESSAGE_THREAD:
		return add_thread(builder, message, data);
	case PROF_MESSAGE_MUTE:
		return mute_thread(builder, message);
	case PROF_MESSAGE_MARK:
		return add_mark(builder, message, data);
	case PROF_MESSAGE_FIGURES:
		return prof_experiment_builder_figures(builder, &message->figures);
	case PROF_MESSAGE_COUNTED:
		return add_counted(builder, message, data);
	case PROF_MESSAGE_CALLS:
		return prof_experiment_builder_calls(builder, message, data);
	case PROF_MESSAGE_TOTAL:
		return prof_experiment_builder_total(builder, message, data);
	case PROF_MESSAGE_HELD:
		return prof_experiment_builder_held(builder, message, data);
	case PROF_MESSAGE_OPERATIONS:
		return prof_experiment_builder_operations(builder, message, data);
	case PROF_MESSAGE_HEAP:
		return prof_experiment_builder_heap(builder, message, data);
	case PROF_MESSAGE_READER_END:
		prof_experiment_builder_reader_end(builder, message->reader_end.reader);
		return NULL;
	case PROF_MESSAGE_TRACED:
		return add_traced(builder, &message->traced);
	case PROF_MESSAGE_COUNTER:
		return prof_experiment_builder_counter(builder, message, data);
	case PROF_MESSAGE_OVERFLOWS:
		return prof_experiment_builder_overflows(builder, message);
	}
	assert(!"a kind of message");
	return NULL;
}
