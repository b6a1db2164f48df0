/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_ring.h"

#include "target/arch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A record's size has 16 bits. */
enum { LARGEST = 1 << 16 };

bool prof_perf_ring_map(struct prof_perf_ring *ring, int fd, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *whole = malloc(LARGEST);

	if (!whole)
		return false;
	void *place = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (place == MAP_FAILED) {
		free(whole);
		return false;
	}
	*ring = (struct prof_perf_ring){
		.page = place,
		.data = (unsigned char *)place + page,
		.size = size,
		.whole = whole,
	};
	return true;
}

void prof_perf_ring_unmap(struct prof_perf_ring *ring)
{
	if (ring->page)
		munmap(ring->page, (size_t)(ring->data - (unsigned char *)ring->page) + ring->size);
	free(ring->whole);
	*ring = (struct prof_perf_ring){0};
}

bool prof_perf_ring_has_more(const struct prof_perf_ring *ring)
{
	return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE) != ring->page->data_tail;
}

void prof_perf_ring_begin(struct prof_perf_ring *ring)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	ring->cursor = ring->page->data_tail;
}

const struct perf_event_header *prof_perf_ring_next(struct prof_perf_ring *ring)
{
	uint64_t left = ring->head - ring->cursor;

	if (left < sizeof(struct perf_event_header))
		return NULL;
	/* Records begin at multiples of 8, so a header is never divided. */
	size_t at = ring->cursor & (ring->size - 1);
	const struct perf_event_header *header =
		(const struct perf_event_header *)(ring->data + at);
	size_t size = header->size;
	if (size < sizeof *header || size > left)
		return NULL;
	ring->cursor += size;
	size_t first = ring->size - at;
	if (size <= first)
		return header;
	memcpy(ring->whole, ring->data + at, first);
	memcpy(ring->whole + first, ring->data, size - first);
	return (const struct perf_event_header *)ring->whole;
}

void prof_perf_ring_stop(struct prof_perf_ring *ring)
{
	ring->head = ring->cursor;
}

void prof_perf_ring_leave(struct prof_perf_ring *ring, const struct perf_event_header *header)
{
	ring->cursor -= header->size;
	prof_perf_ring_stop(ring);
}

void prof_perf_ring_end(struct prof_perf_ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->head, __ATOMIC_RELEASE);
}

static bool is_exec(const struct perf_event_header *header)
{
	return header->type == PERF_RECORD_COMM && header->misc & PERF_RECORD_MISC_COMM_EXEC;
}

bool prof_perf_ring_has_exec(const struct prof_perf_ring *ring)
{
	/* Copies begin to read at the same place. */
	struct prof_perf_ring copy = *ring;
	const struct perf_event_header *header;

	prof_perf_ring_begin(&copy);
	while ((header = prof_perf_ring_next(&copy))) {
		if (is_exec(header))
			return true;
	}
	return false;
}

/* The unread part of a record. */
struct reader {
	const unsigned char *bytes;
	size_t left;
	bool failed;
};

static const void *take(struct reader *reader, size_t size)
{
	const void *bytes = reader->bytes;

	if (size > reader->left) {
		reader->failed = true;
		return NULL;
	}
	reader->bytes += size;
	reader->left -= size;
	return bytes;
}

/* Reads a number of SIZE bytes; RET is unchanged if fewer bytes are left. */
static void take_number(struct reader *reader, void *ret, size_t size)
{
	const void *bytes = take(reader, size);

	if (bytes)
		memcpy(ret, bytes, size);
}

static uint32_t take_u32(struct reader *reader)
{
	uint32_t value = 0;

	take_number(reader, &value, sizeof value);
	return value;
}

static uint64_t take_u64(struct reader *reader)
{
	uint64_t value = 0;

	take_number(reader, &value, sizeof value);
	return value;
}

/* The registers of user code; threads of the kernel have none. */
static void take_registers(
	struct reader *reader, const struct prof_arch *arch, struct prof_registers *ret)
{
	const struct prof_arch_perf *perf = &arch->perf;
	uint64_t values[64] = {0};

	if (take_u64(reader) == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	for (unsigned i = 0; i < 64; i++) {
		if (perf->mask >> i & 1)
			values[i] = take_u64(reader);
	}
	ret->pc = values[perf->pc];
	ret->valid = (UINT64_C(1) << arch->registers) - 1;
	for (unsigned i = 0; i < arch->registers; i++)
		ret->value[i] = values[perf->numbers[i]];
}

static void take_stack(
	struct reader *reader, const struct prof_arch *arch, struct prof_perf_record *ret)
{
	size_t size = take_u64(reader);

