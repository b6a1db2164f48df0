/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds the samples of an experiment. */
#include "model/samples.h"

#include "samples_program.h"

START_TEST(blocks_are_packed_as_they_fill)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	const struct prof_samples *samples = &experiment->samples;

	prof_experiment_check(experiment);
	ck_assert_uint_eq(samples->count, MANY);
	ck_assert_uint_eq(samples->blocks.count, 2);
	ck_assert_uint_eq(samples->tail.count, 100);
	ck_assert_int_eq(samples->first, 0);
	ck_assert_int_eq(samples->last, 999);
	/* A row has 32 bytes at the most. */
	ck_assert_uint_le(samples->held, (size_t)2 * PROF_SAMPLES_BLOCK * 32);
	ck_assert_ptr_null(prof_samples_recent(samples, MANY - 101));
	ck_assert_ptr_nonnull(prof_samples_recent(samples, MANY - 100));
}
END_TEST

START_TEST(only_recent_ones_can_be_extended)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	const prof_value values[PROF_QUANTITIES] = {
		[PROF_QUANTITY_SAMPLES] = prof_value_of(2), [PROF_QUANTITY_SPENT] = 5};
	const prof_value most[PROF_QUANTITIES] = {[PROF_QUANTITY_SPENT] = PROF_VALUE_MOST};
	uint64_t changes = experiment->samples.changes;

	ck_assert(!prof_experiment_extend(experiment, MANY - 101, 5, values));
	ck_assert_uint_eq(experiment->samples.changes, changes);
	ck_assert(prof_experiment_extend(experiment, MANY - 100, 5000, values));
	ck_assert_uint_gt(experiment->samples.changes, changes);
	/* It would be more than a sample may have. */
	ck_assert(!prof_experiment_extend(experiment, MANY - 100, 5000, most));
	prof_experiment_check(experiment);
	const struct prof_sample_row *row = prof_samples_recent(&experiment->samples, MANY - 100);
	ck_assert_int_eq(row->sample.time, 5000);
	ck_assert(row->values[PROF_QUANTITY_SPENT] == 5);
	ck_assert(row->values[PROF_QUANTITY_SAMPLES] == prof_value_of((MANY - 100) % 5 + 2));
	ck_assert_int_eq(experiment->samples.last, 5000);
}
END_TEST

static void alter(struct prof_sample_row *row, void *context)
{
	(void)context;
	row->sample.time += 10;
	prof_sample_row_set(row, PROF_QUANTITY_SAMPLES, 0);
}

START_TEST(all_can_be_altered)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};

	ck_assert(prof_samples_alter(&experiment->samples, alter, NULL));
	prof_experiment_check(experiment);
	ck_assert(!experiment->samples.totals[PROF_QUANTITY_SAMPLES]);
	ck_assert_int_eq(experiment->samples.first, 10);
	while (prof_cursor_next(&rows)) {
		if (rows.row.sample.time != (int64_t)(rows.row.number * 7 % 1000 + 10))
			ck_abort_msg("sample %u", rows.row.number);
	}
	ck_assert_uint_eq(rows.row.number, MANY - 1);
}
END_TEST

/* A source that has what was held. */
struct kept {
	unsigned char *bytes[2];
	int reads, closes;
};

static struct prof_error *read_kept(void *context, size_t number, unsigned char *bytes, size_t size)
{
	struct kept *kept = context;

	kept->reads++;
	memcpy(bytes, kept->bytes[number], size);
	return NULL;
}

static void close_kept(void *context)
{
	((struct kept *)context)->closes++;
}

START_TEST(released_blocks_are_read_when_they_are_wanted)
{
	struct kept kept = {0};
	struct prof_experiment *experiment = make_samples(MANY);
	struct prof_samples *samples = &experiment->samples;
	struct prof_cursor rows = {.experiment = experiment};
	size_t count = 0;

	for (size_t i = 0; i < 2; i++) {
		kept.bytes[i] = malloc(samples->blocks.items[i].size);
		ck_assert_ptr_nonnull(kept.bytes[i]);
		memcpy(kept.bytes[i], samples->blocks.items[i].bytes,
			samples->blocks.items[i].size);
	}
	samples->source = (struct prof_samples_source){read_kept, close_kept, &kept};
	uint64_t size = prof_samples_size(samples);
	prof_samples_release(samples, 2);
	ck_assert_uint_eq(samples->held, 0);
	ck_assert_uint_lt(prof_samples_size(samples), size);
	for (; prof_cursor_next(&rows); count++)
		ck_assert(is_made(&rows.row, count));
	ck_assert_ok(prof_cursor_error(&rows));
	ck_assert_uint_eq(count, MANY);
	ck_assert_int_eq(kept.reads, 2);
	prof_cursor_deinit(&rows);
	prof_experiment_destroy(experiment);
	ck_assert_int_eq(kept.closes, 1);
	free(kept.bytes[0]);
	free(kept.bytes[1]);
}
END_TEST

RUN_TESTS("samples", blocks_are_packed_as_they_fill, only_recent_ones_can_be_extended,
	all_can_be_altered, released_blocks_are_read_when_they_are_wanted)
