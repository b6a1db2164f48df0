/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/hook.h"
#include "tracing/ring_reader.h"

#include "base/clock.h"
#include "recording/queue.h"
#include "sample_ring.h"
#include "target/unwind.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { DEPTH = 100 };

static struct ring ring;
static struct prof_queue *queue;
static struct prof_ring_reader *reader;

/* What totals were told, as the recorder would know it. */
static struct {
	struct prof_total_message told;
	int64_t thread, time;
	uint64_t frames[DEPTH + 1];
	uint32_t depth;
	struct prof_argument_message arguments[PROF_ARGUMENTS];
} totals[64];
static size_t total_count, new_count;
static struct prof_held_message held[64];
static int64_t held_time[64];
static size_t held_count, mappings, threads;
static struct prof_tracing_figures traced;
static struct prof_heap heap;
static struct prof_operation_message operation; /* the last */

static void open_reader(void)
{
	static const struct prof_traced_hook hooks[] = {{.function = 0x1000}, {.function = 0x2000},
		{0},
		{.function = 0x3000,
			.count = 2,
			.letters = {'i', 'd'},
			.names = {"size", "share"}}};
	const struct prof_ring_reader_options options = {
		.ring = ring.head,
		.size = ring.size,
		.pid = getpid(),
		.queue = queue,
		.depth = DEPTH,
		.hooks = hooks,
		.hook_count = PROF_COUNT(hooks),
	};

	ck_assert_ok(prof_ring_reader_create(&options, &reader));
}

static void open_all(void)
{
	ring_open(&ring, 16);
	ck_assert_ok(prof_queue_create(1 << 22, &queue));
	open_reader();
}

static void close_all(void)
{
	prof_ring_reader_destroy(reader);
	prof_queue_destroy(queue);
	ring_close(&ring);
}

static void note_total(const struct prof_message *message, const struct prof_total_message *told)
{
	ck_assert_uint_lt(told->number, PROF_COUNT(totals));
	totals[told->number].told = *told;
	new_count += told->is_new;
	if (told->number >= total_count)
		total_count = told->number + 1;
	const uint64_t *frames = (const uint64_t *)(told + 1);
	memcpy(totals[told->number].arguments, frames + told->depth,
		told->arguments * sizeof(struct prof_argument_message));
	if (!told->depth)
		return;
	totals[told->number].thread = message->total.thread;
	totals[told->number].time = message->total.time;
	totals[told->number].depth = told->depth;
	ck_assert_uint_le(told->depth, DEPTH + 1);
	memcpy(totals[told->number].frames, told + 1, told->depth * sizeof(uint64_t));
}

static void note_held(const struct prof_message *message, const struct prof_held_message *data)
{
	for (size_t i = 0; i < message->size / sizeof *data; i++) {
		held_time[held_count] = message->held.time;
		held[held_count++] = data[i];
	}
}

/* Reads what was told. */
static void read_queue(void)
{
	struct prof_message message;
	const void *data;

	while (prof_queue_take(queue, &message, &data)) {
		switch ((enum prof_message_kind)message.kind) {
		case PROF_MESSAGE_TOTAL:
			note_total(&message, data);
			break;
		case PROF_MESSAGE_HELD:
			note_held(&message, data);
			break;
		case PROF_MESSAGE_HEAP:
			heap = *(const struct prof_heap *)data;
			break;
		case PROF_MESSAGE_TRACED:
			traced.events += message.traced.events;
			traced.lost += message.traced.lost;
			traced.operations_lost += message.traced.operations_lost;
			traced.families |= message.traced.families;
			break;
		case PROF_MESSAGE_OPERATIONS:
			operation = ((const struct prof_operation_message *)
					data)[message.size / sizeof operation - 1];
			break;
		case PROF_MESSAGE_MAPPING:
			mappings++;
			break;
		case PROF_MESSAGE_THREAD:
			threads++;
			break;
		default:
			break;
		}
	}
}

static uint64_t now(void)
{
	return (uint64_t)prof_clock();
}

enum { ENOUGH = 384 }; /* words, to the beginning of the program */

static unsigned recorded_words = ENOUGH; /* of a stack */

