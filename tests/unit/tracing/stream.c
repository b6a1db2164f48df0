/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/stream.h"

#include "sample_ring.h"

#include <stdlib.h>
#include <unistd.h>

static struct ring ring;
static struct prof_streams streams;

static void open_all(uint32_t chunks)
{
	ring_open(&ring, chunks);
	ck_assert_ok(prof_streams_init(&streams, ring.head, ring.size));
}

static void close_all(void)
{
	prof_streams_deinit(&streams);
	ring_close(&ring);
}

/* The time of the next record up to LIMIT, or -1. */
static int64_t next_time(uint64_t limit)
{
	struct prof_stream *stream = prof_streams_first(&streams, limit);

	if (!stream)
		return -1;
	int64_t time = (int64_t)stream->next.time;
	prof_streams_advance(&streams);
	return time;
}

START_TEST(records_are_merged_by_time)
{
	open_all(4);
	struct writer one = ring_thread(&ring, 0, 10);
	struct writer two = ring_thread(&ring, 7, 11);

	for (uint64_t i = 0; i < 100; i++)
		ring_free(i % 3 ? &one : &two, i, 16);
	ck_assert_uint_eq(prof_streams_look(&streams, 90), 90);
	for (int64_t i = 0; i < 90; i++)
		ck_assert_int_eq(next_time(89), i);
	ck_assert_int_eq(next_time(89), -1);
	ck_assert_int_eq(next_time(UINT64_MAX), 90);
	close_all();
}
END_TEST

START_TEST(who_is_busy_is_waited_for)
{
	open_all(4);
	struct writer one = ring_thread(&ring, 0, 10);
	struct writer two = ring_thread(&ring, 1, 11);

	ring_free(&one, 50, 16);
	two.slot->busy = 40;
	ck_assert_uint_eq(prof_streams_look(&streams, 1000), 40);
	ck_assert_int_eq(next_time(39), -1);
	ring_free(&two, 41, 16);
	two.slot->busy = 0;
	ck_assert_uint_eq(prof_streams_look(&streams, 1000), 1000);
	ck_assert_int_eq(next_time(999), 41);
	ck_assert_int_eq(next_time(999), 50);
	close_all();
}
END_TEST

START_TEST(chunks_are_given_back)
{
	open_all(3);
	struct writer writer = ring_thread(&ring, 0, 10);
	uint64_t time = 0;

	for (int i = 0; i < 50; i++) {
		for (int j = 0; j < 4000; j++)
			ring_free(&writer, time++, 16);
		prof_streams_look(&streams, UINT64_MAX);
		while (next_time(UINT64_MAX) >= 0)
			;
	}
	ck_assert_uint_eq(streams.records, time);
	ck_assert_uint_eq(streams.bytes, time * 24);
	ck_assert_uint_eq(streams.lost, 0);
	ck_assert_ptr_null(streams.damage);
	close_all();
}
END_TEST

START_TEST(what_was_lost_is_counted)
{
	open_all(1);
	struct writer writer = ring_thread(&ring, 0, 10);

	for (int i = 0; i < 5000; i++)
		ring_free(&writer, 1, 16);
	ring.head->homeless = 7;
	prof_streams_look(&streams, 100);
	while (next_time(99) >= 0)
		;
	ck_assert_uint_eq(streams.records + streams.lost, 5007);
	ck_assert_uint_gt(streams.lost, 7);
	close_all();
}
END_TEST

START_TEST(a_raw_stack_belongs_to_the_next_record)
{
	open_all(4);
	struct writer writer = ring_thread(&ring, 0, 10);
	const uint64_t raw[] = {
		prof_ring_word(PROF_RING_RAW, 0, 7, 0), 0x1000, 0x2000, 0x3000, 16, 1, 2};

	ring_put(&writer, raw, 7);
	prof_streams_look(&streams, 100);
	ck_assert_ptr_null(prof_streams_first(&streams, 99));
	ring_alloc(&writer, PROF_NODE_NONE, 5, 64, 8);
	ring_alloc(&writer, 3, 6, 128, 8);
	prof_streams_look(&streams, 100);
	struct prof_stream *stream = prof_streams_first(&streams, 99);
	ck_assert_uint_eq(stream->raw.length, 16);
	ck_assert_uint_eq(stream->raw.pc, 0x1000);
	ck_assert_uint_eq(stream->raw.sp, 0x2000);
	ck_assert_uint_eq(stream->raw.fp, 0x3000);
	ck_assert_mem_eq(stream->raw.bytes, raw + 5, 16);
	ck_assert_uint_eq(stream->next.node, PROF_NODE_NONE);
	ck_assert_uint_eq(stream->next.values[1], 8);
	prof_streams_advance(&streams);
	ck_assert_uint_eq(prof_streams_first(&streams, 99)->raw.length, 0);
	close_all();
}
END_TEST

