/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_ring.h"

#include "base/memory.h"
#include "suite.h"
#include "target/arch.h"

#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096 };

/* A ring that the test writes as the kernel does. */
struct scene {
	struct prof_perf_ring ring;
	int file;
};

static struct scene start(void)
{
	struct scene scene = {.file = memfd_create("ring", 0)};

	ck_assert_int_ge(scene.file, 0);
	ck_assert_int_eq(ftruncate(scene.file, sysconf(_SC_PAGESIZE) + SIZE), 0);
	ck_assert(prof_perf_ring_map(&scene.ring, scene.file, SIZE));
	return scene;
}

static void finish(struct scene *scene)
{
	prof_perf_ring_unmap(&scene->ring);
	close(scene->file);
}

static void put_bytes(struct prof_perf_ring *ring, const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		ring->data[(ring->page->data_head + i) % SIZE] = ((const unsigned char *)bytes)[i];
	ring->page->data_head += length;
}

/* A record of TYPE with MISC and the COUNT WORDS. */
static void put(struct prof_perf_ring *ring, uint32_t type, uint16_t misc, const uint64_t *words,
	size_t count)
{
	struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t)(sizeof header + count * sizeof *words),
	};

	put_bytes(ring, &header, sizeof header);
	put_bytes(ring, words, count * sizeof *words);
}

static uint64_t pair(uint32_t first, uint32_t second)
{
	return first | (uint64_t)second << 32;
}

/* A sample of thread 12 of process 11 on CPU 3, with registers of 100 and their number, and STACK
 * words of it; the kernel had room for two more. */
static void put_sample(struct prof_perf_ring *ring, uint16_t misc, size_t stack)
{
	uint64_t words[64] = {pair(11, 12), 1234, pair(3, 0), 4321, PERF_SAMPLE_REGS_ABI_64};
	size_t count = 5;

	for (unsigned i = 0; i < 64; i++) {
		if (prof_arch_x86_64.perf.mask >> i & 1)
			words[count++] = 100 + i;
	}
	words[count++] = (stack + 2) * sizeof *words;
	for (size_t i = 0; i < stack + 2; i++)
		words[count++] = 7000 + i;
	words[count++] = stack * sizeof *words;
	put(ring, PERF_RECORD_SAMPLE, misc, words, count);
}

/* Takes the next record, which must be well formed. */
static struct prof_perf_record take(struct prof_perf_ring *ring)
{
	struct prof_perf_record record;
	const struct perf_event_header *header = prof_perf_ring_next(ring);

	ck_assert_ptr_nonnull(header);
	ck_assert(prof_perf_record_parse(header, PROF_PERF_SAMPLE, &prof_arch_x86_64, &record));
	return record;
}

START_TEST(a_sample_is_read)
{
	struct scene scene = start();

	put_sample(&scene.ring, PERF_RECORD_MISC_USER, 3);
	put_sample(&scene.ring, PERF_RECORD_MISC_KERNEL, 0);
	prof_perf_ring_begin(&scene.ring);
	struct prof_perf_record record = take(&scene.ring);
	ck_assert_int_eq(record.kind, PROF_PERF_SAMPLE_TAKEN);
	ck_assert_int_eq(record.process, 11);
	ck_assert_int_eq(record.thread, 12);
	ck_assert_int_eq(record.time, 1234);
	ck_assert_uint_eq(record.cpu, 4);
	ck_assert_int_eq(record.count, 4321);
	/* Numbers of the kernel's, in the place of DWARF's. */
	static const unsigned numbers[] = {
		0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8};
	for (size_t i = 0; i < PROF_COUNT(numbers); i++)
		ck_assert_uint_eq(record.registers.value[i], 100 + numbers[i]);
	ck_assert_uint_eq(record.registers.pc, 108);
	ck_assert_int_eq(record.registers.within, PROF_WITHIN_PROGRAM);
	ck_assert_uint_eq(record.stack.address, 107);
	ck_assert_uint_eq(record.stack.length, 3 * sizeof(uint64_t));
	ck_assert_uint_eq(*(const uint64_t *)record.stack.bytes, 7000);
	record = take(&scene.ring);
	ck_assert_int_eq(record.registers.within, PROF_WITHIN_CALL);
	ck_assert_uint_eq(record.stack.length, 0);
	ck_assert_ptr_null(prof_perf_ring_next(&scene.ring));
	finish(&scene);
}
END_TEST

