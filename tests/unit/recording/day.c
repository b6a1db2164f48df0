/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A service that is recorded all day: 200 threads, of which 190 sleep for a minute at a time, and
 * ten work 40 us every 20 ms.  Its looks, and what is traced of it, are made up, faster than they
 * could come.
 */
#include "base/compat.h"
#include "experiment_support.h"
#include "model/cursor.h"
#include "recording/experiment_builder.h"
#include "recording/look.h"
#include "recording/queue.h"
#include "recording/traced_message.h"
#include "store/store.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>

enum {
	WORKERS = 10,
	SLEEPERS = 190,
	STACKS = 50,
	HOUR = 3600,
	DAY = 24,
	TOTALS = 500,
	TRACED = 10
};

static const int64_t MS = 1000000, SECOND = 1000000000;

/* Bytes of a file, and of memory, that a day may take. */
static const uint64_t FILE_MOST = 200000000, MEMORY_MOST = 150000000;

struct service {
	struct prof_experiment_builder builder;
	struct prof_store *store;
	int64_t now; /* ns */
};

static void begin(struct service *service, const char *file)
{
	*service = (struct service){0};
	ck_assert_ok(prof_experiment_create(&service->builder.experiment));
	ck_assert_ok(prof_store_create(file, &service->store));
}

static void end(struct service *service)
{
	prof_store_close(service->store);
	prof_experiment_destroy(service->builder.experiment);
	prof_experiment_builder_deinit(&service->builder);
}

/* A look at THREAD, which has spent NS in STATE, in one of the stacks. */
static void look(struct service *service, int64_t thread, enum prof_state state, int64_t ns,
	uint32_t samples, uint64_t stack)
{
	const uint64_t frames[] = {0x1000 + stack % STACKS * 16, 0x2000, 0x3000};
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK, .size = sizeof frames};

	message.look = (struct prof_look){.time = service->now,
		.thread = thread,
		.samples = samples,
		.depth = 3,
		.state = (uint8_t)state,
		.cpu = 1 + thread % 4};
	message.look.spent[state] = ns;
	expect_ok(prof_experiment_builder_add(&service->builder, &message, frames));
}

/* The totals of heap and lock tracing, which are told again as they grow. */
static void trace(struct service *service)
{
	for (uint64_t i = 0; i < TOTALS; i++) {
		struct {
			struct prof_total_message told;
			uint64_t frames[2];
		} data = {.told = {.number = i, .depth = 2, .last = service->now}};
		struct prof_message message = {.kind = PROF_MESSAGE_TOTAL, .size = sizeof data};
		data.frames[0] = 0x5000 + i * 16;
		data.frames[1] = 0x6000;
		data.told.values[PROF_TRACED_ALLOCATIONS] = service->now / MS;
		message.total.thread = 1 + (int64_t)i % WORKERS;
		message.total.time = 0;
		expect_ok(prof_experiment_builder_add(&service->builder, &message, &data));
	}
}

static void write_down(struct service *service)
{
	ck_assert_ok(prof_store_write(service->store, service->builder.experiment, NULL));
	prof_store_release(service->store, service->builder.experiment);
}

/* A second of the service, as a rate of 100 Hz sees it. */
static void serve(struct service *service)
{
	int64_t second = service->now / SECOND;

	for (int i = 0; i < 50; i++) {
		service->now += 20 * MS;
		for (int64_t worker = 0; worker < WORKERS; worker++) {
			/* One of its samples is due each 10 ms of its CPU time. */
			uint32_t samples = i == 0 && second % 5 == 0;
			look(service, 1 + worker, PROF_STATE_USER, 40000, samples,
				(uint64_t)(second / 5 + worker));
			look(service, 1 + worker, PROF_STATE_OTHER, 20 * MS - 40000, 0, 7);
		}
	}
	for (int64_t sleeper = second % 60; sleeper < SLEEPERS; sleeper += 60) {
		look(service, 100 + sleeper, PROF_STATE_USER, MS / 10, 0, (uint64_t)sleeper);
		look(service, 100 + sleeper, PROF_STATE_OTHER, 60 * SECOND - MS / 10, 0, 8);
	}
}

/* A second of ten threads that are on a CPU, at 1000 Hz. */
static void work(struct service *service)
{
	for (int i = 0; i < 1000; i++) {
		service->now += MS;
		for (int64_t worker = 0; worker < WORKERS; worker++)
			look(service, 1 + worker, PROF_STATE_USER, MS, 1,
				(uint64_t)(service->now / MS / 3 + worker));
	}
	trace(service);
}

static uint64_t allocated(void)
{
	return (uint64_t)mallinfo2().uordblks + (uint64_t)mallinfo2().hblkhd;
}

/* All that was spent is there, and none more. */
static void assert_all(const struct service *service, int64_t seconds)
{
	const struct prof_samples *samples = &service->builder.experiment->samples;
	const prof_value *spent = &samples->totals[PROF_QUANTITY_SPENT];

	ck_assert(spent[PROF_STATE_USER] + spent[PROF_STATE_OTHER] ==
		prof_value_of(WORKERS * SECOND) * seconds +
			prof_value_of(SECOND) * SLEEPERS * seconds);
}

/* Hours that are recorded: after the first 17 minutes each is as the one before.  -DHOURS=24 has a
 * day. */
#ifndef HOURS
enum { HOURS = 2 };
#endif