/* Puts the stack of its caller, as the agent would, before the record that is to have it. */
static __attribute__((noinline, no_sanitize("address"))) void put_stack(struct writer *writer)
{
	uint64_t *frame = __builtin_frame_address(0);
	uint64_t words[5 + ENOUGH];
	/* The name is above all frames, and little may be above it. */
	size_t most = ((uintptr_t)program_invocation_name - (uintptr_t)(frame + 2)) / 8;
	unsigned count = recorded_words < most ? recorded_words : (unsigned)most;

	/* The caller's frame begins above the return address. */
	words[0] = prof_ring_word(PROF_RING_RAW, 0, 5 + count, 0);
	words[1] = frame[1];
	words[2] = (uintptr_t)(frame + 2);
	words[3] = frame[0];
	words[4] = count * 8;
	for (unsigned i = 0; i < count; i++)
		words[5 + i] = ((const volatile uint64_t *)frame)[2 + i];
	ring_put(writer, words, 5 + count);
}

static volatile int sink;

static __attribute__((noinline)) void grab(struct writer *writer, uint64_t address)
{
	put_stack(writer);
	ring_alloc(writer, PROF_NODE_NONE, now(), address, 100);
	sink++;
}

START_TEST(a_stack_is_walked_and_told_with_the_function_that_was_called)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());

	grab(&writer, 64);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 1);
	ck_assert_uint_gt(totals[0].depth, 3);
	ck_assert_uint_eq(totals[0].frames[0], 0x1000);
	uint64_t offset = totals[0].frames[1] - (uintptr_t)grab;
	ck_assert_uint_lt(offset, 200);
	ck_assert_int_eq(totals[0].told.end, PROF_STACK_WHOLE);
	ck_assert_int_eq(totals[0].thread, getpid());
	ck_assert_uint_gt(mappings, 2);
	ck_assert_uint_eq(threads, 1);

	/* By now the agent can walk it itself, and gives it a number. */
	uint32_t node = ring_stack(&ring, totals[0].frames + 1, totals[0].depth - 1);
	ring_alloc(&writer, node, now(), 128, 7);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 2);
	ck_assert_uint_eq(totals[1].depth, totals[0].depth);
	ck_assert_mem_eq(totals[1].frames, totals[0].frames, totals[0].depth * sizeof(uint64_t));
	ck_assert_int_eq(totals[1].told.end, PROF_STACK_WHOLE);
	ck_assert_int_eq(totals[1].told.values[PROF_TRACED_BYTES], 7);
	close_all();
}
END_TEST

/* What is beyond may be another by now: it is not told, but there are rows for it. */
START_TEST(a_stack_ends_where_it_was_recorded)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());

	recorded_words = ENOUGH;
	grab(&writer, 64);
	recorded_words = 8;
	grab(&writer, 128);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 2);
	ck_assert_int_eq(totals[0].told.end, PROF_STACK_WHOLE);
	ck_assert_int_ne(totals[1].told.end, PROF_STACK_WHOLE);
	ck_assert_uint_lt(totals[1].depth, totals[0].depth);
	close_all();

	/* Only the short one. */
	uint32_t depth = totals[0].depth;
	uint64_t frames[DEPTH + 1];
	memcpy(frames, totals[0].frames, sizeof frames);
	open_all();
	writer = ring_thread(&ring, 0, (uint32_t)getpid());
	grab(&writer, 64);
	prof_ring_reader_flush(reader);
	/* All but what was called, and the two frames that are other ones this time. */
	for (uint32_t i = 3; i < depth; i++)
		ck_assert_uint_ne(
			prof_rows_find(prof_ring_rows(ring.head), frames[i]), PROF_ROW_NONE);
	close_all();
	recorded_words = ENOUGH;
}
END_TEST

START_TEST(totals_are_told_again_when_they_have_changed)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());

	ring_alloc(&writer, 0, now(), 64, 10);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_LEAKED], 10);
	ck_assert_int_eq(heap.peak, 10);
	ck_assert_int_eq(heap.leak_smallest, 10);
	ring_free(&writer, now(), 64);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 1);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_LEAKED], 0);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_TEMPORARY], 1);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_PEAK], 10);
	ck_assert_int_eq(heap.leak_smallest, -1);
	ck_assert_uint_eq(traced.events, 2);
	ck_assert_uint_eq(traced.families, PROF_FAMILY_HEAP);
	close_all();
}
END_TEST

