/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The ring of a perf event: what the kernel reports of a thread, see perf_event_open(2).
 *
 * The kernel puts records at its head; the reader moves the tail.  For one thread at a time.
 */
#ifndef PROF_SAMPLING_PERF_RING_H
#define PROF_SAMPLING_PERF_RING_H

#include "target/target.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_arch;

/* All zeroes: none is mapped. */
struct prof_perf_ring {
	/* Private. */
	struct perf_event_mmap_page *page;
	unsigned char *data;
	size_t size;           /* bytes of DATA: a power of 2 */
	uint64_t head, cursor; /* as data_head: what is read now ends there; what is read next */
	unsigned char *whole;  /* room for a record that goes on at the ring's start */
};

/*
 * Maps the ring of the event FD, of SIZE bytes, a power of 2 and at least a page.  False: errno
 * says why not; EPERM: the user may not lock so much memory.
 */
bool prof_perf_ring_map(struct prof_perf_ring *ring, int fd, size_t size);
void prof_perf_ring_unmap(struct prof_perf_ring *ring);

/* Was anything put into it since it was last read? */
bool prof_perf_ring_has_more(const struct prof_perf_ring *ring);

/* Has the ring a new record of a thread that has executed a program? */
bool prof_perf_ring_has_exec(const struct prof_perf_ring *ring);

/* Begins to read what is there now, from the tail on. */
void prof_perf_ring_begin(struct prof_perf_ring *ring);

/* The next record, borrowed until the next call for RING; NULL: there are no more. */
const struct perf_event_header *prof_perf_ring_next(struct prof_perf_ring *ring);

/* Leaves the record at HEADER, which prof_perf_ring_next() gave last, and all that follow for the
 * next time: there are no more until then. */
void prof_perf_ring_leave(struct prof_perf_ring *ring, const struct perf_event_header *header);

/* Likewise, but leaves only those that follow it. */
void prof_perf_ring_stop(struct prof_perf_ring *ring);

/* Gives the room of all records that were there back to the kernel, read or not. */
void prof_perf_ring_end(struct prof_perf_ring *ring);

/* What an event of a thread is asked for: what prof_perf_record_parse() reads. */
#define PROF_PERF_SAMPLE                                                           \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_READ | \
		PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* PROF_PERF_SAMPLE, and the frames of the kernel. */
#define PROF_PERF_SAMPLE_KERNEL (PROF_PERF_SAMPLE | PERF_SAMPLE_CALLCHAIN)

/* PROF_PERF_SAMPLE without the event's count, which the kernel gives of no event that threads
 * inherit. */
#define PROF_PERF_SAMPLE_INHERITED (PROF_PERF_SAMPLE & ~(uint64_t)PERF_SAMPLE_READ)

/* The same with the address of the data. */
#define PROF_PERF_SAMPLE_ADDRESSED (PROF_PERF_SAMPLE_INHERITED | PERF_SAMPLE_ADDR)

enum prof_perf_kind {
	PROF_PERF_OTHER,
	PROF_PERF_SAMPLE_TAKEN,
	PROF_PERF_THREAD, /* another thread was made */
	PROF_PERF_EXEC,   /* another program is executed */
	PROF_PERF_MAPPED, /* code was mapped */
	PROF_PERF_NAME,   /* a thread is called otherwise from now on */
	PROF_PERF_LOST,   /* there was no room for records */
};

struct prof_perf_record {
	enum prof_perf_kind kind;
	/*
	 * In samples, and records of a thread that was made or named, or that executes a program.
	 */
	pid_t process, thread; /* the process also where code was mapped */
	const char *name;      /* of such a thread, in the record */
	uint64_t lost;         /* number of records */
	/* In samples: */
	int64_t time;                    /* ns of CLOCK_MONOTONIC */
	uint16_t cpu;                    /* plus 1, as in struct prof_look */
	bool exact;                      /* it was at the very instruction that caused the event */
	uint64_t address;                /* of the data, if the event has it; 0: not known */
	int64_t count;                   /* the event's, ns of CPU time since it was opened; or 0 */
	struct prof_registers registers; /* those of its user code */
	struct prof_copy stack;          /* from the stack pointer up; in the record */
	/* PERF_SAMPLE_CALLCHAIN of a sample in the kernel, if the event has it: addresses, and
	   PERF_CONTEXT_* words before those of each context.  Points into the record. */
	const uint64_t *chain;
	size_t chain_count;
};

/*
 * Parses a record of an event whose sample_type is TYPE, one of those above, and whose registers
 * are those of ARCH.  Returns false if the record is malformed.
 */
bool prof_perf_record_parse(const struct perf_event_header *header, uint64_t type,
	const struct prof_arch *arch, struct prof_perf_record *ret);

/*
 * Writes the kernel's frames of RECORD, innermost first, as lookup addresses into FRAMES, which has
 * ROOM elements.  Returns their number.
 */
size_t prof_perf_record_kernel(
	const struct prof_perf_record *record, uint64_t *frames, size_t room);

#endif
