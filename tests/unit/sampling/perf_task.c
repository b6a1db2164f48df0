/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_task.h"

#include "base/compiler.h"
#include "suite.h"

#include <linux/perf_event.h>
#include <sys/sysmacros.h>

/* A record, as the kernel writes it. */
static struct {
	struct perf_event_header header;
	unsigned char bytes[256];
} record;

static void put(const void *bytes, size_t size)
{
	memcpy(record.bytes + record.header.size - sizeof record.header, bytes, size);
	record.header.size += (uint16_t)size;
}

static void put_pair(uint32_t one, uint32_t other)
{
	put((const uint32_t[]){one, other}, 8);
}

static void put_word(uint64_t word)
{
	put(&word, sizeof word);
}

/* TEXT, with zeroes up to a whole word. */
static void put_text(const char *text)
{
	char bytes[64] = "";

	strcpy(bytes, text);
	put(bytes, strlen(text) / 8 * 8 + 8);
}

static void begin(uint32_t type, uint16_t misc)
{
	record.header = (struct perf_event_header){
		.type = type, .misc = misc, .size = sizeof record.header};
}

/* The id that is behind all but samples: of thread 12, at 1234, on CPU 3. */
static void put_id(void)
{
	put_pair(11, 12);
	put_word(1234);
	put_pair(3, 0);
}

static struct prof_perf_task parse(void)
{
	struct prof_perf_task task;

	ck_assert(prof_perf_task_parse(&record.header, &task));
	ck_assert_int_eq(prof_perf_task_time(&record.header), 1234);
	/* Cut anywhere it is refused, or has lost the id only. */
	const uint16_t size = record.header.size;
	for (uint16_t less = sizeof record.header; less < size; less++) {
		struct prof_perf_task damaged;
		record.header.size = less;
		(void)prof_perf_task_time(&record.header);
		(void)prof_perf_task_parse(&record.header, &damaged);
	}
	record.header.size = sizeof record.header + sizeof(uint64_t);
	ck_assert(!prof_perf_task_parse(&record.header, &(struct prof_perf_task){0}));
	record.header.size = size;
	return task;
}

START_TEST(a_process_is_made)
{
	begin(PERF_RECORD_FORK, 0);
	put_pair(21, 11); /* processes */
	put_pair(22, 12); /* threads */
	put_word(1234);
	put_id();
	struct prof_perf_task task = parse();
	ck_assert_int_eq(task.kind, PROF_PERF_TASK_MADE);
	ck_assert_int_eq(task.process, 21);
	ck_assert_int_eq(task.maker, 11);
	ck_assert_int_eq(task.thread, 22);
	ck_assert_int_eq(task.maker_thread, 12);
	ck_assert_int_eq(task.time, 1234);
	record.header.type = PERF_RECORD_EXIT;
	ck_assert_int_eq(parse().kind, PROF_PERF_TASK_ENDED);
}
END_TEST

START_TEST(a_thread_is_named)
{
	begin(PERF_RECORD_COMM, 0);
	put_pair(11, 12);
	put_text("worker");
	put_id();
	struct prof_perf_task task = parse();
	ck_assert_int_eq(task.kind, PROF_PERF_TASK_NAMED);
	ck_assert_int_eq(task.thread, 12);
	ck_assert_str_eq(task.name, "worker");
	record.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	ck_assert_int_eq(parse().kind, PROF_PERF_TASK_EXECUTED);
}
END_TEST

START_TEST(a_name_has_an_end)
{
	struct prof_perf_task task;

	begin(PERF_RECORD_COMM, 0);
	put_pair(11, 12);
	put("endless.", 8);
	put_id();
	ck_assert(!prof_perf_task_parse(&record.header, &task));
}
END_TEST

START_TEST(code_is_mapped)
{
	begin(PERF_RECORD_MMAP2, 0);
	put_pair(11, 12);
	put_word(0x400000);
	put_word(0x3000);
	put_word(0x1000);
	put_pair(8, 1);
	put_word(77);
	put_word(0);
	put_pair(5, 2);
	put_text("/bin/program");
	put_id();
	struct prof_perf_task task = parse();
	ck_assert_int_eq(task.kind, PROF_PERF_TASK_MAPPED);
	ck_assert_int_eq(task.process, 11);
	ck_assert_uint_eq(task.mapping.low, 0x400000);
	ck_assert_uint_eq(task.mapping.high, 0x403000);
	ck_assert_uint_eq(task.mapping.offset, 0x1000);
	ck_assert_uint_eq(task.mapping.device, makedev(8, 1));
	ck_assert_uint_eq(task.mapping.inode, 77);
	ck_assert_str_eq(task.mapping.path, "/bin/program");
}
END_TEST

START_TEST(a_thread_was_counted)
{
	begin(PERF_RECORD_READ, 0);
	put_pair(11, 12);
	put_word(5000000);
	put_id();
	struct prof_perf_task task = parse();
	ck_assert_int_eq(task.kind, PROF_PERF_TASK_COUNTED);
	ck_assert_int_eq(task.thread, 12);
	ck_assert_int_eq(task.count, 5000000);
}
END_TEST

START_TEST(a_sample_has_its_time_in_front)
{
	begin(PERF_RECORD_SAMPLE, 0);
	put_id();
	put_word(99);
	put_word(98);
	ck_assert_int_eq(prof_perf_task_time(&record.header), 1234);
	struct prof_perf_task task;
	ck_assert(prof_perf_task_parse(&record.header, &task));
	ck_assert_int_eq(task.kind, PROF_PERF_TASK_OTHER);
}
END_TEST

RUN_TESTS("perf task", a_process_is_made, a_thread_is_named, a_name_has_an_end, code_is_mapped,
	a_thread_was_counted, a_sample_has_its_time_in_front)
