/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_task.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/sysmacros.h>

/* The fields that the kernel puts behind each record except samples. */
struct id {
	uint32_t process, thread;
	uint64_t time;
	uint32_t cpu, unused;
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT */
struct made {
	uint32_t process, maker, thread, maker_thread;
	uint64_t time;
};

/* The begin of PERF_RECORD_MMAP2; the path follows. */
struct mapped {
	uint32_t process, thread;
	uint64_t low, length, offset;
	uint32_t device_major, device_minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
};

/* PERF_RECORD_READ */
struct counted {
	uint32_t process, thread;
	uint64_t count;
};

/* Returns the bytes between HEADER and the id, and their number in SIZE, or NULL. */
static const char *body(const struct perf_event_header *header, size_t *size)
{
	if (header->size < sizeof *header + sizeof(struct id))
		return NULL;
	*size = header->size - sizeof *header - sizeof(struct id);
	return (const char *)(header + 1);
}

/* Copies the first SIZE bytes of the record at HEADER to TO.  False: it is shorter. */
static bool copy(const struct perf_event_header *header, void *to, size_t size)
{
	size_t length;
	const char *bytes = body(header, &length);

	if (!bytes || length < size)
		return false;
	memcpy(to, bytes, size);
	return true;
}

/* The text of the record at HEADER, from OFFSET on, or NULL if it has no end. */
static const char *text(const struct perf_event_header *header, size_t offset)
{
	size_t length;
	const char *bytes = body(header, &length);

	if (!bytes || length <= offset || !memchr(bytes + offset, '\0', length - offset))
		return NULL;
	return bytes + offset;
}

int64_t prof_perf_task_time(const struct perf_event_header *header)
{
	struct id id;

	if (header->size < sizeof *header + sizeof id)
		return 0;
	/* A sample has at its beginning what other records have at their end. */
	const char *bytes = header->type == PERF_RECORD_SAMPLE
		? (const char *)(header + 1)
		: (const char *)header + header->size - sizeof id;
	memcpy(&id, bytes, sizeof id);
	return (int64_t)id.time;
}

static bool parse_made(const struct perf_event_header *header, struct prof_perf_task *ret)
{
	struct made made;

	if (!copy(header, &made, sizeof made))
		return false;
	ret->kind = header->type == PERF_RECORD_FORK ? PROF_PERF_TASK_MADE : PROF_PERF_TASK_ENDED;
	ret->process = (pid_t)made.process;
	ret->thread = (pid_t)made.thread;
	ret->maker = (pid_t)made.maker;
	ret->maker_thread = (pid_t)made.maker_thread;
	return true;
}

static bool parse_name(const struct perf_event_header *header, struct prof_perf_task *ret)
{
	uint32_t ids[2];

	ret->name = text(header, sizeof ids);
	if (!ret->name || !copy(header, ids, sizeof ids))
		return false;
	ret->kind = header->misc & PERF_RECORD_MISC_COMM_EXEC ? PROF_PERF_TASK_EXECUTED
							      : PROF_PERF_TASK_NAMED;
	ret->process = (pid_t)ids[0];
	ret->thread = (pid_t)ids[1];
	return true;
}

static bool parse_mapping(const struct perf_event_header *header, struct prof_perf_task *ret)
{
	struct mapped mapped;
	const char *path = text(header, sizeof mapped);

	if (!path || !copy(header, &mapped, sizeof mapped) ||
		mapped.low + mapped.length <= mapped.low)
		return false;
	ret->kind = PROF_PERF_TASK_MAPPED;
	ret->process = (pid_t)mapped.process;
	ret->thread = (pid_t)mapped.thread;
	ret->mapping = (struct prof_mapping){
		.low = mapped.low,
		.high = mapped.low + mapped.length,
		.offset = mapped.offset,
		.device = makedev(mapped.device_major, mapped.device_minor),
		.inode = mapped.inode,
		.path = (char *)path,
	};
	return true;
}

static bool parse_count(const struct perf_event_header *header, struct prof_perf_task *ret)
{
	struct counted counted;

	if (!copy(header, &counted, sizeof counted))
		return false;
	ret->kind = PROF_PERF_TASK_COUNTED;
	ret->process = (pid_t)counted.process;
	ret->thread = (pid_t)counted.thread;
	ret->count = (int64_t)counted.count;
	return true;
}

bool prof_perf_task_parse(const struct perf_event_header *header, struct prof_perf_task *ret)
{
	*ret = (struct prof_perf_task){
		.kind = PROF_PERF_TASK_OTHER, .time = prof_perf_task_time(header)};
	switch (header->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return parse_made(header, ret);
	case PERF_RECORD_COMM:
		return parse_name(header, ret);
	case PERF_RECORD_MMAP2:
		return parse_mapping(header, ret);
	case PERF_RECORD_READ:
		return parse_count(header, ret);
	default:
		return true;
	}
}
