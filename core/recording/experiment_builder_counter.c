/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages about counters, and the samples of their overflows. */
#include "base/error.h"
#include "base/value.h"
#include "model/access.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/samples.h"
#include "model/unit.h"
#include "recording/experiment_builder_private.h"
#include "recording/look.h"
#include "recording/queue.h"

#include <assert.h>

struct prof_error *prof_experiment_builder_counter(struct prof_experiment_builder *builder,
	const struct prof_message *message, const char *name)
{
	bool time = message->counter.unit == PROF_COUNTER_CYCLES &&
		message->counter.clock >= PROF_CLOCK_LEAST;
	const struct prof_event event = {
		.unit = (uint8_t)message->counter.unit,
		.clock = time ? message->counter.clock : 0,
		.interval = message->counter.interval,
	};
	struct prof_experiment_builder_counter counter = {.apart = message->counter.apart};
	struct prof_error *error =
		prof_experiment_counter(builder->experiment, name, &event, &counter.event);

	assert(message->counter.unit < PROF_COUNTER_UNITS && message->counter.interval > 0);
	if (error)
		return error;
	struct prof_experiment_builder_counter *added = prof_array_push(&builder->counters);
	if (!added)
		return prof_error_nomem();
	*added = counter;
	return NULL;
}

struct prof_error *prof_experiment_builder_overflows(
	struct prof_experiment_builder *builder, const struct prof_message *message)
{
	uint32_t number = message->overflows.counter;

	assert(number < builder->counters.count);
	prof_experiment_overflow(builder->experiment, builder->counters.items[number].event,
		message->overflows.overflows, message->overflows.lost);
	return NULL;
}

/* The functions that stand for unknown instructions. */
static const char *const unknown_triggers[PROF_TRIGGERS] = {
	[PROF_TRIGGER_UNRESOLVABLE] = "<Unresolvable>",
	[PROF_TRIGGER_UNVERIFIABLE] = "<Unverifiable>",
};

/* The path of LOOK, with its FRAMES: if the kernel had no room for these, the path is unknown. */
static struct prof_error *find_path(struct prof_experiment_builder *builder,
	const struct prof_look *look, const uint64_t *frames, bool apart, uint32_t *ret)
{
	if (apart)
		return prof_experiment_builder_artificial(builder, 0, PROF_APART, ret);
	if (!look->depth)
		return prof_experiment_builder_artificial(builder, 0, PROF_NO_STACK, ret);
	struct prof_error *error = prof_experiment_builder_path(builder, look, frames, ret);
	if (error || !prof_trigger_is_unknown((enum prof_trigger)look->trigger))
		return error;
	/* It was interrupted there: which instruction it had executed before is not known. */
	return prof_experiment_builder_artificial(
		builder, *ret, unknown_triggers[look->trigger], ret);
}

/* Adds LOOK's memory access to its sample, the last one. */
static struct prof_error *add_data(
	struct prof_experiment_builder *builder, const struct prof_look *look)
{
	const struct prof_data data = {
		.sample = (uint32_t)builder->experiment->samples.count - 1,
		.trigger = look->trigger,
		.access = look->access,
		.skid = look->skid,
		.addressed = look->addressed,
		.address = look->address,
	};

	return look->trigger ? prof_experiment_data(builder->experiment, &data) : NULL;
}

/*
 * Keeps the thread's last stacks: the place of an overflow is not where time passes until the next
 * tick.
 */
struct prof_error *prof_experiment_builder_overflow(struct prof_experiment_builder *builder,
	const struct prof_experiment_builder_thread *tracked, const struct prof_look *look,
	const uint64_t *frames)
{
	struct prof_sample sample = {
		.time = prof_experiment_builder_time(builder, look->time),
		.thread = tracked->thread,
		.state = look->state,
		.cpu = look->cpu,
	};
	prof_value values[PROF_QUANTITIES] = {0};

	assert(look->counter <= builder->counters.count && look->value >= 0);
	const struct prof_experiment_builder_counter *counter =
		&builder->counters.items[look->counter - 1];
	if (tracked->muted)
		return NULL;
	values[PROF_QUANTITY_EVENT + counter->event] = prof_value_of(look->value);
	struct prof_error *error = find_path(builder, look, frames, counter->apart, &sample.path);
	/* An access belongs to one sample. */
	if (!error && look->trigger)
		error = prof_experiment_sample(builder->experiment, &sample, values);
	else if (!error)
		error = prof_experiment_builder_sample(builder, &sample, 0, values);
	return error ? error : add_data(builder, look);
}
