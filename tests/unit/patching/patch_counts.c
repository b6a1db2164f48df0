/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of all blocks of a process, and memory that is no such thing. */
#include "patching/patch_counts.h"

#include "suite.h"

#include <string.h>

enum {
	FUNCTIONS = 3,
	BASE = 1 << 20,
	BLOCKS = 2,
	CALLERS = 16,
	TABLE = CALLERS + PROF_STUB_PROBES
};

/* The memory of a process: a control area at BASE, and blocks. */
static struct scene {
	struct prof_stub_settings settings;
	struct prof_stub_control control;
	uint64_t common[FUNCTIONS + 1];                            /* the counters there */
	uint64_t address[BLOCKS], counters[BLOCKS][FUNCTIONS + 1]; /* by number of the function */
	struct prof_stub_caller common_table[TABLE], tables[BLOCKS][TABLE];
	struct prof_stub_thread heads[BLOCKS];
	unsigned reads;
} scene;

/* Copies what of SIZE bytes at SOURCE, which are at PLACE, is in what is read. */
static size_t copy(uint64_t address, void *buffer, size_t length, uint64_t place,
	const void *source, size_t size)
{
	if (address < place || address + length > place + size)
		return 0;
	memcpy(buffer, (const char *)source + (address - place), length);
	return length;
}

static size_t read_scene(void *context, uint64_t address, void *buffer, size_t length)
{
	struct scene *from = context;
	uint64_t counters = prof_stub_counter(&from->settings, 0);
	uint64_t callers = prof_stub_callers(&from->settings);
	size_t got = copy(address, buffer, length, BASE, &from->control, sizeof from->control);

	from->reads++;
	if (!got)
		got = copy(address, buffer, length, BASE + PROF_STUB_CONTROL + counters,
			from->common, sizeof from->common);
	if (!got)
		got = copy(address, buffer, length, BASE + PROF_STUB_CONTROL + callers,
			from->common_table, sizeof from->common_table);
	for (int i = 0; !got && i < BLOCKS; i++) {
		if (!from->address[i])
			continue;
		got = copy(address, buffer, length, from->address[i], &from->heads[i],
			sizeof from->heads[i]);
		if (!got)
			got = copy(address, buffer, length, from->address[i] + counters,
				from->counters[i], sizeof from->counters[i]);
		if (!got)
			got = copy(address, buffer, length, from->address[i] + callers,
				from->tables[i], sizeof from->tables[i]);
	}
	return got;
}

static const struct prof_target memory = {read_scene, &scene};

static void begin(void)
{
	scene = (struct scene){
		.settings = {.control = BASE, .functions = FUNCTIONS, .records = 4096},
		.control.first = 0x7f0000000000,
		.common = {99, 1, 2, 3},
		.address = {0x7f0000000000, 0x7e0000000000},
		.counters = {{99, 10, 20, 30}, {99, 100, 200, 300}},
	};
	scene.heads[0].link = scene.address[1];
}

START_TEST(counts_of_all_threads_are_added)
{
	uint64_t counts[FUNCTIONS] = {7, 7, 7};

	begin();
	ck_assert_ok(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS));
	ck_assert_uint_eq(counts[0], 111);
	ck_assert_uint_eq(counts[1], 222);
	ck_assert_uint_eq(counts[2], 333);
}
END_TEST

START_TEST(only_those_that_are_asked_for_are_read)
{
	uint64_t counts[FUNCTIONS] = {7, 7, 7};

	begin();
	ck_assert_ok(prof_patch_counts_read(&memory, &scene.settings, counts, 2));
	ck_assert_uint_eq(counts[1], 222);
	ck_assert_uint_eq(counts[2], 7);
	ck_assert_ok(prof_patch_counts_read(&memory, &scene.settings, counts, 0));
}
END_TEST

START_TEST(without_threads_there_are_those_without_blocks)
{
	uint64_t counts[FUNCTIONS];

	begin();
	scene.control.first = 0;
	ck_assert_ok(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS));
	ck_assert_uint_eq(counts[0], 1);
	ck_assert_uint_eq(counts[2], 3);
}
END_TEST

#define ENTRY(caller, function, calls)                                       \
	{                                                                    \
		caller, (UINT64_C(function) << PROF_STUB_CALLS_BITS) + calls \
	}

