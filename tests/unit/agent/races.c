/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many threads at once; `make check-tsan` runs this with ThreadSanitizer. */
#include "agent_session.h"

#include <pthread.h>

static struct event events[EVENTS];

enum { THREADS = 8, CALLS = 500000, AHEAD = 100000 };

static _Atomic uint64_t received[THREADS];
static _Atomic unsigned running;

static _Thread_local void *volatile own;

/* Sizes tell which thread it is. */
static __attribute__((noinline)) void allocate_numbered(uint64_t number)
{
	own = CALL(realloc, NULL, number << 32 | 1);
}

static void *allocate_often(void *context)
{
	uint64_t number = (uint64_t)(uintptr_t)context;

	for (uint64_t i = 0; i < CALLS; i++) {
		while (i > atomic_load(&received[number]) + AHEAD)
			usleep(1000);
		allocate_numbered(number);
	}
	atomic_fetch_sub(&running, 1);
	return NULL;
}

/* So that sizes may be any. */
static void *make_nothing(void *block, size_t size)
{
	static _Thread_local uint64_t count;

	(void)block;
	return (void *)(uintptr_t)((size >> 32 << 32) + 16 * ++count);
}

/* Takes what is there of all threads; whether there was anything. */
static bool take_all(struct reader *readers)
{
	bool any = false;

	for (unsigned i = 0; i < PROF_RING_THREADS; i++) {
		struct prof_ring_thread *slot = &prof_ring_threads(ring)[i];
		struct event event;
		if (atomic_load(&slot->state) != PROF_RING_THREAD_USED)
			continue;
		while (next_event(&readers[i], slot, true, &event)) {
			uint64_t number = event.values[2] >> 32;
			any = true;
			must(event.kind == PROF_RING_ALLOC && number < THREADS &&
				event.values[1] == (number << 32) + 16 * (received[number] + 1) &&
				event.node != PROF_NODE_NONE);
			received[number]++;
		}
	}
	return any;
}

START_TEST(none_of_many_threads_records_is_lost_or_doubled)
{
	static struct reader readers[PROF_RING_THREADS];
	pthread_t threads[THREADS];

	begin_heap();
	allocate_numbered(0);
	CALL(free, own);
	ck_assert_uint_eq(read_own(events), 2);
	add_row(events[0].pc - 1, (struct prof_row_rule){.kind = PROF_ROW_OUTERMOST});
	atomic_store(&find_slot((uint32_t)gettid())->state, PROF_RING_THREAD_TAKEN);
	prof_agent_hooks[PROF_HOOK_realloc].real = (void *)make_nothing;
	running = THREADS;
	for (uintptr_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, allocate_often, (void *)i), 0);
	for (bool last = false; !last;) {
		last = !running;
		while (take_all(readers))
			;
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_uint_eq(received[i], CALLS);
	}
	ck_assert_uint_eq(ring->homeless, 0);
	for (unsigned i = 0; i < PROF_RING_THREADS; i++)
		ck_assert_uint_eq(prof_ring_threads(ring)[i].lost, 0);
}
END_TEST

enum { STEPS = 20000, STACKS = 1000 };

/* By thread, the nodes that it has got. */
static uint32_t nodes[THREADS][STEPS];

static uint32_t hash(uint32_t number)
{
	return (uint32_t)(prof_rows_hash(number) >> 7);
}

/* The same stacks for all threads, each of which begins with another one. */
static void *intern_often(void *context)
{
	uint32_t number = (uint32_t)(uintptr_t)context;

	for (uint32_t i = 0; i < STEPS; i++) {
		uint32_t stack = (i + number * (STEPS / THREADS)) % STEPS, node = PROF_NODE_EMPTY;
		for (uint32_t depth = 0; depth < 1 + stack % 9; depth++)
			node = prof_nodes_intern(prof_ring_nodes(prof_agent.ring), node,
				hash(stack % STACKS + depth) % PROF_ROWS);
		nodes[number][stack] = node;
	}
	return NULL;
}

START_TEST(equal_stacks_have_the_same_node_in_all_threads)
{
	pthread_t threads[THREADS];
	_Atomic uint64_t *table;
	unsigned used = 0, distinct = 0;

	begin_heap();
	table = prof_ring_nodes(ring);
	for (uintptr_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, intern_often, (void *)i), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_mem_eq(nodes[i], nodes[0], sizeof nodes[0]);
	}
	for (uint32_t stack = 0; stack < STEPS; stack++) {
		uint32_t node = nodes[0][stack];
		for (uint32_t depth = 1 + stack % 9; depth--; node = (uint32_t)(table[node] >> 32))
			must((uint32_t)table[node] == hash(stack % STACKS + depth) % PROF_ROWS + 1);
		must(node == PROF_NODE_EMPTY);
	}
	/* Each entry is there once. */
	for (uint32_t i = 1; i < PROF_NODES; i++) {
		uint64_t key = table[i];
		used += key != 0;
		distinct += key &&
			prof_nodes_intern(table, (uint32_t)(key >> 32), (uint32_t)key - 1) == i;
	}
	ck_assert_uint_gt(used, STACKS);
	ck_assert_uint_eq(used, distinct);
}
END_TEST

START_TEST(a_full_table_is_told)
{
	static _Atomic uint64_t table[PROF_NODES];
	uint32_t node = 0;

	for (uint32_t i = 0; i < PROF_NODES; i++)
		atomic_store_explicit(&table[i], 1, memory_order_relaxed);
	ck_assert_uint_eq(prof_nodes_intern(table, PROF_NODE_EMPTY, 5), PROF_NODE_NONE);
	atomic_store(&table[77], 0);
	for (uint32_t row = 1; row < PROF_ROWS && node != 77; row++)
		node = prof_nodes_intern(table, PROF_NODE_EMPTY, row);
	ck_assert_uint_eq(node, 77);
}
END_TEST

RUN_TESTS("agent races", none_of_many_threads_records_is_lost_or_doubled,
	equal_stacks_have_the_same_node_in_all_threads, a_full_table_is_told)