START_TEST(operations_that_the_agent_lost_are_told_once)
{
	open_all();
	for (int i = 0; i < 2; i++) {
		traced = (struct prof_tracing_figures){0};
		ring.head->operations_lost += 3;
		prof_ring_reader_flush(reader);
		read_queue();
		ck_assert_uint_eq(traced.operations_lost, 3);
		ck_assert_uint_eq(traced.lost, 0);
	}
	close_all();
}
END_TEST

START_TEST(a_message_of_mpi_is_one_event_with_an_operation)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());
	uint64_t begin = now();

	RING_RECORD(&writer, PROF_RING_MESSAGE, 1, 0, begin + 7, begin, 80,
		prof_ring_operation_peer(5, 6),
		prof_ring_operation_word(PROF_RING_OPERATION_RECEIVE, 2, 9));
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 1);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_MPI_TIME], 7);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_MPI_RECEIVED], 80);
	ck_assert_uint_eq(totals[0].told.rank, 3);
	ck_assert_uint_eq(totals[0].told.peer, 6);
	ck_assert_uint_eq(traced.events, 1);
	ck_assert_uint_eq(operation.number, 9);
	ck_assert_uint_eq(operation.total, 0);
	ck_assert_int_eq(operation.begin, (int64_t)begin);
	close_all();
}
END_TEST

/* A total that has not changed since it was told has another share of the new peak. */
START_TEST(a_new_peak_is_told_of_all_totals)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());

	RING_RECORD(&writer, PROF_RING_ALLOC, 0, 0, now(), 64, 10);
	RING_RECORD(&writer, PROF_RING_ALLOC, 1, 0, now(), 128, 100);
	ring_free(&writer, now(), 64);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_PEAK], 10);
	RING_RECORD(&writer, PROF_RING_ALLOC, 1, 0, now(), 256, 100);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_PEAK], 0);
	ck_assert_int_eq(totals[1].told.values[PROF_TRACED_PEAK], 200);
	ck_assert_int_eq(heap.peak, 200);
	close_all();
}
END_TEST

START_TEST(marks_cut_totals_by_time)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());
	/* The thread leaves alone what is of later. */
	uint64_t begin = now() + 50000000;

	ring_alloc(&writer, 0, begin, 64, 10);
	ring_alloc(&writer, 0, begin + 10, 128, 20);
	prof_ring_reader_mark(reader, (int64_t)begin + 10);
	while (now() < begin + 11)
		usleep(1000);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 2);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_BYTES], 10);
	ck_assert_int_eq(totals[1].told.values[PROF_TRACED_BYTES], 20);
	ck_assert_int_le(totals[0].time, (int64_t)begin + 10);
	/* An interval's begin is not in it. */
	ck_assert_int_gt(totals[1].time, (int64_t)begin + 10);
	ck_assert_uint_eq(held_count, 1);
	ck_assert_uint_eq(held[0].total, 0);
	ck_assert_uint_eq(held[0].bytes, 10);
	ck_assert_int_eq(held_time[0], (int64_t)begin + 10);
	close_all();
}
END_TEST

START_TEST(arguments_of_calls_are_added_up)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());
	uint64_t begin = now();
	const int64_t sizes[] = {-3, 5, 4};
	const double shares[] = {0.5, -0.25, 2};

	for (uint64_t i = 0; i < 3; i++) {
		uint64_t share;
		memcpy(&share, &shares[i], sizeof share);
		RING_RECORD(&writer, PROF_RING_CALL, 3, 0, begin + 10 * i + 5, begin + 10 * i,
			(uint64_t)sizes[i], share);
	}
	/* One that lacks an argument has 0. */
	RING_RECORD(&writer, PROF_RING_CALL, 3, 0, begin + 41, begin + 40, 7);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 1);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_CALLS], 4);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_INSIDE], 16);
	ck_assert_uint_eq(totals[0].told.arguments, 2);
	const struct prof_argument_message *told = totals[0].arguments;
	ck_assert_str_eq(told[0].name, "size");
	ck_assert(told[0].sum.sum == prof_value_of(13));
	ck_assert(told[0].sum.least == prof_value_of(-3));
	ck_assert(told[0].sum.most == prof_value_of(7));
	ck_assert_str_eq(told[1].name, "share");
	ck_assert(told[1].sum.sum == prof_value_of(9) / 4);
	ck_assert(told[1].sum.least == prof_value_of(-1) / 4);
	ck_assert(told[1].sum.most == prof_value_of(2));
	close_all();
}
END_TEST

