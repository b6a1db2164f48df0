/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions with the agent in this very program, for its tests: they play gdbprof. */
#ifndef PROF_TESTS_AGENT_SESSION_H
#define PROF_TESTS_AGENT_SESSION_H

#include "agent/agent.h"
#include "agent/hooks.h"

#include "suite.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Sizes that are too large are a part of the tests, and blocks that nobody frees.
 */
#define OPTIONS(tool)                                                                        \
	__attribute__((visibility("default"))) const char *__##tool##_default_options(void); \
	const char *__##tool##_default_options(void)                                         \
	{                                                                                    \
		return "allocator_may_return_null=1:detect_leaks=0";                         \
	}
OPTIONS(asan)
OPTIONS(tsan)

enum { CHUNKS = 1024, EVENTS = 4096 };

/* For millions: an assertion of Check's own writes a file. */
#define must(condition)                                         \
	do {                                                    \
		if (!(condition))                               \
			ck_abort_msg("not so: %s", #condition); \
	} while (0)

/* What the agent shall be asked for; without families, nothing. */
static struct prof_agent request;
static struct prof_ring *ring; /* our own mapping */
static uint32_t stages[8], stage_count;
static int ring_file;

/* Looks at the file in memory as gdbprof does, which has it from /proc. */
static void meet_ready(void)
{
	char path[64];
	struct stat status;

	snprintf(path, sizeof path, "/proc/self/fd/%d", prof_agent.fd);
	int file = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(fstat(file, &status), 0);
	ck_assert_uint_eq((size_t)status.st_size, prof_ring_size(prof_agent.chunks));
	ck_assert_int_eq(fcntl(file, F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	ring = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	ck_assert_ptr_ne(ring, MAP_FAILED);
	close(file);
#ifdef __SANITIZE_THREAD__
	ring = prof_agent.ring; /* it does not know that both are the same memory */
#endif
	ring_file = prof_agent.fd;
}

void prof_agent_stage(uint32_t stage)
{
	if (stage_count < sizeof stages / sizeof *stages)
		stages[stage_count++] = stage;
	if (stage == PROF_AGENT_LOADED) {
		prof_agent.families = request.families;
		prof_agent.chunks = request.chunks;
		prof_agent.counter = request.counter;
		prof_agent.calibrate = request.calibrate;
		prof_agent.threshold = request.threshold;
		prof_agent.mpi_limit = request.mpi_limit;
		prof_agent.mpi_stacks = request.mpi_stacks;
		prof_agent.traced_count = request.traced_count;
		for (uint32_t i = 0; i < request.traced_count; i++)
			prof_agent.traced[i] = request.traced[i];
	}
	if (stage == PROF_AGENT_READY)
		meet_ready();
}

static inline void begin(struct prof_agent asked)
{
	request = asked;
	request.chunks = asked.chunks ? asked.chunks : CHUNKS;
	stage_count = 0;
	prof_agent_begin();
	ck_assert_uint_eq(prof_agent.stage, PROF_AGENT_READY);
	request = (struct prof_agent){0};
}

static inline void begin_heap(void)
{
	begin((struct prof_agent){.families = PROF_FAMILY_HEAP, .counter = 1});
}

/* Adds the row RULE for the program counter PC, as gdbprof does. */
static inline void add_row(uint64_t pc, struct prof_row_rule rule)
{
	struct prof_row *rows = prof_ring_rows(ring);
	uint64_t slot = prof_rows_hash(pc);

	while (atomic_load(&rows[slot % PROF_ROWS].pc))
		slot++;
	atomic_store(&rows[slot % PROF_ROWS].rule, prof_row_pack(rule));
	atomic_store(&rows[slot % PROF_ROWS].pc, pc);
}

/*
 * Moves the calling thread to the first CPU that it may use, or to the LAST.  Returns the number
 * that records have there.
 */
static inline unsigned move_to(cpu_set_t *all, bool last)
{
	cpu_set_t one;
	int cpu = last ? CPU_SETSIZE - 1 : 0;

	while (!CPU_ISSET(cpu, all))
		cpu += last ? -1 : 1;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
	return prof_system_numbered() ? (unsigned)cpu + 1 : 0;
}

/* The wrapper of NAME, as whoever is redirected calls it. */
#define CALL(name, ...) ((__typeof__(name) *volatile)prof_agent_##name)(__VA_ARGS__)

/* A record as it was found. */
struct event {
	uint32_t thread; /* the kernel's number */
	enum prof_ring_kind kind;
	unsigned what;
	uint32_t node;
	unsigned cpu; /* its number plus 1; 0: not known */
	unsigned count;
	uint64_t values[2 + PROF_CALL_VALUES];
	/* Of a raw stack before it. */
	uint64_t pc, sp, fp, length;
	const unsigned char *raw;
};

struct reader {
	struct prof_ring_chunk *chunk;
	uint32_t number, at;
	struct event raw;
};

static inline bool next_chunk(struct reader *reader, const struct prof_ring_thread *slot, bool give)
{
	uint32_t next = reader->chunk
		? atomic_load_explicit(&reader->chunk->next, memory_order_acquire)
		: atomic_load_explicit(&slot->first, memory_order_acquire);

	if (!next || (reader->chunk && reader->at != atomic_load(&reader->chunk->used)))
		return false;
	if (reader->chunk && give)
		prof_ring_give(ring, reader->number);
	reader->number = next;
	reader->chunk = &prof_ring_chunks(ring)[next - 1];
	reader->at = 0;
	return true;
}

/* Takes the next record of the thread of SLOT; chunks that are done are given back if GIVE. */
static inline bool next_event(
	struct reader *reader, const struct prof_ring_thread *slot, bool give, struct event *ret)
{
	while (!reader->chunk ||
		reader->at == atomic_load_explicit(&reader->chunk->used, memory_order_acquire)) {
		if (!next_chunk(reader, slot, give))
			return false;
	}
	const uint64_t *words = (const uint64_t *)(reader->chunk->data + reader->at);
	unsigned length = words[0] >> 16 & 0xffff;
	must(length > 1);
	reader->at += length * (uint32_t)sizeof *words;
	*ret = (struct event){.thread = slot->id,
		.kind = (enum prof_ring_kind)prof_ring_kind_of(words[0]),
		.what = prof_ring_what_of(words[0]),
		.node = words[0] >> 32 & PROF_RING_NODE,
		.cpu = (unsigned)(words[0] >> 54),
		.count = length - 1};
	if (ret->node == PROF_RING_NODE)
		ret->node = PROF_NODE_NONE;
	if (ret->kind == PROF_RING_RAW) {
		struct event raw = {.pc = words[1],
			.sp = words[2],
			.fp = words[3],
			.length = words[4],
			.raw = (const unsigned char *)&words[5]};
		must(raw.length == (length - 5) * sizeof *words);
		must(ret->node == PROF_NODE_NONE);
		must(next_event(reader, slot, give, ret));
		must(ret->node == PROF_NODE_NONE);
		ret->pc = raw.pc;
		ret->sp = raw.sp;
		ret->fp = raw.fp;
		ret->length = raw.length;
		ret->raw = raw.raw;
		return true;
	}
	for (unsigned i = 0; i < ret->count && i < 2 + PROF_CALL_VALUES; i++)
		ret->values[i] = words[1 + i];
	return true;
}

/* The slot of the thread ID; NULL: it has none. */
static inline struct prof_ring_thread *find_slot(uint32_t id)
{
	for (unsigned i = 0; i < PROF_RING_THREADS; i++) {
		struct prof_ring_thread *slot = &prof_ring_threads(ring)[i];
		if (atomic_load(&slot->state) == PROF_RING_THREAD_USED && slot->id == id)
			return slot;
	}
	return NULL;
}

/* All that this thread has written so far, without giving anything back. */
static inline unsigned read_own(struct event *events)
{
	struct prof_ring_thread *slot = find_slot((uint32_t)gettid());
	struct reader reader = {0};
	unsigned count = 0;

	while (slot && count < EVENTS && next_event(&reader, slot, false, &events[count]))
		count++;
	return count;
}

#endif
