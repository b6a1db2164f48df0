/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of all blocks of a process, and of threads that go on meanwhile. */
#include "patching/patch_records.h"

#include "decoder.h"

#include <string.h>

enum { FUNCTIONS = 3, BASE = 1 << 20, BLOCKS = 2, BYTES = 4096, MOST = 4000 };
enum { CIRCLE = BYTES / sizeof(struct prof_stub_record) };

/* The memory of a process: a control area at BASE, and blocks. */
static struct scene {
	struct prof_stub_settings settings;
	struct prof_stub_control control;
	struct prof_stub_thread common;
	uint64_t address[BLOCKS];
	struct prof_stub_thread heads[BLOCKS];
	struct prof_stub_record circles[BLOCKS][CIRCLE];
	struct prof_patch_record taken[MOST];
	size_t count, most; /* taken, and that may be */
	bool closed;        /* it cannot be written */
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
	const struct scene *from = context;
	size_t got = copy(address, buffer, length, BASE, &from->control, sizeof from->control);

	if (!got)
		got = copy(address, buffer, length, BASE + PROF_STUB_CONTROL, &from->common,
			sizeof from->common);
	for (int i = 0; !got && i < BLOCKS; i++) {
		got = copy(address, buffer, length, from->address[i], &from->heads[i],
			sizeof from->heads[i]);
		if (!got)
			got = copy(address, buffer, length, from->address[i] + PROF_STUB_RECORDS,
				from->circles[i], BYTES);
	}
	return got;
}

static bool write_scene(void *context, uint64_t address, uint64_t value)
{
	struct scene *to = context;

	for (int i = 0; i < BLOCKS; i++) {
		if (address == to->address[i] + offsetof(struct prof_stub_thread, limit))
			to->heads[i].limit = value;
	}
	return !to->closed;
}

static bool take(void *context, const struct prof_patch_record *record)
{
	struct scene *to = context;

	if (to->count == to->most)
		return false;
	to->taken[to->count++] = *record;
	return true;
}

static const struct prof_target memory = {read_scene, &scene};
static const struct prof_patch_records_process process = {
	&memory, &scene.settings, write_scene, take, &scene};

#define AUTO_RECORDS PROF_AUTO(prof_patch_records_deinit)

/* Claims a record of BLOCK; NULL: there is no room. */
static struct prof_stub_record *claim(int block)
{
	struct prof_stub_thread *head = &scene.heads[block];
	struct prof_stub_record *record =
		&scene.circles[block][head->next / sizeof *record % CIRCLE];

	if (head->next >= head->limit) {
		head->lost++;
		return NULL;
	}
	head->next += sizeof *record;
	return record;
}

static void fill(struct prof_stub_record *record, uint64_t time, uint64_t number, uint64_t slot)
{
	record->what = number | slot / 8 << 20;
	record->time = time;
}

/* Each block has the record of a thread. */
static void begin(void)
{
	scene = (struct scene){
		.settings = {.control = BASE, .functions = FUNCTIONS, .records = BYTES},
		.control.first = 0x7f0000000000,
		.address = {0x7f0000000000, 0x7e0000000000},
		.most = MOST,
	};
	scene.heads[0].link = scene.address[1];
	for (int i = 0; i < BLOCKS; i++) {
		struct prof_stub_record *record;
		scene.heads[i].limit = prof_stub_limit(&scene.settings);
		record = claim(i);
		record->what = (uint64_t)(100 + i) << 20;
		record->time = (uint64_t)PROF_STUB_THREAD << 62 | 1;
	}
}

START_TEST(records_of_all_threads_are_taken_once)
{
	AUTO_RECORDS struct prof_patch_records records = {0};

	begin();
	fill(claim(0), 10, 2, 0x7ffc00001000);
	fill(claim(1), (uint64_t)PROF_STUB_ENTERED << 62 | 11, 3, 0x7ffd00000000);
	fill(claim(0), 12, 0, 0x7ffc00001000);
	ck_assert_ok(prof_patch_records_read(&records, &process));
	ck_assert_uint_eq(scene.count, 3);
	ck_assert_uint_eq(scene.taken[0].time, 10);
	ck_assert_uint_eq(scene.taken[0].slot, 0x7ffc00001000);
	ck_assert_uint_eq(scene.taken[0].function, 2);
	ck_assert_uint_eq(scene.taken[0].thread, 100);
	ck_assert_uint_eq(scene.taken[0].mark, PROF_STUB_PLAIN);
	ck_assert_uint_eq(scene.taken[1].function, 0);
	ck_assert_uint_eq(scene.taken[2].time, 11);
	ck_assert_uint_eq(scene.taken[2].thread, 101);
	ck_assert_uint_eq(scene.taken[2].mark, PROF_STUB_ENTERED);
	ck_assert_ok(prof_patch_records_read(&records, &process));
	ck_assert_uint_eq(scene.count, 3);
	ck_assert_uint_eq(records.lost, 0);
}
END_TEST