/* While the program runs, without anybody asking. */
START_TEST(the_thread_takes_and_tells)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());

	for (int i = 0; i < 1000; i++)
		ring_alloc(&writer, 0, now(), 64 + 64 * (uint64_t)i, 1);
	for (int i = 0; i < 5000 && totals[0].told.values[PROF_TRACED_ALLOCATIONS] < 1000; i++) {
		usleep(2000);
		read_queue();
	}
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_ALLOCATIONS], 1000);
	close_all();
}
END_TEST

/* New threads get the numbers of totals that threads had which are gone. */
START_TEST(threads_that_are_gone_make_room)
{
	open_all();
	/* No process has threads of such ids. */
	for (uint32_t id = UINT32_MAX; new_count <= total_count; id--) {
		struct writer writer = ring_thread(&ring, 0, id);
		ring_alloc(&writer, 0, now(), 64, 10);
		ring_free(&writer, now(), 64);
		while (atomic_load(&writer.slot->state) != PROF_RING_THREAD_FREE)
			usleep(1000);
		read_queue();
	}
	close_all();
}
END_TEST

START_TEST(frees_and_blocks_of_other_threads_are_in_the_order_of_time)
{
	open_all();
	struct writer one = ring_thread(&ring, 0, (uint32_t)getpid());
	struct writer two = ring_thread(&ring, 1, 1 << 30);
	uint64_t begin = now() - 10000;

	/* One block after the other at the same address, freed by the other thread. */
	for (uint64_t i = 0; i < 1000; i++) {
		ring_alloc(&one, 0, begin + 2 * i, 64, 8);
		ring_free(&two, begin + 2 * i + 1, 64);
	}
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_ALLOCATIONS], 1000);
	ck_assert_int_eq(totals[0].told.values[PROF_TRACED_LEAKS], 0);
	ck_assert_int_eq(heap.unmatched, 0);
	ck_assert_int_eq(heap.peak, 8);
	close_all();
}
END_TEST

/* Nodes that the program has damaged lead nowhere, or round and round. */
START_TEST(damaged_nodes_are_survived)
{
	open_all();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());
	_Atomic uint64_t *nodes = prof_ring_nodes(ring.head);

	grab(&writer, 64);
	prof_ring_reader_flush(reader);
	read_queue();
	uint32_t row = prof_rows_find(prof_ring_rows(ring.head), totals[0].frames[1]);
	nodes[5] = UINT64_C(5) << 32 | (row + 1);
	nodes[6] = UINT64_C(0xffffffff) << 32 | (row + 1);
	nodes[7] = UINT64_C(5) << 32 | UINT32_MAX;
	for (uint32_t i = 5; i < 10; i++)
		RING_RECORD(&writer, PROF_RING_ALLOC, i, i, now(), 64 * i, 1);
	RING_RECORD(&writer, PROF_RING_ALLOC, 200, UINT32_MAX, now(), 1 << 20, 1);
	RING_RECORD(&writer, PROF_RING_ALLOC, 201, PROF_NODES + 1000, now(), 1 << 21, 1);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, 8);
	ck_assert_uint_eq(totals[1].depth, DEPTH);
	ck_assert_int_eq(totals[1].told.end, PROF_STACK_TRUNCATED);
	ck_assert_uint_eq(totals[2].depth, 1);
	close_all();
}
END_TEST

START_TEST(noise_is_survived)
{
	unsigned seed = 3;

	for (int i = 0; i < 60; i++) {
		open_all();
		struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());
		for (int j = 0; j < 2000; j++) {
			uint64_t words[6];
			unsigned kind = 1 + (unsigned)rand_r(&seed) % 7;
			for (int k = 1; k < 6; k++)
				words[k] =
					(uint64_t)rand_r(&seed) % 64 * (1 + (uint64_t)k % 3 * 4096);
			if (rand_r(&seed) % 50 == 0)
				words[1 + rand_r(&seed) % 5] =
					UINT64_MAX - (uint64_t)rand_r(&seed) % 9;
			words[0] = prof_ring_word(
				kind, (unsigned)rand_r(&seed) % 3, 6, (uint32_t)rand_r(&seed) % 3);
			if (kind == PROF_RING_RAW)
				words[4] = 8;
			ring_put(&writer, words, 6);
			if (j % 500 == 0)
				prof_ring_reader_mark(reader, prof_clock());
		}
		prof_ring_reader_flush(reader);
		close_all();
	}
}
END_TEST

