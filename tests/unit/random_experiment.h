/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments made up by chance, for the tests of core/model, core/store and core/formats. */
#ifndef PROF_TESTS_RANDOM_EXPERIMENT_H
#define PROF_TESTS_RANDOM_EXPERIMENT_H

#include "base/map.h"
#include "base/strings.h"
#include "model/access.h"
#include "model/arc_kind.h"
#include "model/archive.h"
#include "model/arcs.h"
#include "model/call_target.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/single_calls.h"
#include "model/unit.h"
#include "model/usage.h"
#include "experiment_support.h"
#include "sample_at.h"

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

#endif