START_TEST(slots_are_looked_at_when_a_thread_has_taken_one)
{
	open_all(3);
	struct writer first = ring_thread(&ring, 5, 10), second;
	ring_free(&first, 1, 16);
	prof_streams_look(&streams, 100);
	ck_assert_int_eq(next_time(99), 1);
	second = ring_thread(&ring, 4000, 11);
	ring.head->claimed--;
	ring_free(&second, 2, 16);
	prof_streams_look(&streams, 100);
	ck_assert_uint_eq(streams.list.count, 1);
	ring.head->claimed++;
	prof_streams_look(&streams, 100);
	ck_assert_uint_eq(streams.list.count, 2);
	ck_assert_int_eq(next_time(99), 2);
	close_all();
}
END_TEST

START_TEST(slots_of_threads_that_are_gone_are_freed)
{
	open_all(2);
	for (int i = 0; i < 20; i++) {
		/* No process has such an id. */
		struct writer writer = ring_thread(&ring, 5, 1 << 30);
		ring_free(&writer, 1, 16);
		prof_streams_look(&streams, 100);
		prof_streams_reap(&streams, getpid(), 0);
		ck_assert_uint_eq(writer.slot->state, PROF_RING_THREAD_USED);
		ck_assert_int_eq(next_time(99), 1);
		prof_streams_reap(&streams, getpid(), 0);
		ck_assert_uint_eq(writer.slot->state, PROF_RING_THREAD_FREE);
	}
	struct writer alive = ring_thread(&ring, 6, (uint32_t)getpid());
	prof_streams_look(&streams, 100);
	prof_streams_reap(&streams, getpid(), 0);
	ck_assert_uint_eq(alive.slot->state, PROF_RING_THREAD_USED);
	/* The id is given again: the first of its name is gone, whoever lives. */
	ring_thread(&ring, 9, (uint32_t)getpid());
	prof_streams_look(&streams, 100);
	prof_streams_reap(&streams, getpid(), 0);
	ck_assert_uint_eq(alive.slot->state, PROF_RING_THREAD_FREE);
	close_all();
}
END_TEST

/* However many threads there were, numbers are no larger than those that are known together. */
START_TEST(numbers_of_threads_that_are_released_are_given_again)
{
	open_all(4);
	for (uint32_t i = 0; i < 100; i++) {
		struct writer writer = ring_thread(&ring, 3, UINT32_MAX - i);
		prof_streams_look(&streams, 100);
		ck_assert_uint_eq(streams.list.count, 1);
		ck_assert_uint_lt(streams.list.items[0]->number, 10);
		prof_streams_reap(&streams, getpid(), 0);
		ck_assert_uint_eq(writer.slot->state, PROF_RING_THREAD_FREE);
		/* As long as a number is known nobody else has it. */
		for (size_t j = streams.gone.count == 10 ? 10 : 0; j-- > 0;)
			prof_streams_release(&streams, j);
	}
	ck_assert_uint_eq(streams.threads, 10);
	close_all();
}
END_TEST

START_TEST(what_is_no_ring_is_refused)
{
	struct prof_error *error;

	ring_open(&ring, 2);
	error = prof_streams_init(&streams, ring.head, ring.size - 1);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
	ring.head->chunks = UINT32_MAX;
	error = prof_streams_init(&streams, ring.head, ring.size);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
	ring.head->chunks = 2;
	ring.head->magic++;
	error = prof_streams_init(&streams, ring.head, ring.size);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
	ring_close(&ring);
}
END_TEST