	if (!size)
		return;
	ret->stack.bytes = take(reader, size);
	ret->stack.length = take_u64(reader);
	ret->stack.address = ret->registers.value[arch->sp];
	reader->failed |= ret->stack.length > size;
}

static void take_chain(struct reader *reader, struct prof_perf_record *ret)
{
	uint64_t count = take_u64(reader);

	if (count > reader->left / sizeof *ret->chain) {
		reader->failed = true;
		return;
	}
	/* Records and their fields are aligned to 8 bytes. */
	ret->chain = take(reader, count * sizeof *ret->chain);
	ret->chain_count = count;
}

static bool parse_sample(struct reader *reader, uint64_t type, const struct prof_arch *arch,
	struct prof_perf_record *ret)
{
	ret->kind = PROF_PERF_SAMPLE_TAKEN;
	ret->process = (pid_t)take_u32(reader);
	ret->thread = (pid_t)take_u32(reader);
	ret->time = (int64_t)take_u64(reader);
	if (type & PERF_SAMPLE_ADDR)
		ret->address = take_u64(reader);
	ret->cpu = (uint16_t)(take_u32(reader) + 1);
	take_u32(reader);
	if (type & PERF_SAMPLE_READ)
		ret->count = (int64_t)take_u64(reader);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_chain(reader, ret);
	take_registers(reader, arch, &ret->registers);
	take_stack(reader, arch, ret);
	return !reader->failed;
}

/* PERF_RECORD_FORK: a process or thread has created another. */
static bool parse_fork(struct reader *reader, struct prof_perf_record *ret)
{
	ret->process = (pid_t)take_u32(reader);
	pid_t parent = (pid_t)take_u32(reader);
	ret->thread = (pid_t)take_u32(reader);
	if (ret->process == parent)
		ret->kind = PROF_PERF_THREAD;
	return !reader->failed;
}

/* PERF_RECORD_COMM: a thread has another name, perhaps because it executes a program. */
static bool parse_name(struct reader *reader, bool exec, struct prof_perf_record *ret)
{
	ret->process = (pid_t)take_u32(reader);
	ret->thread = (pid_t)take_u32(reader);
	ret->name = (const char *)reader->bytes;
	ret->kind = exec ? PROF_PERF_EXEC : PROF_PERF_NAME;
	return !reader->failed && memchr(reader->bytes, '\0', reader->left);
}

/* PERF_RECORD_LOST: the event's number, which is known, and how many records are missing. */
static bool parse_lost(struct reader *reader, struct prof_perf_record *ret)
{
	ret->kind = PROF_PERF_LOST;
	take_u64(reader);
	ret->lost = take_u64(reader);
	return !reader->failed;
}

bool prof_perf_record_parse(const struct perf_event_header *header, uint64_t type,
	const struct prof_arch *arch, struct prof_perf_record *ret)
{
	struct reader reader = {
		(const unsigned char *)(header + 1), header->size - sizeof *header, false};

	*ret = (struct prof_perf_record){.kind = PROF_PERF_OTHER};
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		if ((header->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
			ret->registers.within = PROF_WITHIN_CALL;
		ret->exact = header->misc & PERF_RECORD_MISC_EXACT_IP;
		return parse_sample(&reader, type, arch, ret);
	case PERF_RECORD_FORK:
		return parse_fork(&reader, ret);
	case PERF_RECORD_MMAP:
		ret->kind = PROF_PERF_MAPPED;
		ret->process = (pid_t)take_u32(&reader);
		return !reader.failed;
	case PERF_RECORD_COMM:
		return parse_name(&reader, is_exec(header), ret);
	case PERF_RECORD_LOST:
		return parse_lost(&reader, ret);
	default:
		return true;
	}
}

size_t prof_perf_record_kernel(const struct prof_perf_record *record, uint64_t *frames, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < record->chain_count && count < room; i++) {
		uint64_t address = record->chain[i];
		if (address == (uint64_t)PERF_CONTEXT_USER)
			break;
		/* All except the first are return addresses. */
		if (address < (uint64_t)PERF_CONTEXT_MAX) {
			frames[count] = count ? address - 1 : address;
			count++;
		}
	}
	return count;
}
