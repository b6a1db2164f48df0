/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two experiments have the same contents, for the tests of core/model, core/store and
 * core/formats. */
#ifndef PROF_TESTS_SAME_EXPERIMENT_H
#define PROF_TESTS_SAME_EXPERIMENT_H

#include "base/strings.h"
#include "base/text.h"
#include "model/archive.h"
#include "model/arcs.h"
#include "model/call_target.h"
#include "model/experiment.h"
#include "model/recording_fields.h"
#include "model/single_calls.h"
#include "experiment_support.h"

/* For elements without padding. */
#define ck_assert_array(a, b, array)                                          \
	do {                                                                  \
		ck_assert_uint_eq((a)->array.count, (b)->array.count);        \
		if ((a)->array.count)                                         \
			ck_assert_mem_eq((a)->array.items, (b)->array.items,  \
				(a)->array.count * sizeof *(a)->array.items); \
	} while (0)

static inline void assert_same_recording(
	const struct prof_recording *a, const struct prof_recording *b)
{
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		const void *x = prof_recording_get(a, field), *y = prof_recording_get(b, field);
		if (field->type == PROF_FIELD_TEXT)
			ck_assert_str_eq(*(char *const *)x, *(char *const *)y);
		else
			ck_assert_msg(!memcmp(x, y, sizeof(int64_t)), "%s", field->name);
	}
}

/* All of what was traced but the values of samples. */
static inline void assert_same_traced(
	const struct prof_experiment *a, const struct prof_experiment *b)
{
	ck_assert_uint_eq(a->objects.count, b->objects.count);
	for (size_t i = 0; i < a->objects.count; i++) {
		ck_assert_uint_eq(a->objects.items[i].address, b->objects.items[i].address);
		ck_assert_uint_eq(a->objects.items[i].name, b->objects.items[i].name);
	}
	struct prof_traced_rows_place at_a = {0}, at_b = {0};
	ck_assert_uint_eq(a->traced.count, b->traced.count);
	for (size_t i = 0; i < a->traced.count; i++) {
		const struct prof_traced_row *x = prof_traced_rows_get(&a->traced, &at_a, i);
		const struct prof_traced_row *y = prof_traced_rows_get(&b->traced, &at_b, i);
		ck_assert(x->sample == y->sample && x->object == y->object);
		ck_assert(x->holder == y->holder && x->longest == y->longest);
		ck_assert(x->last == y->last && x->arguments == y->arguments);
		ck_assert(x->rank == y->rank && x->peer == y->peer);
		ck_assert_mem_eq(x->values, y->values, sizeof x->values);
	}
	ck_assert_uint_eq(a->arguments.count, b->arguments.count);
	for (size_t i = 0; i < a->arguments.count; i++) {
		const struct prof_argument *x = &a->arguments.items[i], *y = &b->arguments.items[i];
		ck_assert(x->traced == y->traced && x->name == y->name);
		ck_assert(x->sum.sum == y->sum.sum && x->sum.least == y->sum.least);
		ck_assert(x->sum.most == y->sum.most);
	}
	ck_assert_uint_eq(a->held.count, b->held.count);
	for (size_t i = 0; i < a->held.count; i++) {
		const struct prof_held *x = &a->held.items[i], *y = &b->held.items[i];
		ck_assert(x->time == y->time && x->traced == y->traced);
		ck_assert(x->blocks == y->blocks && x->bytes == y->bytes);
	}
	ck_assert_uint_eq(a->operations.count, b->operations.count);
	for (size_t i = 0; i < a->operations.count; i++) {
		const struct prof_mpi_operation *x = &a->operations.items[i],
						*y = &b->operations.items[i];
		ck_assert(x->sample == y->sample && x->thread == y->thread && x->kind == y->kind);
		ck_assert(x->number == y->number && x->rank == y->rank && x->peer == y->peer);
		ck_assert(x->tag == y->tag && x->comm == y->comm && x->bytes == y->bytes);
		ck_assert(x->posted == y->posted && x->begin == y->begin && x->end == y->end);
	}
	ck_assert_uint_eq(a->heaps.count, b->heaps.count);
	for (size_t i = 0; i < a->heaps.count; i++) {
		const struct prof_heap_of *x = &a->heaps.items[i], *y = &b->heaps.items[i];
		ck_assert_int_eq(x->process, y->process);
		ck_assert_mem_eq(&x->heap, &y->heap, sizeof x->heap);
	}
}

