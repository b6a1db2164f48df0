/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Samples: a look that finds a thread where it was before is added to the sample before.
 *
 * A sample stands for one stretch of time, and filters and charts know only the end of it.  So it
 * is never longer than the resolution of the recording, unless a single look was longer.
 */
#include "base/time_unit.h"
#include "base/value.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/samples.h"
#include "recording/experiment_builder_private.h"

/* Charts show a recording of any length as exactly as a screen can, and filters to the second. */
enum { PARTS = 1000 };

/*
 * A wait is reported when it is over, or at a mark.  A long one is divided, with a coarser
 * resolution, so that no stretch of time shows more of it than there was.
 */
enum { WAIT_PARTS = 100 };
static const int64_t LONGEST_WAIT = 10 * PROF_NS_PER_SECOND;

/* How many open samples are kept; most of them can be added to while they are among the last. */
enum { OPEN_MOST = 2 * PROF_SAMPLES_BLOCK };

/* How many ns a sample may stand for at TIME; 0: it is of one look. */
static int64_t resolution(int64_t time)
{
	if (time < PROF_NS_PER_SECOND)
		return 0;
	return time / PARTS < PROF_NS_PER_SECOND ? time / PARTS : PROF_NS_PER_SECOND;
}

void prof_experiment_builder_divide(struct prof_experiment_builder *builder)
{
	prof_map_deinit(&builder->open_index);
	builder->open.count = 0;
}

/* The key of an open sample. */
struct wanted {
	const struct prof_experiment_builder *builder;
	const struct prof_sample *sample;
	prof_quantities events; /* one bit for the counter */
};

/* The bits of the events that have a value. */
static prof_quantities events_of(prof_quantities has)
{
	return has &
		(PROF_QUANTITY_BIT(PROF_QUANTITY_TRACED) - PROF_QUANTITY_BIT(PROF_QUANTITY_EVENT));
}

static bool is_wanted(const void *context, uint32_t id)
{
	const struct wanted *wanted = context;
	const struct prof_sample *sample = wanted->sample;
	const struct prof_sample_row *row = prof_samples_recent(
		&wanted->builder->experiment->samples, wanted->builder->open.items[id].sample);

	return row && row->sample.path == sample->path && row->sample.thread == sample->thread &&
		row->sample.state == sample->state && row->sample.cpu == sample->cpu &&
		events_of(row->has) == wanted->events;
}

static uint64_t key_of(const struct wanted *wanted)
{
	const struct prof_sample *sample = wanted->sample;
	const uint32_t parts[] = {
		sample->path, sample->thread, sample->state, sample->cpu, wanted->events};

	return prof_map_hash(parts, sizeof parts);
}

/*
 * Adds the sample WANTED, of a stretch since BEGIN, and opens it under ID unless that is PROF_NONE.
 */
static struct prof_error *add(struct prof_experiment_builder *builder, const struct wanted *wanted,
	uint32_t id, int64_t begin, const prof_value values[PROF_QUANTITIES])
{
	const struct prof_experiment_builder_open open = {
		builder->experiment->samples.count, begin};
	struct prof_error *error =
		prof_experiment_sample(builder->experiment, wanted->sample, values);

	if (error)
		return error;
	if (id != PROF_NONE) {
		builder->open.items[id] = open;
		return NULL;
	}
	if (builder->open.count == OPEN_MOST)
		prof_experiment_builder_divide(builder);
	struct prof_experiment_builder_open *added =
		prof_map_push(&builder->open_index, key_of(wanted), &builder->open);
	if (!added)
		return prof_error_nomem();
	*added = open;
	return NULL;
}

/* How many ns a part of a long wait stands for at TIME, its end. */
static int64_t part_length(int64_t time)
{
	int64_t length = time / WAIT_PARTS < LONGEST_WAIT ? time / WAIT_PARTS : LONGEST_WAIT;

	return length > PROF_NS_PER_SECOND ? length : PROF_NS_PER_SECOND;
}

struct prof_error *prof_experiment_builder_wait(struct prof_experiment_builder *builder,
	const struct prof_sample *sample, int64_t length, const prof_value values[PROF_QUANTITIES])
{
	int64_t most = part_length(sample->time);
	int64_t parts = length > most ? (length + most - 1) / most : 1;
	int64_t added = 0, samples = 0;
	int64_t all = (int64_t)(values[PROF_QUANTITY_SAMPLES] / PROF_VALUE_ONE);
	struct prof_error *error = NULL;

	for (int64_t i = 1; i <= parts && !error; i++) {
		prof_value part[PROF_QUANTITIES] = {0};
		struct prof_sample at = *sample;
		/* The last part ends where the wait does; each has a whole number of samples. */
		int64_t end = i == parts ? length : i * most;
		int64_t count = (int64_t)((double)all * (double)end / (double)length);
		count = i == parts ? all : count < samples ? samples : count;
		at.time -= length - end;
		part[PROF_QUANTITY_SPENT + sample->state] = prof_value_of(end - added);
		part[PROF_QUANTITY_SAMPLES] = prof_value_of(count - samples);
		error = prof_experiment_builder_sample(builder, &at, end - added, part);
		added = end;
		samples = count;
	}
	return error;
}

struct prof_error *prof_experiment_builder_sample(struct prof_experiment_builder *builder,
	const struct prof_sample *sample, int64_t length, const prof_value values[PROF_QUANTITIES])
{
	int64_t most = resolution(sample->time);
	struct wanted wanted = {builder, sample, 0};

	if (!most)
		return prof_experiment_sample(builder->experiment, sample, values);
	for (int i = PROF_QUANTITY_EVENT; i < PROF_QUANTITY_TRACED; i++)
		wanted.events |= values[i] ? PROF_QUANTITY_BIT(i) : 0;
	uint32_t id = prof_map_find(&builder->open_index, key_of(&wanted), is_wanted, &wanted);
	const struct prof_experiment_builder_open *open =
		id == PROF_NONE ? NULL : &builder->open.items[id];
	if (open && sample->time - open->begin <= most &&
		prof_experiment_extend(builder->experiment, open->sample, sample->time, values))
		return NULL;
	return add(builder, &wanted, id, sample->time - length, values);
}