/* What is wrong is said, what was right before it is taken, and another thread's is not touched. */
static void expect_damage(const uint64_t *words, unsigned count, int64_t records)
{
	struct writer writer = ring_thread(&ring, 0, 10);
	struct writer other = ring_thread(&ring, 1, 11);

	ring_free(&writer, 1, 16);
	ring_put(&writer, words, count);
	ring_free(&writer, 3, 16);
	ring_free(&other, 9, 16);
	prof_streams_look(&streams, 100);
	for (int64_t i = 0; i < records; i++)
		ck_assert_int_eq(next_time(99), 1);
	ck_assert_int_eq(next_time(99), 9);
	ck_assert_int_eq(next_time(99), -1);
	ck_assert_ptr_nonnull(streams.damage);
	prof_streams_look(&streams, 100);
	ck_assert_int_eq(next_time(99), -1);
}

START_TEST(damaged_records_end_a_stream)
{
	static const uint64_t bad[][5] = {
		{0},
		{99},
		{PROF_RING_FREE | 2 << 16},                  /* too short */
		{PROF_RING_ALLOC | 3 << 16},                 /* likewise */
		{PROF_RING_FREE | UINT64_C(0xffff) << 16},   /* too long */
		{PROF_RING_FREE},                            /* no length at all */
		{PROF_RING_RAW | 5 << 16, 0, 0, 0, 1 << 20}, /* a stack that is not there */
		{PROF_RING_RAW | 5 << 16, 0, 0, 0, 8},
	};

	for (size_t i = 0; i < PROF_COUNT(bad); i++) {
		open_all(4);
		expect_damage(bad[i], 5, 1);
		close_all();
	}
}
END_TEST

START_TEST(damaged_chunks_end_a_stream)
{
	for (int i = 0; i < 5; i++) {
		open_all(4);
		struct writer writer = ring_thread(&ring, 0, 10);
		struct writer other = ring_thread(&ring, 1, 11);
		ring_free(&writer, 1, 16);
		ring_free(&other, 9, 16);
		struct prof_ring_chunk *chunk = ring_chunk(&writer);
		if (i == 0)
			chunk->used = PROF_RING_CHUNK;
		else if (i == 1)
			chunk->used = 25;
		else if (i == 2)
			chunk->next = 5;
		else if (i == 3)
			chunk->next = writer.chunk; /* round and round */
		else
			chunk->next = other.chunk;
		prof_streams_look(&streams, 100);
		ck_assert_int_eq(next_time(99), i < 2 ? 9 : 1);
		if (i != 3) {
			while (next_time(99) >= 0)
				;
			ck_assert_ptr_nonnull(streams.damage);
		}
		close_all();
	}
}
END_TEST

/* Whatever the bytes are, it comes to an end. */
START_TEST(noise_is_survived)
{
	unsigned seed = 1;

	for (int i = 0; i < 200; i++) {
		open_all(6);
		struct writer writers[3];
		for (uint32_t j = 0; j < 3; j++) {
			writers[j] = ring_thread(&ring, j, 10 + j);
			for (int k = 0; k < 3000; k++)
				ring_alloc(&writers[j], 1, (uint64_t)k, 64, 8);
		}
		struct prof_ring_chunk *chunks = prof_ring_chunks(ring.head);
		for (int k = 0; k < 40; k++) {
			size_t at = (size_t)rand_r(&seed) % (6 * sizeof *chunks);
			if (k % 2)
				at = at / sizeof *chunks * sizeof *chunks + at % 12;
			((unsigned char *)chunks)[at] = (unsigned char)rand_r(&seed);
		}
		for (int k = 0; k < 3; k++) {
			prof_streams_look(&streams, UINT64_MAX);
			size_t count = 0;
			while (next_time(UINT64_MAX) >= 0)
				ck_assert_uint_lt(count++, 200000);
		}
		close_all();
	}
}
END_TEST

RUN_TESTS("stream", records_are_merged_by_time, who_is_busy_is_waited_for, chunks_are_given_back,
	what_was_lost_is_counted, a_raw_stack_belongs_to_the_next_record,
	slots_are_looked_at_when_a_thread_has_taken_one, slots_of_threads_that_are_gone_are_freed,
	numbers_of_threads_that_are_released_are_given_again, what_is_no_ring_is_refused,
	damaged_records_end_a_stream, damaged_chunks_end_a_stream, noise_is_survived)
