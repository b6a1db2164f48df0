/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/queue.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct prof_queue *create(size_t capacity)
{
	struct prof_queue *queue;

	ck_assert_ok(prof_queue_create(capacity, &queue));
	return queue;
}

/* Puts a mark with TIME and SIZE bytes of data, that depend on both. */
static bool put(struct prof_queue *queue, int64_t time, uint32_t size)
{
	char data[1024];
	struct prof_message message = {.kind = PROF_MESSAGE_MARK, .size = size};

	message.mark.time = time;
	memset(data, (int)(time * 7 + size), sizeof data);
	return prof_queue_put(queue, &message, data);
}

static void batch_add(struct prof_batch *batch, int64_t time, uint32_t size)
{
	char data[1024];
	struct prof_message message = {.kind = PROF_MESSAGE_MARK, .size = size};

	message.mark.time = time;
	memset(data, (int)(time * 7 + size), sizeof data);
	prof_batch_add(batch, &message, data);
}

/* The message that was taken must be one that put() made. */
static void assert_whole(const struct prof_message *message, const void *data)
{
	const unsigned char *bytes = data;

	if (message->kind != PROF_MESSAGE_MARK)
		ck_abort_msg("kind %u", message->kind);
	for (uint32_t i = 0; i < message->size; i++) {
		if (bytes[i] != (unsigned char)(message->mark.time * 7 + message->size))
			ck_abort_msg("byte %u of %u is wrong", i, message->size);
	}
}

/* Takes a message: its time, or -1 if there is none. */
static int64_t take(struct prof_queue *queue)
{
	struct prof_message message;
	const void *data;

	if (!prof_queue_take(queue, &message, &data))
		return -1;
	assert_whole(&message, data);
	return message.mark.time;
}

START_TEST(records_come_out_as_they_went_in)
{
	struct prof_queue *queue = create(4096);

	ck_assert_int_eq(take(queue), -1);
	ck_assert(put(queue, 1, 0));
	ck_assert(put(queue, 2, 5));
	ck_assert(put(queue, 3, 64));
	ck_assert_uint_eq(prof_queue_count(queue), 3);
	for (int64_t time = 1; time <= 3; time++)
		ck_assert_int_eq(take(queue), time);
	ck_assert_int_eq(take(queue), -1);
	ck_assert_uint_eq(prof_queue_count(queue), 0);
	prof_queue_destroy(queue);
}
END_TEST

START_TEST(frames_are_aligned)
{
	struct prof_queue *queue = create(1000);
	const uint64_t frames[] = {1, 2};
	struct prof_message message;
	const void *data;

	ck_assert(put(queue, 1, 3));
	message = (struct prof_message){.kind = PROF_MESSAGE_LOOK, .size = sizeof frames};
	message.look.depth = 2;
	ck_assert(prof_queue_put(queue, &message, frames));
	ck_assert_int_eq(take(queue), 1);
	ck_assert(prof_queue_take(queue, &message, &data));
	ck_assert_uint_eq((uintptr_t)data % sizeof *frames, 0);
	ck_assert_uint_eq(message.look.depth, 2);
	ck_assert_mem_eq(data, frames, sizeof frames);
	prof_queue_destroy(queue);
}
END_TEST

START_TEST(full_queue_refuses_and_counts)
{
	struct prof_queue *queue = create(4 * (sizeof(struct prof_message) + 8));

	for (int64_t i = 0; i < 4; i++)
		ck_assert(put(queue, i, 8));
	ck_assert_uint_eq(prof_queue_lost(queue), 0);
	ck_assert(!put(queue, 4, 8));
	ck_assert(!put(queue, 5, 0));
	ck_assert_uint_eq(prof_queue_lost(queue), 2);
	for (int64_t i = 0; i < 4; i++)
		ck_assert_int_eq(take(queue), i);
	ck_assert_int_eq(take(queue), -1);
	ck_assert(put(queue, 6, 8));
	ck_assert_int_eq(take(queue), 6);
	prof_queue_destroy(queue);
}
END_TEST

START_TEST(taken_record_is_kept_until_the_next_take)
{
	struct prof_queue *queue = create(2 * (sizeof(struct prof_message) + 8));
	struct prof_message message;
	const void *data;

	ck_assert(put(queue, 1, 8) && put(queue, 2, 8));
	ck_assert(prof_queue_take(queue, &message, &data));
	ck_assert(!put(queue, 3, 8));
	assert_whole(&message, data);
	ck_assert_int_eq(take(queue), 2);
	ck_assert(put(queue, 4, 8));
	ck_assert_int_eq(take(queue), 4);
	prof_queue_destroy(queue);
}
END_TEST

START_TEST(empty_queue_takes_what_fits_wherever_it_was_left)
{
	const uint32_t room = 1024;
	struct prof_queue *queue = create(room);

	for (int64_t i = 0; i < 50; i++) {
		ck_assert(put(queue, 1, room - (uint32_t)sizeof(struct prof_message)));
		ck_assert_int_eq(take(queue), 1);
		ck_assert_int_eq(take(queue), -1);
		ck_assert(put(queue, 2, (uint32_t)i * 8));
		ck_assert_int_eq(take(queue), 2);
		ck_assert_int_eq(take(queue), -1);
	}
	ck_assert(!put(queue, 3, room));
	prof_queue_destroy(queue);
}
END_TEST