/* Each block has some callers. */
static void begin_with_callers(void)
{
	begin();
	scene.settings.callers = CALLERS;
	scene.common_table[0] = (struct prof_stub_caller)ENTRY(0x1000, 1, 4);
	scene.tables[0][3] = (struct prof_stub_caller)ENTRY(0x1000, 1, 40);
	scene.tables[0][4] = (struct prof_stub_caller)ENTRY(0x1000, 3, 50);
	scene.tables[1][TABLE - 1] = (struct prof_stub_caller)ENTRY(0x1000, 1, 400);
	scene.tables[1][0] = (struct prof_stub_caller)ENTRY(0x2000, 1, 1);
	/* What the program is just making. */
	scene.tables[1][1] = (struct prof_stub_caller)ENTRY(0x3000, 0, 0);
	scene.tables[1][2] = (struct prof_stub_caller)ENTRY(0x3000, 2, 0);
	scene.tables[1][3] = (struct prof_stub_caller)ENTRY(0, 2, 9);
}

START_TEST(calls_are_counted_whether_callers_are_known_or_not)
{
	uint64_t counts[FUNCTIONS] = {7, 7, 7};

	begin_with_callers();
	ck_assert_ok(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS));
	ck_assert_uint_eq(counts[0], 111 + 444 + 1);
	ck_assert_uint_eq(counts[1], 222);
	ck_assert_uint_eq(counts[2], 333 + 50);
	ck_assert_ok(prof_patch_counts_read(&memory, &scene.settings, counts, 1));
	ck_assert_uint_eq(counts[0], 111 + 444 + 1);
}
END_TEST

START_TEST(callers_of_all_threads_are_added)
{
	PROF_AUTO(prof_patch_callers_deinit) struct prof_patch_callers callers = {0};

	begin_with_callers();
	scene.common[2] = scene.counters[0][2] = scene.counters[1][2] = 0;
	ck_assert_ok(prof_patch_counts_read_callers(&memory, &scene.settings, FUNCTIONS, &callers));
	ck_assert_uint_eq(callers.items.count, 5);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 1, 0x1000), 444);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 1, 0x2000), 1);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 1, 0), 111);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 3, 0x1000), 50);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 3, 0), 333);
	/* They are added to what is there. */
	ck_assert_ok(prof_patch_counts_read_callers(&memory, &scene.settings, 1, &callers));
	ck_assert_uint_eq(callers.items.count, 5);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 1, 0x1000), 888);
	ck_assert_uint_eq(prof_patch_callers_calls(&callers, 3, 0x1000), 50);
}
END_TEST

START_TEST(damaged_tables_are_an_error)
{
	PROF_AUTO(prof_patch_callers_deinit) struct prof_patch_callers callers = {0};
	uint64_t counts[FUNCTIONS] = {7, 7, 7};

	begin_with_callers();
	scene.tables[1][9] = (struct prof_stub_caller)ENTRY(0x1000, 4, 1);
	ck_assert_error(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS),
		"cannot be read");
	ck_assert_uint_eq(counts[0], 7);
	ck_assert_error(
		prof_patch_counts_read_callers(&memory, &scene.settings, FUNCTIONS, &callers),
		"cannot be read");
	/* Calls of no function. */
	scene.tables[1][9] = (struct prof_stub_caller)ENTRY(0x1000, 0, 1);
	ck_assert_error(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS),
		"cannot be read");
	/* The table is not there. */
	scene.settings.callers = 2 * CALLERS;
	ck_assert_error(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS),
		"cannot be read");
}
END_TEST

START_TEST(damaged_memory_is_an_error)
{
	uint64_t counts[FUNCTIONS] = {7, 7, 7};

	begin();
	scene.heads[1].link = 8;
	ck_assert_error(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS),
		"cannot be read");
	ck_assert_uint_eq(counts[0], 7);
	/* A list without an end. */
	scene.heads[1].link = scene.address[0];
	scene.reads = 0;
	ck_assert_error(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS),
		"cannot be read");
	ck_assert_uint_gt(scene.reads, 1000);
	scene.settings.control = 8;
	ck_assert_error(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS),
		"cannot be read");
	ck_assert_uint_eq(counts[0], 7);
}
END_TEST

RUN_TESTS("patch_counts", counts_of_all_threads_are_added, only_those_that_are_asked_for_are_read,
	without_threads_there_are_those_without_blocks,
	calls_are_counted_whether_callers_are_known_or_not, callers_of_all_threads_are_added,
	damaged_tables_are_an_error, damaged_memory_is_an_error)