/* How many totals have been told, in whatever order. */
static size_t count_told(void)
{
	size_t count = 0;

	for (size_t i = 0; i < PROF_COUNT(totals); i++)
		count += totals[i].told.values[PROF_TRACED_ALLOCATIONS] == 1;
	return count;
}

/* The recorder is slow, or gone: what it has no room for is told later, and flush() returns. */
START_TEST(a_full_queue_loses_no_total)
{
	ring_open(&ring, 16);
	ck_assert_ok(prof_queue_create(1 << 14, &queue));
	open_reader();
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());

	for (unsigned i = 0; i < 64; i++)
		RING_RECORD(&writer, PROF_RING_ALLOC, i, 0, now(), 64 + 64 * (uint64_t)i, 1);
	for (int i = 0; i < 5000 && count_told() < 64; i++) {
		usleep(2000);
		read_queue();
	}
	ck_assert_uint_eq(count_told(), 64);
	close_all();
}
END_TEST

enum { WRITERS = 3, PAIRS = 100000 };

static pthread_barrier_t together;

/* Allocates and frees; where the ring is full it waits, as no program would. */
static void *write_pairs(void *context)
{
	uint32_t number = *(const uint32_t *)context;
	struct writer own = ring_thread(&ring, number, (uint32_t)gettid());
	struct writer *writer = &own;
	uint64_t base = (uint64_t)(number + 1) << 32;

	pthread_barrier_wait(&together);
	for (uint64_t i = 0; i < PAIRS; i++) {
		while (!RING_RECORD(writer, PROF_RING_ALLOC, 0, 0, now(), base + 64, 8))
			usleep(100);
		while (i + 1 < PAIRS &&
			!RING_RECORD(writer, PROF_RING_FREE, 1, 0, now(), base + 64))
			usleep(100);
	}
	return NULL;
}

START_TEST(writers_and_reader_run_side_by_side)
{
	uint32_t numbers[WRITERS];
	pthread_t ids[WRITERS];

	open_all();
	pthread_barrier_init(&together, NULL, WRITERS);
	for (uint32_t i = 0; i < WRITERS; i++) {
		numbers[i] = i;
		ck_assert_int_eq(pthread_create(&ids[i], NULL, write_pairs, &numbers[i]), 0);
	}
	for (int i = 0; i < 20; i++) {
		usleep(1000);
		prof_ring_reader_flush(reader); /* which may not mix anything up */
		read_queue();
	}
	for (int i = 0; i < WRITERS; i++)
		pthread_join(ids[i], NULL);
	prof_ring_reader_flush(reader);
	read_queue();
	ck_assert_uint_eq(total_count, WRITERS);
	for (int i = 0; i < WRITERS; i++) {
		ck_assert_int_eq(totals[i].told.values[PROF_TRACED_ALLOCATIONS], PAIRS);
		ck_assert_int_eq(totals[i].told.values[PROF_TRACED_LEAKS], 1);
	}
	ck_assert_uint_eq(traced.events, WRITERS * (2 * PAIRS - 1));
	ck_assert_int_eq(heap.unmatched, 0);
	ck_assert_int_eq(heap.peak, WRITERS * 8);
	close_all();
}
END_TEST

RUN_TESTS("reader", writers_and_reader_run_side_by_side, arguments_of_calls_are_added_up,
	a_stack_is_walked_and_told_with_the_function_that_was_called,
	a_stack_ends_where_it_was_recorded, operations_that_the_agent_lost_are_told_once,
	a_message_of_mpi_is_one_event_with_an_operation,
	totals_are_told_again_when_they_have_changed, a_new_peak_is_told_of_all_totals,
	marks_cut_totals_by_time, the_thread_takes_and_tells, threads_that_are_gone_make_room,
	frees_and_blocks_of_other_threads_are_in_the_order_of_time, damaged_nodes_are_survived,
	noise_is_survived, a_full_queue_loses_no_total)