static inline void assert_same_events(
	const struct prof_experiment *a, const struct prof_experiment *b)
{
	ck_assert_uint_eq(a->events.count, b->events.count);
	for (size_t i = 0; i < a->events.count; i++) {
		const struct prof_event *x = &a->events.items[i], *y = &b->events.items[i];
		ck_assert(x->name == y->name && x->unit == y->unit && x->clock == y->clock);
		ck_assert(x->interval == y->interval && x->overflows == y->overflows);
		ck_assert_int_eq(x->lost, y->lost);
	}
}

static inline void assert_same_samples(
	const struct prof_experiment *a, const struct prof_experiment *b)
{
	ck_assert_uint_eq(a->samples.count, b->samples.count);
	struct prof_cursor left = {.experiment = a}, right = {.experiment = b};
	for (size_t i = 0; i < a->samples.count; i++) {
		if (!prof_cursor_next(&left) || !prof_cursor_next(&right))
			ck_abort_msg("sample %zu cannot be read", i);
		const struct prof_sample *x = &left.row.sample, *y = &right.row.sample;
		bool same = x->time == y->time && x->path == y->path && x->thread == y->thread &&
			x->state == y->state;
		for (int j = 0; j < PROF_QUANTITIES; j++)
			same &= left.row.values[j] == right.row.values[j];
		if (!same) /* an assertion each would take long */
			ck_abort_msg("sample %zu", i);
	}
	prof_cursor_deinit(&left);
	prof_cursor_deinit(&right);
}

static inline void assert_same_calls(
	const struct prof_experiment *a, const struct prof_experiment *b)
{
	ck_assert_uint_eq(a->calls.count, b->calls.count);
	for (size_t i = 0; i < a->calls.count; i++) {
		const struct prof_single_call x = prof_single_calls_get(&a->calls, i);
		const struct prof_single_call y = prof_single_calls_get(&b->calls, i);
		ck_assert(x.sample == y.sample && x.duration == y.duration && x.end == y.end);
	}
}

/* The single calls of EXPERIMENT are these lines: SAMPLE DURATION END. */
static inline void expect_calls(const struct prof_experiment *experiment, const char *lines)
{
	AUTO_TEXT struct prof_text text = {0};

	for (size_t i = 0; i < experiment->calls.count; i++) {
		const struct prof_single_call call = prof_single_calls_get(&experiment->calls, i);
		prof_text_print(&text, "%u %lld %s\n", call.sample, (long long)call.duration,
			prof_call_end_names[call.end]);
	}
	ck_assert_str_eq(prof_text_get(&text), lines);
}

static inline void assert_same_archive(
	const struct prof_experiment *a, const struct prof_experiment *b)
{
	ck_assert_uint_eq(a->archived_sources.count, b->archived_sources.count);
	for (size_t i = 0; i < a->archived_sources.count; i++) {
		const struct prof_archived_source *x = &a->archived_sources.items[i];
		const struct prof_archived_source *y = &b->archived_sources.items[i];
		ck_assert(x->file == y->file && x->path == y->path && x->newer == y->newer);
		ck_assert_str_eq(x->text, y->text);
	}
	ck_assert_array(a, b, archived_extents);
	ck_assert_array(a, b, call_targets);
	ck_assert_uint_eq(a->archived_blocks.count, b->archived_blocks.count);
	for (size_t i = 0; i < a->archived_blocks.count; i++) {
		ck_assert_uint_eq(
			a->archived_blocks.items[i].frame, b->archived_blocks.items[i].frame);
		ck_assert_str_eq(
			a->archived_blocks.items[i].text, b->archived_blocks.items[i].text);
	}
}

static inline void assert_same_symbols(
	const struct prof_image_symbols *a, const struct prof_image_symbols *b)
{
	ck_assert_uint_eq(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct prof_image_symbol *x = &a->items[i], *y = &b->items[i];
		ck_assert(x->low == y->low && x->high == y->high && x->name == y->name);
		ck_assert(x->file == y->file && x->line == y->line && x->function == y->function);
		ck_assert(x->local == y->local && x->marked == y->marked);
	}
}

static inline void assert_same_counts(
	const struct prof_experiment *a, const struct prof_experiment *b)
{
	const struct prof_gmon *x = &a->gmon, *y = &b->gmon;

	ck_assert(x->word == y->word && x->big_endian == y->big_endian && x->rate == y->rate);
	ck_assert_str_eq(x->dimension, y->dimension);
	ck_assert_str_eq(x->unit, y->unit);
	ck_assert_uint_eq(x->histograms.count, y->histograms.count);
	for (size_t i = 0; i < x->histograms.count; i++) {
		ck_assert_uint_eq(x->histograms.items[i].low, y->histograms.items[i].low);
		ck_assert_uint_eq(x->histograms.items[i].high, y->histograms.items[i].high);
		ck_assert_uint_eq(x->histograms.items[i].parts, y->histograms.items[i].parts);
	}
	ck_assert_array(x, y, bins);
	ck_assert_uint_eq(x->arcs.count, y->arcs.count);
	for (size_t i = 0; i < x->arcs.count; i++) {
		ck_assert_uint_eq(x->arcs.items[i].from, y->arcs.items[i].from);
		ck_assert_uint_eq(x->arcs.items[i].to, y->arcs.items[i].to);
		ck_assert_uint_eq(x->arcs.items[i].calls, y->arcs.items[i].calls);
	}
	assert_same_symbols(&x->functions, &y->functions);
	assert_same_symbols(&x->lines, &y->lines);
}