START_TEST(the_circle_is_used_again_and_again)
{
	AUTO_RECORDS struct prof_patch_records records = {0};
	uint64_t time = 1;

	begin();
	for (unsigned i = 0; i < 40; i++) {
		for (unsigned j = 0; j < i * 7 % 97; j++) {
			struct prof_stub_record *record = claim(0);
			ck_assert_ptr_nonnull(record);
			fill(record, ++time, 1, 8);
		}
		ck_assert_ok(prof_patch_records_read(&records, &process));
	}
	ck_assert_uint_gt(scene.count, 4 * CIRCLE);
	ck_assert_uint_eq(scene.count, time - 1);
	for (size_t i = 0; i < scene.count; i++)
		ck_assert_uint_eq(scene.taken[i].time, i + 2);
}
END_TEST

START_TEST(a_record_that_is_not_whole_is_waited_for)
{
	AUTO_RECORDS struct prof_patch_records records = {0};
	struct prof_stub_record *late;

	begin();
	late = claim(0);
	fill(claim(0), 20, 1, 8);
	ck_assert_ok(prof_patch_records_read(&records, &process));
	ck_assert_uint_eq(scene.count, 0);
	fill(late, 21, 2, 16);
	ck_assert_ok(prof_patch_records_read(&records, &process));
	ck_assert_uint_eq(scene.count, 2);
	ck_assert_uint_eq(scene.taken[0].time, 21);
	ck_assert_uint_eq(scene.taken[1].time, 20);
}
END_TEST

START_TEST(what_is_never_written_is_given_up)
{
	AUTO_RECORDS struct prof_patch_records records = {0};
	uint64_t time = 10;

	begin();
	claim(0);
	for (int i = 0; i < CIRCLE / 2 - 2; i++)
		fill(claim(0), ++time, 1, 8);
	ck_assert_ok(prof_patch_records_read(&records, &process));
	ck_assert_uint_eq(scene.count, 0);
	fill(claim(0), ++time, 1, 8);
	ck_assert_ok(prof_patch_records_read(&records, &process));
	ck_assert_uint_eq(scene.count, CIRCLE / 2 - 1);
	ck_assert_uint_eq(records.lost, 1);
}
END_TEST

START_TEST(what_had_no_room_is_counted)
{
	AUTO_RECORDS struct prof_patch_records records = {0};
	unsigned lost = 0;

	begin();
	scene.common.lost = 5;
	for (int i = 0; i < CIRCLE; i++) {
		struct prof_stub_record *record = claim(1);
		lost += !record;
		if (record)
			fill(record, 10, 1, 8);
	}
	ck_assert_uint_gt(lost, PROF_STUB_SPARE / 2);
	for (int i = 0; i < 2; i++) {
		ck_assert_ok(prof_patch_records_read(&records, &process));
		ck_assert_uint_eq(records.lost, lost + 5);
		ck_assert_uint_eq(scene.count, CIRCLE - lost);
	}
	ck_assert_ptr_nonnull(claim(1));
}
END_TEST

/* Reads what begin() and the caller have made; it is an error with MESSAGE. */
static void check_error(const char *message)
{
	AUTO_RECORDS struct prof_patch_records records = {0};

	ck_assert_error(prof_patch_records_read(&records, &process), message);
}