START_TEST(records_of_any_size_survive_the_end_of_the_ring)
{
	srand(1);
	for (size_t capacity = 100; capacity < 3000; capacity += 97) {
		struct prof_queue *queue = create(capacity);
		int64_t in = 0, out = 0;
		for (int i = 0; i < 3000; i++) {
			if (rand() % 2)
				in += put(queue, in, (uint32_t)rand() % 200);
			else if (take(queue) >= 0)
				out++;
		}
		for (int64_t time; (time = take(queue)) >= 0; out++)
			ck_assert_int_eq(time, out);
		ck_assert_int_eq(in, out);
		prof_queue_destroy(queue);
	}
}
END_TEST

enum { PRODUCERS = 2, PUTS = 200000 };

struct producer {
	struct prof_queue *queue;
	int64_t number;
	uint64_t refused;
	pthread_t thread;
};

static atomic_int running;

static void *produce(void *context)
{
	struct producer *producer = context;

	for (int64_t i = 0; i < PUTS; i++) {
		if (!put(producer->queue, i * PRODUCERS + producer->number, (uint32_t)i % 100))
			producer->refused++;
	}
	running--;
	return NULL;
}

/* Of each producer all arrives, in its order, but for what was counted as lost. */
START_TEST(two_producers_do_not_mix)
{
	struct prof_queue *queue = create(20000);
	struct producer producers[PRODUCERS];
	int64_t last[PRODUCERS] = {-1, -1};
	uint64_t taken = 0, refused = 0;

	running = PRODUCERS;
	for (int64_t i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){.queue = queue, .number = i};
		pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
	}
	for (bool more = true; more;) {
		more = running > 0;
		for (int64_t time; (time = take(queue)) >= 0; taken++) {
			if (time <= last[time % PRODUCERS])
				ck_abort_msg("out of order");
			last[time % PRODUCERS] = time;
		}
	}
	for (int i = 0; i < PRODUCERS; i++) {
		pthread_join(producers[i].thread, NULL);
		refused += producers[i].refused;
	}
	ck_assert_uint_eq(prof_queue_lost(queue), refused);
	ck_assert_uint_eq(taken + refused, (uint64_t)PRODUCERS * PUTS);
	ck_assert_uint_gt(taken, 0);
	prof_queue_destroy(queue);
}
END_TEST

START_TEST(batch_fits_as_far_as_there_is_room)
{
	struct prof_queue *queue = create(3 * (sizeof(struct prof_message) + 8));
	PROF_AUTO(prof_batch_deinit) struct prof_batch batch = {0};

	ck_assert(put(queue, 1, 8));
	for (int64_t time = 2; time < 6; time++)
		batch_add(&batch, time, 8);
	prof_queue_put_batch(queue, &batch);
	ck_assert_uint_eq(prof_queue_count(queue), 3);
	ck_assert_uint_eq(prof_queue_lost(queue), 2);
	for (int64_t time = 1; time < 4; time++)
		ck_assert_int_eq(take(queue), time);
	ck_assert_int_eq(take(queue), -1);
	prof_batch_deinit(&batch);
	prof_queue_put_batch(queue, &batch);
	ck_assert_int_eq(take(queue), -1);
	prof_queue_destroy(queue);
}
END_TEST

enum { BATCHES = 2000, BATCH = 20 };

static void *produce_batches(void *context)
{
	PROF_AUTO(prof_batch_deinit) struct prof_batch batch = {0};

	for (int64_t time = 0; time < BATCH; time++)
		batch_add(&batch, time, (uint32_t)time);
	for (int i = 0; i < BATCHES; i++)
		prof_queue_put_batch(context, &batch);
	running--;
	return NULL;
}

/* Nothing that another thread puts comes into a batch. */
START_TEST(batch_stays_together)
{
	struct prof_queue *queue = create(64 << 20);
	struct producer other = {.queue = queue, .number = PRODUCERS * BATCH};
	pthread_t thread;
	int batches = 0;

	running = 2;
	pthread_create(&other.thread, NULL, produce, &other);
	pthread_create(&thread, NULL, produce_batches, queue);
	pthread_join(other.thread, NULL);
	pthread_join(thread, NULL);
	for (int64_t time; (time = take(queue)) >= 0;) {
		if (time)
			continue;
		for (int64_t i = 1; i < BATCH; i++)
			ck_assert_int_eq(take(queue), i);
		batches++;
	}
	ck_assert_int_eq(batches, BATCHES);
	prof_queue_destroy(queue);
}
END_TEST

START_TEST(destroys_none)
{
	prof_queue_destroy(NULL);
}
END_TEST

RUN_TESTS("queue", records_come_out_as_they_went_in, frames_are_aligned,
	full_queue_refuses_and_counts, taken_record_is_kept_until_the_next_take,
	empty_queue_takes_what_fits_wherever_it_was_left,
	records_of_any_size_survive_the_end_of_the_ring, two_producers_do_not_mix,
	batch_fits_as_far_as_there_is_room, batch_stays_together, destroys_none)
