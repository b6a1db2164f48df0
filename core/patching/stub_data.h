/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What stubs keep in the memory of the program that is patched.
 *
 * The control area belongs to all islands of a process:
 *
 *	struct prof_stub_control
 *	prof_island_frames()       from PROF_STUB_FRAMES on: of all islands
 *	uint8_t []                 from PROF_STUB_PAGE on: a byte for each granule of 16 MB
 *	                           of addresses up to 2^47, enum prof_stub_granule
 *	struct prof_stub_thread    from PROF_STUB_CONTROL on: for threads without a block
 *
 * Each thread has a block, which no other thread writes:
 *
 *	struct prof_stub_thread
 *	struct prof_stub_record [] from PROF_STUB_RECORDS on: written in a circle
 *	uint64_t []                behind them: how often each function was called
 *	struct prof_stub_caller [] behind them: how often each was called from where, a hash table
 *
 * A call for which there is no room among the records counts in the first one of the last two.
 * Where no calls are recorded, a call counts in one of them: in the first one if the function has a
 * stub that does not look for callers, or if the table has no room for this one.
 *
 * All of it is private memory, so that a child has its own, which nobody reads.  A block stays when
 * its thread is gone, until another thread takes it over.
 */
#ifndef PROF_PATCHING_STUB_DATA_H
#define PROF_PATCHING_STUB_DATA_H

#include <stdint.h>

enum {
	PROF_STUB_PAGE = 4096,
	PROF_STUB_FRAMES = 64,
	PROF_STUB_FRAME = PROF_STUB_FRAMES + 40, /* the entry itself, behind what it refers to */
	PROF_STUB_GRANULE = 1 << 24,
	PROF_STUB_GRANULES = 1 << 23,
	PROF_STUB_CONTROL = PROF_STUB_PAGE + PROF_STUB_GRANULES,
	PROF_STUB_RECORDS = PROF_STUB_PAGE, /* bytes from the beginning of a block */
	PROF_STUB_FUNCTIONS = 1 << 20,      /* numbers that functions can have, 0 excluded */
	/* Records that are claimed beyond the limit, by handlers of as many signals. */
	PROF_STUB_SPARE = 64,
	PROF_STUB_LOOKS = 64, /* blocks, the newest ones, that a new thread may take over */
	/* Entries, one after the other, in which a caller may be: so many are behind the table. */
	PROF_STUB_PROBES = 8,
	PROF_STUB_CALLS_BITS = 44, /* of struct prof_stub_caller */
};

/* Where the kernel is asked for blocks: stub_code.c sets these bits. */
#define PROF_STUB_BLOCKS (UINT64_C(1) << 45 | UINT64_C(1) << 43)

/* What a granule has, in bits. */
enum prof_stub_granule {
	PROF_STUB_SHADOWED = 1, /* a shadow: the slots of return addresses on stacks in it */
	PROF_STUB_ISLAND = 2,   /* islands, and no other code */
};

struct prof_stub_control {
	uint64_t first; /* address of the newest block, or 0 */
	uint64_t asked; /* bytes for which blocks were asked, those of threads that asked again too
			 */
};

/* The head of a block.  The reader writes LIMIT only, which is on a cache line of its own. */
struct prof_stub_thread {
	uint64_t next; /* bytes of records that were ever claimed */
	uint64_t lost; /* ends of calls for which there was no room, and calls without a shadow */
	uint64_t link; /* address of the next older block, or 0 */
	uint32_t process, id; /* of the thread that writes here, as the kernel has them */
	uint64_t unused[4];
	uint64_t limit; /* of NEXT: no records are claimed from here on */
};

/* What a record is of.  A call without a mark returns; its end is a record without a function. */
enum prof_stub_mark {
	PROF_STUB_PLAIN,   /* a call, or the return from one */
	PROF_STUB_TAIL,    /* a jump to the function from one whose return it makes */
	PROF_STUB_ENTERED, /* a call whose return is not recorded */
	PROF_STUB_THREAD,  /* what follows is of another thread: its number is the slot's */
};

/*
 * A record is whole as soon as TIME, which is written last, is later than what was there before.
 * Where a signal handler does not return to the stub that was to write it, it never is.
 */
struct prof_stub_record {
	uint64_t time; /* time stamp in clock units, and enum prof_stub_mark in bits 62 and 63 */
	uint64_t what; /* number of the function, or 0, and from bit 20 on its slot / 8 */
};

static inline enum prof_stub_mark prof_stub_record_mark(const struct prof_stub_record *record)
{
	return (enum prof_stub_mark)(record->time >> 62);
}

static inline uint64_t prof_stub_record_time(const struct prof_stub_record *record)
{
	return record->time & (UINT64_MAX >> 2);
}

/* 0: it is no call. */
static inline uint32_t prof_stub_record_function(const struct prof_stub_record *record)
{
	return record->what & (PROF_STUB_FUNCTIONS - 1);
}

/* The address of the return address. */
static inline uint64_t prof_stub_record_slot(const struct prof_stub_record *record)
{
	return record->what >> 20 << 3;
}

/* Of PROF_STUB_THREAD: the kernel's number of the thread. */
static inline uint32_t prof_stub_record_thread(const struct prof_stub_record *record)
{
	return (uint32_t)(record->what >> 20);
}

/*
 * An entry of the table.  CALLER is written first, and then the function; neither changes again.
 * The function is 0 for a moment, or longer if a signal handler does not return to the stub that
 * was to write it.
 *
 * No table has a pair of a function and a caller twice, and none is ever removed: either all calls
 * of a thread are in the entry of the pair, or, if there was no room at the first one, none is.  If
 * half of a table is used, that is the case with 6 of 1,000 pairs, and with 2 of 10,000 if a
 * quarter is.  A thread whose first call is interrupted by a handler that calls, too, may have two
 * blocks.  In the one for threads without a block, calls can be lost.
 */
struct prof_stub_caller {
	uint64_t caller; /* return address; 0: the entry is free */
	uint64_t what; /* calls, and from bit PROF_STUB_CALLS_BITS on the number of the function */
};

static inline uint32_t prof_stub_caller_function(const struct prof_stub_caller *entry)
{
	return (uint32_t)(entry->what >> PROF_STUB_CALLS_BITS);
}

static inline uint64_t prof_stub_caller_calls(const struct prof_stub_caller *entry)
{
	return entry->what & ((UINT64_C(1) << PROF_STUB_CALLS_BITS) - 1);
}

#endif