START_TEST(damaged_memory_is_an_error)
{
	begin();
	scene.settings.control = 8;
	check_error("cannot be read");
	begin();
	scene.control.first = 8;
	check_error("cannot be read");
	begin();
	scene.heads[1].link = scene.address[0];
	check_error("cannot be read");
	begin();
	scene.heads[1].next = BYTES + 16;
	check_error("cannot be read");
	begin();
	scene.heads[1].next = 8;
	check_error("cannot be read");
	begin();
	fill(claim(0), 2, FUNCTIONS + 1, 8);
	check_error("cannot be read");
	begin();
	scene.closed = true;
	check_error("cannot be read");
	begin();
	scene.most = 0;
	fill(claim(0), 2, 1, 8);
	check_error("memory");
}
END_TEST

#ifdef __x86_64__

#include "patched_program.h"
#include "patching/patch_calls.h"
#include "target/process.h"

#include <pthread.h>
#include <sched.h>

#define CALL(function) (*(__typeof__(function) *volatile *)&(__typeof__(function) *){function})

/* What a thread records in so many turns has room in its block. */
enum { THREADS = 4, TURNS = 200, AT_ONCE = 5, NUMBER = 10, CALLS = 177, RECORDS = 1 << 15 };

KEPT static uint64_t fibonacci(uint64_t number)
{
	return number < 2 ? number : CALL(fibonacci)(number - 1) + CALL(fibonacci)(number - 2);
}

static int going = THREADS;
static unsigned reads; /* that have ended */

static void *run_fibonacci(void *unused)
{
	for (int i = 0; i < TURNS; i++) {
		CALL(fibonacci)(NUMBER);
		unsigned before = __atomic_load_n(&reads, __ATOMIC_ACQUIRE);
		/* The first one may have begun before. */
		while (i % AT_ONCE == 0 && __atomic_load_n(&reads, __ATOMIC_ACQUIRE) - before < 2)
			sched_yield();
	}
	__atomic_fetch_sub(&going, 1, __ATOMIC_RELEASE);
	return unused;
}

/* What a reader has taken of this program, by enum prof_patch_event_kind. */
static uint64_t events[PROF_PATCH_LEAVE + 1];

static bool count_event(void *context, const struct prof_patch_event *event)
{
	(void)context;
	events[event->kind]++;
	return true;
}

static bool add(void *context, const struct prof_patch_record *record)
{
	return prof_patch_calls_add(context, record);
}

static bool write_own(void *context, uint64_t address, uint64_t value)
{
	(void)context;
	__atomic_store_n((uint64_t *)(uintptr_t)address, value, __ATOMIC_RELEASE);
	return true;
}

START_TEST(threads_that_go_on_are_read)
{
	AUTO_RECORDS struct prof_patch_records records = {0};
	struct patched *patched = patched_open(fibonacci, RECORDS);
	struct prof_process own;
	pthread_t threads[THREADS];
	PROF_AUTO(prof_patch_calls_deinit) struct prof_patch_calls calls = {.take = count_event};

	prof_process_init(&own, getpid());
	const struct prof_target target = prof_process_target(&own);
	const struct prof_patch_records_process program = {
		&target, &patched->settings, write_own, add, &calls};
	patched_add(patched, fibonacci, PROF_STUB_CALL);
	patched_begin(patched);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run_fibonacci, NULL), 0);
	while (__atomic_load_n(&going, __ATOMIC_ACQUIRE)) {
		ck_assert_ok(prof_patch_records_read(&records, &program));
		__atomic_fetch_add(&reads, 1, __ATOMIC_RELEASE);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	patched_end(patched);
	ck_assert_ok(prof_patch_records_read(&records, &program));
	ck_assert_uint_eq(records.lost, 0);
	ck_assert_uint_eq(events[PROF_PATCH_CALL], THREADS * TURNS * CALLS);
	ck_assert_uint_eq(events[PROF_PATCH_END], events[PROF_PATCH_CALL]);
	ck_assert_uint_eq(events[PROF_PATCH_LEAVE], 0);
	ck_assert_uint_eq(calls.returns, 0);
	patched_close(patched);
}
END_TEST

#else

START_TEST(threads_that_go_on_are_read)
{
}
END_TEST

#endif

RUN_DECODER_TESTS("patch_records", records_of_all_threads_are_taken_once,
	the_circle_is_used_again_and_again, a_record_that_is_not_whole_is_waited_for,
	what_is_never_written_is_given_up, what_had_no_room_is_counted, damaged_memory_is_an_error,
	threads_that_go_on_are_read)