static inline void assert_same_arcs(
	const struct prof_experiment *a, const struct prof_experiment *b)
{
	ck_assert_uint_eq(a->arcs.count, b->arcs.count);
	for (size_t i = 0; i < a->arcs.count; i++) {
		const struct prof_arc *x = &a->arcs.items[i], *y = &b->arcs.items[i];
		ck_assert_int_eq(x->time, y->time);
		ck_assert(x->callee == y->callee && x->caller == y->caller);
		ck_assert(x->calls == y->calls && x->kind == y->kind);
	}
	ck_assert_uint_eq(a->arc_values.count, b->arc_values.count);
	for (size_t i = 0; i < a->arc_values.count; i++) {
		const struct prof_arc_value *x = &a->arc_values.items[i];
		const struct prof_arc_value *y = &b->arc_values.items[i];
		ck_assert(x->arc == y->arc && x->quantity == y->quantity && x->value == y->value);
	}
}

/* Every entry of A and B is the same, under the same number. */
static inline void assert_same(const struct prof_experiment *a, const struct prof_experiment *b)
{
	assert_same_recording(&a->recording, &b->recording);
	assert_same_events(a, b);
	ck_assert_array(a, b, data);
	ck_assert_uint_eq(a->strings.texts.count, b->strings.texts.count);
	for (uint32_t i = 0; i < a->strings.texts.count; i++)
		ck_assert_str_eq(
			prof_strings_get(&a->strings, i), prof_strings_get(&b->strings, i));
	ck_assert_uint_eq(a->modules.count, b->modules.count);
	for (size_t i = 0; i < a->modules.count; i++) {
		ck_assert_uint_eq(a->modules.items[i].path, b->modules.items[i].path);
		ck_assert_uint_eq(a->modules.items[i].build_id, b->modules.items[i].build_id);
		ck_assert_array(&a->modules.items[i], &b->modules.items[i], ranges);
	}
	ck_assert_uint_eq(a->threads.count, b->threads.count);
	for (uint32_t i = 0; i < a->threads.count; i++) {
		const struct prof_thread x = prof_experiment_thread_row(a, i);
		const struct prof_thread y = prof_experiment_thread_row(b, i);
		ck_assert_int_eq(x.id, y.id);
		ck_assert_int_eq(x.process, y.process);
		ck_assert_uint_eq(x.name, y.name);
	}
	ck_assert_array(a, b, functions);
	ck_assert_uint_eq(a->locations.count, b->locations.count);
	for (size_t i = 0; i < a->locations.count; i++) {
		const struct prof_location *x = &a->locations.items[i];
		const struct prof_location *y = &b->locations.items[i];
		if (x->function != y->function || x->file != y->file || x->line != y->line ||
			x->offset != y->offset)
			ck_abort_msg("location %zu", i);
	}
	ck_assert_uint_eq(a->frames.count, b->frames.count);
	for (size_t i = 0; i < a->frames.count; i++) {
		const struct prof_frame *x = &a->frames.items[i], *y = &b->frames.items[i];
		if (x->address != y->address || x->module != y->module ||
			x->first_location != y->first_location || x->locations != y->locations)
			ck_abort_msg("frame %zu", i);
	}
	ck_assert_array(a, b, resolved);
	ck_assert_array(a, b, paths);
	ck_assert_uint_eq(a->marks.count, b->marks.count);
	for (size_t i = 0; i < a->marks.count; i++) {
		const struct prof_mark *x = &a->marks.items[i], *y = &b->marks.items[i];
		ck_assert_int_eq(x->time, y->time);
		ck_assert_uint_eq(x->label, y->label);
		ck_assert_uint_eq(x->kind, y->kind);
		ck_assert_mem_eq(&x->usage, &y->usage, sizeof x->usage);
	}
	ck_assert_array(a, b, ranks);
	assert_same_arcs(a, b);
	assert_same_samples(a, b);
	assert_same_calls(a, b);
	assert_same_traced(a, b);
	assert_same_archive(a, b);
	assert_same_counts(a, b);
}

#endif
