/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of core/model, core/store and core/formats share: files, errors, and experiments
 * made up by chance. */
#ifndef PROF_TESTS_EXPERIMENT_SUPPORT_H
#define PROF_TESTS_EXPERIMENT_SUPPORT_H

#include "base/map.h"
#include "base/strings.h"
#include "base/text.h"
#include "model/access.h"
#include "model/arc_kind.h"
#include "model/archive.h"
#include "model/arcs.h"
#include "model/call_target.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/recording_fields.h"
#include "model/single_calls.h"
#include "model/unit.h"
#include "model/usage.h"
#include "sample_at.h"
#include "scratch.h"

static inline void write_text(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
}

/* All of the file PATH, which is the caller's. */
static inline char *read_bytes(const char *path, size_t *length)
{
	FILE *file = fopen(path, "r");

	ck_assert_ptr_nonnull(file);
	fseek(file, 0, SEEK_END);
	*length = (size_t)ftell(file);
	rewind(file);
	char *bytes = malloc(*length + 1);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

/* ERROR must be one of CODE, whose message is a sentence and holds PART; it is destroyed. */
static inline void assert_error(
	struct prof_error *error, enum prof_error_code code, const char *part)
{
	ck_assert_ptr_nonnull(error);
	const char *message = prof_error_message(error);
	ck_assert_msg(
		prof_error_code(error) == code, "code %d: %s", prof_error_code(error), message);
	ck_assert_msg(strstr(message, part), "no \"%s\" in: %s", part, message);
	ck_assert_int_eq(message[strlen(message) - 1], '.');
	prof_error_destroy(error);
}

/* ck_assert_ok() at a price that allows millions. */
static inline void expect_ok(struct prof_error *error)
{
	if (error)
		ck_abort_msg("%s", prof_error_message(error));
}

/* A small generator, the same everywhere (xorshift64*). */
static inline uint32_t chance(uint64_t *state, uint32_t below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % below;
}

static inline void add_random_name(
	uint64_t *state, struct prof_experiment *experiment, uint32_t *ret)
{
	static const char *const prefixes[] = {
		"main", "", "a b;c", "\xc3\xa9t\xc3\xa9", "\xff\xfe"};
	char name[40];

	snprintf(name, sizeof name, "%s%u", prefixes[chance(state, 5)], chance(state, 50));
	expect_ok(prof_experiment_function(experiment, name, strlen(name),
		chance(state, (uint32_t)experiment->modules.count), ret));
}

static inline void add_random_frame(
	uint64_t *state, struct prof_experiment *experiment, uint32_t *ret)
{
	uint32_t function, file, count = chance(state, 4);
	struct prof_location locations[3];

	if (!chance(state, 4)) {
		add_random_name(state, experiment, &function);
		expect_ok(prof_experiment_string(experiment, chance(state, 2) ? "a.c" : "", &file));
		expect_ok(prof_experiment_frame_at(
			experiment, function, file, chance(state, 3), ret));
		return;
	}
	expect_ok(prof_experiment_frame(experiment,
		chance(state, (uint32_t)experiment->modules.count), UINT64_MAX - chance(state, 200),
		ret));
	uint32_t later = chance(state, (uint32_t)experiment->frames.count);
	if (!count || experiment->frames.items[later].locations)
		return;
	for (uint32_t i = 0; i < count; i++) {
		add_random_name(state, experiment, &locations[i].function);
		expect_ok(prof_experiment_string(
			experiment, chance(state, 2) ? "a.c" : "", &locations[i].file));
		locations[i].line = chance(state, 2) * UINT32_MAX;
		locations[i].offset =
			chance(state, 2) ? PROF_OFFSET_UNKNOWN : 100 - (int64_t)chance(state, 200);
	}
	expect_ok(prof_experiment_resolve(experiment, later, locations, count));
}

static inline void add_random_sample(uint64_t *state, struct prof_experiment *experiment)
{
	const prof_value choice[] = {0, 1, PROF_VALUE_ONE, PROF_VALUE_MOST,
		prof_value_of((INT64_C(1) << 53) + 1), 1234567, 999999};
	prof_value values[PROF_QUANTITIES] = {0};
	struct prof_sample sample = {
		.time = (int64_t)chance(state, 1000000) * 1000 - 5000,
		.thread = chance(state, (uint32_t)experiment->threads.count),
		.state = (uint8_t)chance(state, PROF_STATES),
	};

	for (uint32_t depth = chance(state, 12); depth > 0; depth--) {
		uint32_t frame;
		add_random_frame(state, experiment, &frame);
		expect_ok(prof_experiment_path(experiment, sample.path, frame, &sample.path));
	}
	for (int i = 0; i < PROF_QUANTITIES_SAMPLED; i++)
		values[i] = choice[chance(state, 7)];
	expect_ok(prof_experiment_sample(experiment, &sample, values));
}

static inline void add_random_mark(
	uint64_t *state, struct prof_experiment *experiment, const char *label)
{
	const int64_t choice[] = {PROF_USAGE_UNKNOWN, 0, 1, INT64_C(1) << 40, PROF_USAGE_LARGEST};
	struct prof_mark mark = {
		.time = chance(state, 99),
		.kind = (uint8_t)chance(state, PROF_MARK_KINDS),
	};

	for (int i = 0; i < PROF_USAGES; i++)
		mark.usage.figures[i] = choice[chance(state, 5)];
	expect_ok(prof_experiment_mark(experiment, &mark, label));
}

static inline void add_random_counted(uint64_t *state, struct prof_experiment *experiment)
{
	struct prof_arc counted = {.time = chance(state, 99)};

	add_random_frame(state, experiment, &counted.callee);
	counted.caller = counted.callee;
	counted.kind = (uint8_t)chance(state, PROF_ARC_PART + 1);
	if (counted.kind == PROF_ARC_CALLS) {
		add_random_frame(state, experiment, &counted.caller);
		counted.calls = chance(state, 2) ? INT64_MAX : chance(state, 99);
	}
	expect_ok(prof_experiment_arc(experiment, &counted));
}

/* What was traced: of the last sample, what it held, and of a heap; and an older row changes. */
static inline void add_random_traced(uint64_t *state, struct prof_experiment *experiment)
{
	const int64_t choice[] = {0, 1, 4096, INT64_MAX};
	struct prof_traced_row traced = {.sample = (uint32_t)experiment->samples.count - 1,
		.object = PROF_NONE,
		.holder = chance(state, 2) ? PROF_NONE : 0};
	struct prof_held held = {.blocks = chance(state, 9), .bytes = chance(state, 999)};
	struct prof_heap heap = {.peak = choice[chance(state, 4)],
		.peak_time = 50,
		.unmatched = 2,
		.smallest = -1,
		.largest = 999,
		.leak_smallest = 3,
		.leak_largest = INT64_MAX};
	int64_t values[PROF_TRACED_VALUES] = {0};
	uint32_t number;

	if (chance(state, 2))
		expect_ok(
			prof_experiment_object(experiment, chance(state, 9) * 64, &traced.object));
	expect_ok(prof_experiment_traced(experiment, &traced));
	for (uint32_t i = chance(state, 3); i > 0; i--) {
		struct prof_argument argument = {.traced = (uint32_t)experiment->traced.count - 1};
		expect_ok(prof_experiment_string(
			experiment, i > 1 ? "size" : "result", &argument.name));
		expect_ok(prof_experiment_argument(experiment, &argument));
	}
	if (experiment->arguments.count) {
		const struct prof_argument_sum sum = {PROF_ARGUMENT_MOST - chance(state, 9),
			-PROF_ARGUMENT_MOST + chance(state, 9),
			(prof_value)chance(state, 999) - 500};
		prof_experiment_add_up(
			experiment, chance(state, (uint32_t)experiment->arguments.count), &sum);
	}
	/* Only new files have those of MPI. */
	for (int i = 0; i < PROF_TRACED_MPI_TIME; i++)
		values[i] = choice[chance(state, 4)];
	number = chance(state, (uint32_t)experiment->traced.count);
	prof_experiment_traced_values(experiment, number, values, choice[chance(state, 4)]);
	prof_experiment_last(experiment, number, 42);
	held.traced = number;
	held.time = (int64_t)experiment->held.count * 1000;
	expect_ok(prof_experiment_held(experiment, &held));
	heap.allocations[2] = 4;
	heap.leaks[chance(state, PROF_HEAP_CLASSES)] = 3;
	number = chance(state, (uint32_t)experiment->heaps.count + 1);
	if (number == experiment->heaps.count)
		number = PROF_NONE;
	expect_ok(prof_experiment_heap(experiment, chance(state, 3), &heap, &number));
	if (experiment->objects.count)
		expect_ok(prof_experiment_name_object(
			experiment, chance(state, (uint32_t)experiment->objects.count), "lock"));
}

/* A sample of one of two counters, which are always the same, and more overflows of it. */
static inline void add_random_counter(uint64_t *state, struct prof_experiment *experiment)
{
	const struct prof_event faults = {.unit = PROF_COUNTER_EVENTS, .interval = 1};
	const struct prof_event cycles = {
		.unit = PROF_COUNTER_CYCLES, .clock = INT64_C(2000000000), .interval = 1000003};
	const int64_t choice[] = {1, 1000003, INT64_MAX};
	const struct prof_sample sample = {
		.time = chance(state, 99), .thread = 0, .state = PROF_STATE_SYSTEM};
	prof_value values[PROF_QUANTITIES] = {0};
	uint32_t numbers[2], of = chance(state, 2);

	expect_ok(prof_experiment_counter(experiment, "page-faults", &faults, &numbers[0]));
	expect_ok(prof_experiment_counter(experiment, "cycles", &cycles, &numbers[1]));
	values[PROF_QUANTITY_EVENT + numbers[of]] = prof_value_of(choice[chance(state, 3)]);
	expect_ok(prof_experiment_sample(experiment, &sample, values));
	prof_experiment_overflow(experiment, numbers[of], 5, chance(state, 6));
	const struct prof_data data[] = {
		{.trigger = PROF_TRIGGER_EXACT,
			.access = PROF_ACCESS_STORE,
			.addressed = true,
			.address = UINT64_MAX},
		{.trigger = PROF_TRIGGER_FOUND, .access = PROF_ACCESS_LOAD, .skid = 3},
		{.trigger = PROF_TRIGGER_CALL, .addressed = true},
		{.trigger = PROF_TRIGGER_UNRESOLVABLE},
	};
	struct prof_data one = data[chance(state, PROF_COUNT(data))];
	one.sample = (uint32_t)experiment->samples.count - 1;
	expect_ok(prof_experiment_data(experiment, &one));
}

/* Something of the archive, and what code calls, unless it is there. */
static inline void add_random_archived(uint64_t *state, struct prof_experiment *experiment)
{
	struct prof_archived_source source = {.newer = (uint8_t)chance(state, 4)};
	struct prof_archived_extent extent = {.first = 1 + chance(state, 9), .last = 10};
	char text[200] = "@a.c\n0 4 -3 17 nop\n4 1 9223372 0 \n";

	expect_ok(prof_experiment_string(
		experiment, chance(state, 2) ? "a.c" : "/b.c", &source.file));
	source.path = extent.file = source.file;
	if (!prof_archive_source(experiment, prof_strings_get(&experiment->strings, source.file)))
		expect_ok(prof_archive_add_source(
			experiment, &source, chance(state, 2) ? "" : "+int a;\n \n+no end"));
	if (!experiment->functions.count || !experiment->frames.count)
		return;
	extent.function = chance(state, (uint32_t)experiment->functions.count);
	uint32_t frame = chance(state, (uint32_t)experiment->frames.count);
	if (!prof_archive_extent(experiment, extent.function))
		expect_ok(prof_archive_add_extent(experiment, &extent));
	if (!prof_call_target_of(experiment, frame))
		expect_ok(prof_call_target_add(
			experiment, frame, chance(state, 2) ? "GOMP_barrier" : "omp_set_lock"));
	if (!experiment->frames.items[frame].address ||
		!experiment->frames.items[frame].locations || prof_archive_block(experiment, frame))
		return;
	/* What is long enough to be packed. */
	for (uint32_t i = chance(state, 8); i > 0; i--)
		strcat(text, "5 1 0 0 mov %eax,%ebx\n");
	expect_ok(prof_archive_add_block(experiment, frame, text));
}

/* Adds COUNT samples, and now and then something of all else, to EXPERIMENT. */
static inline void add_random(uint64_t *state, struct prof_experiment *experiment, size_t count)
{
	uint32_t id;
	char name[40];

	for (size_t i = 0; i < count; i++) {
		if (i % 10 == 0) {
			snprintf(name, sizeof name, "/lib/%u", chance(state, 10));
			expect_ok(prof_experiment_module(
				experiment, name, chance(state, 2) ? "00ff" : "", &id));
			struct prof_range range = {chance(state, 100),
				UINT64_MAX - chance(state, 9), chance(state, 2)};
			expect_ok(prof_experiment_range(experiment, id, &range));
			expect_ok(prof_experiment_thread(
				experiment, -1 + chance(state, 5), name, &id));
			if (chance(state, 2))
				expect_ok(
					prof_experiment_own(experiment, id, 1 + chance(state, 3)));
			add_random_mark(state, experiment, name);
			add_random_counted(state, experiment);
			add_random_counter(state, experiment);
		}
		add_random_sample(state, experiment);
		if (chance(state, 3) == 0)
			add_random_traced(state, experiment);
		if (chance(state, 6) == 0)
			add_random_archived(state, experiment);
	}
}

/* The caller destroys it. */
static inline struct prof_experiment *random_experiment(uint64_t seed, size_t count)
{
	struct prof_experiment *experiment;
	uint64_t state = seed * 2 + 1;

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.date = 1700000000;
	experiment->recording.rate_asked = 99.5;
	experiment->recording.ticks = UINT64_MAX;
	experiment->recording.extra_ends = 3;
	experiment->recording.open_calls = 5;
	experiment->recording.counting = 7;
	experiment->recording.families = 3;
	experiment->recording.events = UINT64_MAX;
	experiment->recording.threshold = 9;
	free(experiment->recording.program);
	experiment->recording.program = strdup("/bin/\xff true");
	add_random(&state, experiment, count);
	return experiment;
}

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
