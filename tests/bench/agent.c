/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the agent costs a program, without GDB: the same allocations, or locks, with the functions
 * themselves, and through the agent, whose records a thread takes away meanwhile and only counts.
 */
#include "agent/agent.h"
#include "agent/hooks.h"
#include "target/process.h"
#include "target/rule.h"
#include "target/unwind.h"

#include <fcntl.h>
#include <unistd.h>

/* As through a slot of the global offset table. */
static void *(*volatile malloc_slot)(size_t);
static void (*volatile free_slot)(void *);
static int (*volatile lock_slot)(pthread_mutex_t *);
#define malloc(size) malloc_slot(size)
#define free(block) free_slot(block)
#define pthread_mutex_lock(mutex) lock_slot(mutex)
#include "locks.h"
#include "pairs.h"

enum { CHUNKS = 4096 };

static struct prof_ring *ring;
static struct pairs pairs;
static struct prof_agent wanted;
static _Atomic bool ended;
static struct prof_unwinder *unwinder;
static uint64_t events, bytes, raws;

void prof_agent_stage(uint32_t stage)
{
	if (stage == PROF_AGENT_LOADED) {
		prof_agent.families = wanted.families;
		prof_agent.chunks = CHUNKS;
		prof_agent.counter = 1;
		prof_agent.calibrate = wanted.calibrate;
	}
}

static void add_row(uint64_t pc, struct prof_row_rule rule)
{
	struct prof_row *rows = prof_ring_rows(ring);
	uint64_t slot = prof_rows_hash(pc);

	if (prof_rows_find(rows, pc) != PROF_ROW_NONE)
		return;
	while (atomic_load(&rows[slot % PROF_ROWS].pc))
		slot++;
	atomic_store(&rows[slot % PROF_ROWS].rule, prof_row_pack(rule));
	atomic_store(&rows[slot % PROF_ROWS].pc, pc);
}

static struct prof_row_rule row_rule(uint64_t pc)
{
	static const enum prof_row_kind kinds[] = {[PROF_RULE_SP] = PROF_ROW_SP,
		[PROF_RULE_FP] = PROF_ROW_FP,
		[PROF_RULE_AT_FP] = PROF_ROW_AT_FP,
		[PROF_RULE_SIGNAL] = PROF_ROW_SIGNAL,
		[PROF_RULE_OUTERMOST] = PROF_ROW_OUTERMOST,
		[PROF_RULE_STUCK] = PROF_ROW_STUCK};
	struct prof_rule rule;

	if (!prof_unwinder_rule(unwinder, pc, &rule))
		return (struct prof_row_rule){.kind = PROF_ROW_STUCK};
	return (struct prof_row_rule){
		kinds[rule.kind], rule.offset, rule.fp_saved, (int16_t)rule.fp_offset};
}

/* Adds rows for the frames of a raw stack, as gdbprof does. */
static void learn(const uint64_t *words)
{
	uint64_t pc = words[1], sp = words[2], fp = words[3], low = sp;
	const uint64_t *stack = &words[5];

	for (;;) {
		struct prof_row_rule rule = row_rule(pc - 1);
		uint64_t cfa =
			(rule.kind == PROF_ROW_SP ? sp : fp) + (uint64_t)(int64_t)rule.offset;
		add_row(pc - 1, rule);
		if ((rule.kind != PROF_ROW_SP && rule.kind != PROF_ROW_FP) || cfa <= sp ||
			cfa - low > words[4])
			return;
		pc = stack[(cfa - low) / 8 - 1];
		if (rule.fp_saved)
			fp = stack[(cfa - low + (uint64_t)(int64_t)rule.fp_offset) / 8];
		sp = cfa;
	}
}

struct reader {
	uint32_t chunk, at; /* CHUNK is its number plus 1 */
};

/* Takes the records of SLOT; whether there were any. */
static bool take(struct reader *reader, struct prof_ring_thread *slot)
{
	struct prof_ring_chunk *chunks = prof_ring_chunks(ring);
	bool any = false;

	if (!reader->chunk)
		reader->chunk = atomic_load(&slot->first);
	while (reader->chunk) {
		struct prof_ring_chunk *chunk = &chunks[reader->chunk - 1];
		uint32_t next = atomic_load_explicit(&chunk->next, memory_order_acquire);
		uint32_t used = atomic_load_explicit(&chunk->used, memory_order_acquire);
		for (; reader->at < used; any = true) {
			const uint64_t *words = (const uint64_t *)(chunk->data + reader->at);
			uint32_t size = (uint32_t)(words[0] >> 16 & 0xffff) * 8;
			bool raw = (words[0] & 0xff) == PROF_RING_RAW;
			if (raw)
				learn(words);
			raws += raw;
			events += !raw;
			bytes += size;
			reader->at += size;
		}
		if (!next)
			break;
		prof_ring_give(ring, reader->chunk);
		*reader = (struct reader){next, 0};
	}
	return any;
}

static void *reader(void *context)
{
	static struct reader readers[PROF_RING_THREADS];
	bool any = true;

	(void)context;
	for (bool last = false; !last || any;) {
		last = ended;
		any = false;
		for (unsigned i = 0; i < PROF_RING_THREADS; i++) {
			struct prof_ring_thread *slot = &prof_ring_threads(ring)[i];
			if (atomic_load(&slot->state) == PROF_RING_THREAD_USED)
				any |= take(&readers[i], slot);
		}
		if (!any)
			usleep(1000);
	}
	return NULL;
}

static uint64_t count_lost(void)
{
	uint64_t lost = ring->homeless;

	for (unsigned i = 0; i < PROF_RING_THREADS; i++)
		lost += prof_ring_threads(ring)[i].lost;
	return lost;
}

static double time_pairs_own(void)
{
	return time_pairs(&pairs);
}

/* Prints the ns of what TIME times, first alone, and then traced as is wanted. */
static void show(double (*time)(void), struct prof_agent asked)
{
	pthread_t thread;

	malloc_slot = (malloc);
	free_slot = (free);
	lock_slot = (pthread_mutex_lock);
	printf("alone-ns %.2f\n", time());
	wanted = asked;
	prof_agent_begin();
	ring = prof_agent.ring;
	if (prof_agent.stage != PROF_AGENT_READY || pthread_create(&thread, NULL, reader, NULL))
		abort();
	malloc_slot = prof_agent_malloc;
	free_slot = prof_agent_free;
	lock_slot = prof_agent_pthread_mutex_lock;
	printf("traced-ns %.2f\n", time());
	ended = true;
	(pthread_join)(thread, NULL);
	printf("events %lu\nbytes %lu\nraws %lu\nlost %lu\n", events, bytes, raws, count_lost());
}

/* pairs ..., or locks-all ..., or locks-calibrate ..., with the arguments of those programs */
int main(int count, char **words)
{
	struct prof_process process;
	struct prof_target target;

	if (count < 2)
		return 2;
	prof_process_init(&process, getpid());
	target = prof_process_target(&process);
	if (prof_unwinder_create(getpid(), &target, &unwinder))
		abort();
	if (!strcmp(words[1], "pairs")) {
		pairs = read_pairs(count - 1, words + 1);
		show(time_pairs_own, (struct prof_agent){.families = PROF_FAMILY_HEAP});
	} else {
		read_locks(count - 1, words + 1);
		show(time_locks,
			(struct prof_agent){.families = PROF_FAMILY_SYNC,
				.calibrate = !strcmp(words[1], "locks-calibrate")});
	}
	return 0;
}