/* A sample with a chain: where the kernel was, then who called that, and user code behind it. */
START_TEST(a_sample_has_the_kernels_frames)
{
	const uint64_t begin[] = {pair(11, 12), 1234, pair(3, 0), 4321};
	const uint64_t chain[] = {6, (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010,
		0xffffffff81000020, 0xffffffff81000030, (uint64_t)PERF_CONTEXT_USER, 0x401000};
	uint64_t words[16];
	uint64_t frames[8];
	struct scene scene = start();
	struct prof_perf_record record;

	memcpy(words, begin, sizeof begin);
	memcpy(words + PROF_COUNT(begin), chain, sizeof chain);
	size_t count = PROF_COUNT(begin) + PROF_COUNT(chain);
	words[count++] = PERF_SAMPLE_REGS_ABI_NONE;
	words[count++] = 0; /* no stack */
	put(&scene.ring, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, words, count);
	/* There cannot be so many. */
	words[PROF_COUNT(begin)] = UINT64_MAX / 8;
	put(&scene.ring, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, words, count);
	prof_perf_ring_begin(&scene.ring);
	ck_assert(prof_perf_record_parse(prof_perf_ring_next(&scene.ring), PROF_PERF_SAMPLE_KERNEL,
		&prof_arch_x86_64, &record));
	ck_assert_uint_eq(prof_perf_record_kernel(&record, frames, PROF_COUNT(frames)), 3);
	ck_assert_uint_eq(frames[0], 0xffffffff81000010);
	ck_assert_uint_eq(frames[1], 0xffffffff8100001f);
	ck_assert_uint_eq(frames[2], 0xffffffff8100002f);
	ck_assert_uint_eq(prof_perf_record_kernel(&record, frames, 2), 2);
	ck_assert(!prof_perf_record_parse(prof_perf_ring_next(&scene.ring), PROF_PERF_SAMPLE_KERNEL,
		&prof_arch_x86_64, &record));
	finish(&scene);
}
END_TEST

/* What threads inherit has no count. */
START_TEST(a_sample_without_a_count_is_read)
{
	const uint64_t words[] = {
		pair(11, 12), 1234, pair(3, 0), PERF_SAMPLE_REGS_ABI_NONE, 0 /* no stack */};
	struct scene scene = start();
	struct prof_perf_record record;

	put(&scene.ring, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, words, PROF_COUNT(words));
	prof_perf_ring_begin(&scene.ring);
	ck_assert(prof_perf_record_parse(prof_perf_ring_next(&scene.ring),
		PROF_PERF_SAMPLE_INHERITED, &prof_arch_x86_64, &record));
	ck_assert_int_eq(record.thread, 12);
	ck_assert_int_eq(record.time, 1234);
	ck_assert_int_eq(record.count, 0);
	ck_assert_uint_eq(record.registers.valid, 0);
	finish(&scene);
}
END_TEST

/* A name that does not end, and what is missing. */
/* The address stands before the CPU; the CPU may say that the sample is exact. */
START_TEST(an_address_is_read)
{
	struct scene scene = start();
	const uint64_t words[] = {pair(11, 12), 1234, 0xfeed0008, pair(3, 0),
		PERF_SAMPLE_REGS_ABI_NONE, 0 /* no stack */};
	struct prof_perf_record record;

	put(&scene.ring, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP,
		words, PROF_COUNT(words));
	put(&scene.ring, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, words, PROF_COUNT(words));
	put(&scene.ring, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, words, 2);
	prof_perf_ring_begin(&scene.ring);
	for (int i = 0; i < 2; i++) {
		ck_assert(prof_perf_record_parse(prof_perf_ring_next(&scene.ring),
			PROF_PERF_SAMPLE_ADDRESSED, &prof_arch_x86_64, &record));
		ck_assert_int_eq(record.time, 1234);
		ck_assert_uint_eq(record.address, 0xfeed0008);
		ck_assert_uint_eq(record.cpu, 4);
		ck_assert_int_eq(record.exact, !i);
	}
	ck_assert(!prof_perf_record_parse(prof_perf_ring_next(&scene.ring),
		PROF_PERF_SAMPLE_ADDRESSED, &prof_arch_x86_64, &record));
	finish(&scene);
}
END_TEST

START_TEST(what_is_told_by_halves_is_refused)
{
	struct scene scene = start();
	struct prof_perf_record record;

	put(&scene.ring, PERF_RECORD_COMM, 0, (uint64_t[]){pair(11, 12), UINT64_MAX}, 2);
	put(&scene.ring, PERF_RECORD_COMM, 0, NULL, 0);
	put(&scene.ring, PERF_RECORD_LOST, 0, (uint64_t[]){77}, 1);
	prof_perf_ring_begin(&scene.ring);
	for (int i = 0; i < 3; i++)
		ck_assert(!prof_perf_record_parse(prof_perf_ring_next(&scene.ring),
			PROF_PERF_SAMPLE, &prof_arch_x86_64, &record));
	finish(&scene);
}
END_TEST

START_TEST(other_records_tell_of_threads_and_programs)
{
	struct scene scene = start();

	put(&scene.ring, PERF_RECORD_FORK, 0, (uint64_t[]){pair(11, 11), pair(13, 12), 0}, 3);
	put(&scene.ring, PERF_RECORD_FORK, 0, (uint64_t[]){pair(14, 11), pair(14, 12), 0}, 3);
	put(&scene.ring, PERF_RECORD_COMM, 0, (uint64_t[]){pair(11, 12), 0}, 2);
	put(&scene.ring, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC,
		(uint64_t[]){pair(11, 12), 0x6f6f66}, 2);
	put(&scene.ring, PERF_RECORD_LOST, 0, (uint64_t[]){77, 5}, 2);
	put(&scene.ring, PERF_RECORD_MMAP, 0, (uint64_t[]){pair(11, 12), 0x1000, 0x1000, 0, 0}, 5);
	put(&scene.ring, 99, 0, NULL, 0);
	prof_perf_ring_begin(&scene.ring);
	struct prof_perf_record record = take(&scene.ring);
	ck_assert_int_eq(record.kind, PROF_PERF_THREAD);
	ck_assert_int_eq(record.thread, 13);
	/* A process of its own is none of these. */
	ck_assert_int_eq(take(&scene.ring).kind, PROF_PERF_OTHER);
	ck_assert_int_eq(take(&scene.ring).kind, PROF_PERF_NAME);
	record = take(&scene.ring);
	ck_assert_int_eq(record.kind, PROF_PERF_EXEC);
	ck_assert_int_eq(record.process, 11);
	ck_assert_int_eq(record.thread, 12);
	ck_assert_str_eq(record.name, "foo");
	record = take(&scene.ring);
	ck_assert_int_eq(record.kind, PROF_PERF_LOST);
	ck_assert_uint_eq(record.lost, 5);
	ck_assert_int_eq(take(&scene.ring).kind, PROF_PERF_MAPPED);
	ck_assert_int_eq(take(&scene.ring).kind, PROF_PERF_OTHER);
	finish(&scene);
}
END_TEST

START_TEST(an_executed_program_is_seen_ahead)
{
	struct scene scene = start();

	put_sample(&scene.ring, 0, 3);
	put(&scene.ring, PERF_RECORD_COMM, 0, (uint64_t[]){pair(11, 12), 0x6f6f66}, 2);
	ck_assert(!prof_perf_ring_has_exec(&scene.ring));
	put(&scene.ring, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC,
		(uint64_t[]){pair(11, 12), 0x6f6f66}, 2);
	ck_assert(prof_perf_ring_has_exec(&scene.ring));
	/* All is still there to be read. */
	prof_perf_ring_begin(&scene.ring);
	ck_assert_int_eq(take(&scene.ring).kind, PROF_PERF_SAMPLE_TAKEN);
	ck_assert_int_eq(take(&scene.ring).kind, PROF_PERF_NAME);
	ck_assert_int_eq(take(&scene.ring).kind, PROF_PERF_EXEC);
	prof_perf_ring_end(&scene.ring);
	ck_assert(!prof_perf_ring_has_exec(&scene.ring));
	finish(&scene);
}
END_TEST

START_TEST(the_ring_is_read_round_and_round)
{
	struct scene scene = start();

	for (int i = 0; i < 100; i++) {
		ck_assert(!prof_perf_ring_has_more(&scene.ring));
		put_sample(&scene.ring, 0, (size_t)i % 7);
		put_sample(&scene.ring, 0, 5);
		ck_assert(prof_perf_ring_has_more(&scene.ring));
		/* What was not given back is there again. */
		for (int again = 0; again < 2; again++) {
			prof_perf_ring_begin(&scene.ring);
			struct prof_perf_record record = take(&scene.ring);
			for (int word = 0; word < i % 7; word++) {
				uint64_t got;
				memcpy(&got, record.stack.bytes + word * 8, sizeof got);
				ck_assert_uint_eq(got, 7000 + word);
			}
			ck_assert_uint_eq(take(&scene.ring).stack.length, 40);
			ck_assert_ptr_null(prof_perf_ring_next(&scene.ring));
		}
		prof_perf_ring_end(&scene.ring);
		ck_assert_uint_eq(scene.ring.page->data_tail, scene.ring.page->data_head);
	}
	finish(&scene);
}
END_TEST

START_TEST(what_is_no_record_is_refused)
{
	struct scene scene = start();
	struct prof_perf_record record;

	/* A stack that is longer than what is left, and one that says it has more than was copied.
	 */
	uint64_t words[32] = {pair(1, 1), 0, 0, 0, PERF_SAMPLE_REGS_ABI_64};
	words[22] = 8000;
	put(&scene.ring, PERF_RECORD_SAMPLE, 0, words, 25);
	words[22] = 8;
	words[24] = 9;
	put(&scene.ring, PERF_RECORD_SAMPLE, 0, words, 25);
	put(&scene.ring, PERF_RECORD_SAMPLE, 0, words, 3);
	put(&scene.ring, PERF_RECORD_FORK, 0, words, 1);
	/* A thread of the kernel's has no registers. */
	put(&scene.ring, PERF_RECORD_SAMPLE, 0, (uint64_t[]){pair(1, 1), 0, 0, 0, 0, 0}, 6);
	prof_perf_ring_begin(&scene.ring);
	for (int i = 0; i < 4; i++)
		ck_assert(!prof_perf_record_parse(prof_perf_ring_next(&scene.ring),
			PROF_PERF_SAMPLE, &prof_arch_x86_64, &record));
	ck_assert_uint_eq(take(&scene.ring).registers.valid, 0);
	/* A size of 0 would go on for ever. */
	prof_perf_ring_end(&scene.ring);
	put_bytes(&scene.ring, (uint64_t[]){0}, sizeof(uint64_t));
	prof_perf_ring_begin(&scene.ring);
	ck_assert_ptr_null(prof_perf_ring_next(&scene.ring));
	prof_perf_ring_end(&scene.ring);
	ck_assert(!prof_perf_ring_has_more(&scene.ring));
	finish(&scene);
}
END_TEST

START_TEST(what_is_left_is_read_the_next_time)
{
	struct scene scene = start();

	for (uint64_t i = 1; i <= 3; i++)
		put(&scene.ring, PERF_RECORD_LOST, 0, (const uint64_t[]){1, i}, 2);
	prof_perf_ring_begin(&scene.ring);
	ck_assert_uint_eq(take(&scene.ring).lost, 1);
	prof_perf_ring_leave(&scene.ring, prof_perf_ring_next(&scene.ring));
	ck_assert_ptr_null(prof_perf_ring_next(&scene.ring));
	prof_perf_ring_end(&scene.ring);
	ck_assert(prof_perf_ring_has_more(&scene.ring));
	prof_perf_ring_begin(&scene.ring);
	ck_assert_uint_eq(take(&scene.ring).lost, 2);
	prof_perf_ring_stop(&scene.ring);
	ck_assert_ptr_null(prof_perf_ring_next(&scene.ring));
	prof_perf_ring_end(&scene.ring);
	prof_perf_ring_begin(&scene.ring);
	ck_assert_uint_eq(take(&scene.ring).lost, 3);
	prof_perf_ring_end(&scene.ring);
	ck_assert(!prof_perf_ring_has_more(&scene.ring));
	finish(&scene);
}
END_TEST

RUN_TESTS("perf ring", what_is_left_is_read_the_next_time, an_address_is_read, a_sample_is_read,
	a_sample_has_the_kernels_frames, a_sample_without_a_count_is_read,
	what_is_told_by_halves_is_refused, other_records_tell_of_threads_and_programs,
	an_executed_program_is_seen_ahead, the_ring_is_read_round_and_round,
	what_is_no_record_is_refused)
