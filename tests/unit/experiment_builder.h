/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of recording/experiment_builder.c share: an experiment that messages are put into.
 */
#ifndef PROF_TESTS_EXPERIMENT_BUILDER_H
#define PROF_TESTS_EXPERIMENT_BUILDER_H

#include "experiment_support.h"
#include "recording/experiment_builder.h"
#include "recording/look.h"
#include "recording/queue.h"
#include "target/unwind.h"

/* A recording's start, that times are relative to. */
enum { START = 1000 };

static struct prof_experiment_builder builder;

static inline void start(void)
{
	ck_assert_ok(prof_experiment_create(&builder.experiment));
	builder.experiment->recording.start = START;
}

static inline void end(void)
{
	prof_experiment_check(builder.experiment);
	prof_experiment_destroy(builder.experiment);
	prof_experiment_builder_deinit(&builder);
}

static inline void add(struct prof_message message, const void *data, size_t size)
{
	message.size = (uint32_t)size;
	ck_assert_ok(prof_experiment_builder_add(&builder, &message, data));
}

static inline void unmap(void)
{
	add((struct prof_message){.kind = PROF_MESSAGE_UNMAP}, NULL, 0);
}

/* DATA is a path, NUL, and a build id. */
static inline void map(uint64_t low, uint64_t high, const char *data, size_t size)
{
	struct prof_message message = {.kind = PROF_MESSAGE_MAPPING};

	message.mapping.low = low;
	message.mapping.high = high;
	add(message, data, size);
}
#define MAP(low, high, data) map(low, high, data, sizeof(data))

static inline void name_thread(int64_t id, const char *name)
{
	struct prof_message message = {.kind = PROF_MESSAGE_THREAD};

	message.thread.id = id;
	add(message, name, strlen(name) + 1);
}

static const enum prof_quantity USER_TIME = PROF_QUANTITY_SPENT + (int)PROF_STATE_USER;
static const enum prof_quantity OTHER_TIME = PROF_QUANTITY_SPENT + (int)PROF_STATE_OTHER;

static inline void look_ended(
	int64_t thread, enum prof_stack_end how, const uint64_t *frames, size_t depth)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};

	message.look = (struct prof_look){.time = START + 5,
		.thread = thread,
		.spent = {[PROF_STATE_USER] = 10, [PROF_STATE_OTHER] = 20},
		.samples = 1,
		.depth = (uint32_t)depth,
		.end = (uint8_t)how};
	add(message, frames, depth * sizeof *frames);
}

#define LOOK(thread, ...)                                                     \
	look_ended(thread, PROF_STACK_WHOLE, (const uint64_t[]){__VA_ARGS__}, \
		sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static inline void look_again(int64_t thread)
{
	look_ended(thread, PROF_STACK_WHOLE, NULL, 0);
}

static inline struct prof_sample last_sample(void)
{
	return sample_at(builder.experiment, builder.experiment->samples.count - 1);
}

/* The frame LEVEL steps out from the leaf of the last sample. */
static inline const struct prof_frame *frame_at(int level)
{
	uint32_t path = last_sample().path;

	while (level-- > 0)
		path = builder.experiment->paths.items[path].parent;
	ck_assert_uint_ne(path, 0);
	return &builder.experiment->frames.items[builder.experiment->paths.items[path].frame];
}

static inline const char *string(uint32_t id)
{
	return prof_strings_get(&builder.experiment->strings, id);
}

/* The function that the frame stands for; it has no address. */
static inline const char *function_at(int level)
{
	const struct prof_experiment *experiment = builder.experiment;
	const struct prof_frame *frame = frame_at(level);

	ck_assert_uint_eq(frame->locations, 1);
	return prof_experiment_function_name(
		experiment, experiment->locations.items[frame->first_location].function);
}

static inline const char *module_at(int level)
{
	return string(builder.experiment->modules.items[frame_at(level)->module].path);
}

static inline const char *thread_name(void)
{
	return string(prof_experiment_thread_row(builder.experiment, last_sample().thread).name);
}

#endif