START_TEST(day_of_a_service_is_a_small_file_and_less_memory)
{
	struct service service;
	uint64_t before = allocated(), half = 0;

	enter_scratch();
	begin(&service, "x");
	for (int i = 0; i < HOURS * HOUR; i++) {
		serve(&service);
		/* Twice a second in truth. */
		if (i % 60 == 0)
			write_down(&service);
		if (i == HOURS * HOUR / 2)
			half = allocated();
	}
	write_down(&service);
	prof_experiment_check(service.builder.experiment);
	assert_all(&service, HOURS * HOUR);
	ck_assert_uint_lt(prof_store_size(service.store) * DAY / HOURS, FILE_MOST);
	/* Of the samples nothing is held but the last ones. */
	ck_assert_uint_eq(service.builder.experiment->samples.held, 0);
	ck_assert_uint_le(allocated(), half + (MEMORY_MOST - half) * HOURS / 2 / DAY);
	printf("# %d h: %zu samples, a file of %llu bytes, %llu bytes of memory\n", HOURS,
		service.builder.experiment->samples.count,
		(unsigned long long)prof_store_size(service.store),
		(unsigned long long)(allocated() - before));
	end(&service);
}
END_TEST

START_TEST(traced_program_takes_no_more_memory_after_the_first_minute)
{
	struct service service;
	uint64_t first = 0;
	enum { SECONDS = 120 };

	enter_scratch();
	begin(&service, "x");
	for (int i = 0; i < SECONDS; i++) {
		work(&service);
		if (i % 5 == 0)
			write_down(&service);
		if (i == SECONDS / 2)
			first = allocated();
	}
	/* But for what grows to its size, and the number of each block of samples. */
	ck_assert_uint_le(allocated(), first + 2000000);
	prof_experiment_check(service.builder.experiment);
	end(&service);
}
END_TEST

/*
 * A thread of ID comes, is looked at, is traced from TRACED stacks, and is gone: later ones have
 * the numbers of its totals.
 */
static void come_and_go(struct service *service, int64_t id, uint32_t traced)
{
	service->now += SECOND / 30;
	look(service, id, PROF_STATE_USER, MS, 0, (uint64_t)id);
	for (uint32_t i = 0; i < traced; i++) {
		struct {
			struct prof_total_message told;
			uint64_t frames[2];
		} data = {.told = {.number = i, .depth = 2, .is_new = true, .last = service->now}};
		struct prof_message message = {.kind = PROF_MESSAGE_TOTAL, .size = sizeof data};
		data.frames[0] = 0x5000 + i * 16;
		data.frames[1] = 0x6000;
		data.told.values[PROF_TRACED_ALLOCATIONS] = 1 + id % 7;
		data.told.values[PROF_TRACED_BYTES] = 100 * (1 + id % 7);
		message.total.thread = id;
		message.total.time = service->now - MS;
		expect_ok(prof_experiment_builder_add(&service->builder, &message, &data));
	}
}

/* The bytes that are allocated, without what SQLite keeps of the file: 2 MB at the most. */
static uint64_t allocated_here(void)
{
	return allocated() - (uint64_t)sqlite3_memory_used();
}

static bool ended(int64_t id)
{
	(void)id;
	return false;
}

/* Has threads come, one after another, with a file or without.  What each leaves is bounded. */
static void have_threads(uint32_t traced, bool filed)
{
	/*
	 * Threads: a multiple of those after which the samples that are not packed are as many.
	 * Then bytes: of one that is gone, and of a traced row of it, in the file, or in memory
	 * with its sample.
	 */
	enum { WARM = 10 * PROF_SAMPLES_BLOCK, THREADS = 24 * PROF_SAMPLES_BLOCK };
	enum { GONE = 4, FILED = 1, HELD = 16 };
	struct service service;
	uint64_t warm = 0;

	enter_scratch();
	begin(&service, "x");
	for (int64_t id = 1; id <= THREADS; id++) {
		come_and_go(&service, id, traced);
		if (filed && id % 15 == 0)
			write_down(&service);
		if (id % 90 == 0)
			prof_experiment_builder_forget(&service.builder, ended);
		if (id == WARM)
			warm = allocated_here();
	}
	if (filed)
		write_down(&service);
	const struct prof_experiment *experiment = service.builder.experiment;
	/* Sanitizers have an allocator of their own, of which nothing is known here. */
	uint64_t now = allocated_here();
	uint64_t each = now > warm ? (now - warm) / (THREADS - WARM) : 0;
	printf("# %llu bytes a thread, %zu of them of what was traced\n", (unsigned long long)each,
		experiment->traced.bytes / THREADS);
	ck_assert_uint_le(each, traced * (filed ? FILED : HELD) + GONE);
	ck_assert_uint_eq(experiment->threads.count, THREADS);
	ck_assert_uint_eq(experiment->traced.count, (size_t)THREADS * traced);
	ck_assert_uint_le(service.builder.tracked.count, 180);
	if (traced)
		ck_assert_uint_eq(service.builder.readers.items[0].totals.count, traced);
	prof_experiment_check(experiment);
	end(&service);
}

START_TEST(threads_that_are_gone_leave_few_bytes_beside_the_file)
{
	have_threads(0, true);
}
END_TEST

START_TEST(traced_threads_that_are_gone_leave_few_bytes_beside_the_file)
{
	have_threads(TRACED, true);
}
END_TEST

START_TEST(threads_that_are_gone_are_packed_without_a_file)
{
	have_threads(TRACED, false);
}
END_TEST

RUN_TESTS("day", day_of_a_service_is_a_small_file_and_less_memory,
	traced_program_takes_no_more_memory_after_the_first_minute,
	threads_that_are_gone_leave_few_bytes_beside_the_file,
	traced_threads_that_are_gone_leave_few_bytes_beside_the_file,
	threads_that_are_gone_are_packed_without_a_file)
