/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of builder have in common: a builder of one thread, and what it has told. */
#ifndef TESTS_UNIT_LOOK_BUILDER_H
#define TESTS_UNIT_LOOK_BUILDER_H

#include "recording/queue.h"
#include "sample_child.h"
#include "sampling/look_builder.h"

enum { START = 1000, SECOND = 1000000000, MS = 1000000 };

/* A builder, and a watch on this process as if it had begun at START with no time at all. */
static struct prof_look_builder builder;
static struct prof_watch watch;
static struct prof_look told[8];
static size_t count;

static inline void start(bool wall)
{
	builder = (struct prof_look_builder){.wall = wall};
	ck_assert_ok(prof_queue_create(1 << 16, &builder.queue));
	prof_pace_init(&builder.pace, 100, 1);
	prof_watch_init(&watch, getpid(), getpid(), START);
	watch.run = 0;
	watch.delay = 0;
	watch.slices = 0;
}

static inline void finish(void)
{
	prof_watch_deinit(&watch);
	prof_queue_destroy(builder.queue);
}

/* Takes what was told. */
static inline void take(void)
{
	struct prof_message message;
	const void *data;

	count = 0;
	while (prof_queue_take(builder.queue, &message, &data)) {
		ck_assert_uint_lt(count, PROF_COUNT(told));
		ck_assert_uint_eq(message.kind, PROF_MESSAGE_LOOK);
		told[count++] = message.look;
	}
}

static inline int64_t all_told(enum prof_state state)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += told[i].spent[state];
	return sum;
}

static const struct prof_wait on_lock = {PROF_STATE_LOCK, .sp = 1, .pc = 2};

static inline void fall_asleep(int64_t now, int64_t run, const struct prof_wait *wait)
{
	prof_look_builder_asleep(&builder, &watch, START + now,
		&(struct prof_schedstat){.run = run, .slices = (uint64_t)now}, wait, NULL);
	take();
}

#endif
