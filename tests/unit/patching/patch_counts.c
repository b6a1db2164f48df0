/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of all blocks of a process, and memory that is no such thing. */
#include "patching/patch_counts.h"

#include "suite.h"

#include <string.h>

enum { FUNCTIONS = 3, BASE = 1 << 20, BLOCKS = 2 };

/* The memory of a process: a control area at BASE, and blocks. */
static struct scene {
	struct prof_stub_settings settings;
	uint64_t first;                                            /* in the control area */
	uint64_t common[FUNCTIONS + 1];                            /* the counters there */
	uint64_t address[BLOCKS], counters[BLOCKS][FUNCTIONS + 1]; /* by number of the function */
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
	size_t got = copy(address, buffer, length, BASE, &from->first, sizeof from->first);

	from->reads++;
	if (!got)
		got = copy(address, buffer, length, BASE + PROF_STUB_CONTROL + counters,
			from->common, sizeof from->common);
	for (int i = 0; !got && i < BLOCKS; i++) {
		if (!from->address[i])
			continue;
		got = copy(address, buffer, length, from->address[i], &from->heads[i],
			sizeof from->heads[i]);
		if (!got)
			got = copy(address, buffer, length, from->address[i] + counters,
				from->counters[i], sizeof from->counters[i]);
	}
	return got;
}

static const struct prof_target memory = {read_scene, &scene};

static void begin(void)
{
	scene = (struct scene){
		.settings = {.control = BASE, .functions = FUNCTIONS, .records = 4096},
		.first = 0x7f0000000000,
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
	scene.first = 0;
	ck_assert_ok(prof_patch_counts_read(&memory, &scene.settings, counts, FUNCTIONS));
	ck_assert_uint_eq(counts[0], 1);
	ck_assert_uint_eq(counts[2], 3);
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
	without_threads_there_are_those_without_blocks, damaged_memory_is_an_error)
