/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The reader of recorded calls: takes what stubs record out of the program while it runs, and
 * reports the calls to the recorder.
 *
 * It has a thread of its own, which blocks all signals and never stops the program.  All functions
 * may be called from GDB's own thread, but not while that has the recorder locked.
 */
#ifndef PROF_PLUGIN_CALLS_CALL_READER_H
#define PROF_PLUGIN_CALLS_CALL_READER_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

struct call_reader;
struct prof_queue;
struct prof_recorder;
struct prof_stub_settings;

/* Calls of a recording, at the most: experiments are in memory. */
enum { CALL_READER_MOST = 5000000 };

/* How calls are read, and where they go. */
struct call_reader_settings {
	struct prof_queue *queue;       /* borrowed, */
	struct prof_recorder *recorder; /* likewise */
	double limit; /* share of the program's time that recording may take; 0: no limit */
	/* Has the function NUMBER be counted only from now on, on the reader's thread.  False: it
	 * cannot be. */
	bool (*count_only)(uint32_t number);
};

/* Starts to read what stubs of PROCESS record, which have STUBS. */
struct prof_error *call_reader_create(pid_t process, const struct prof_stub_settings *stubs,
	const struct call_reader_settings *settings, struct call_reader **ret) PROF_MUST_CHECK;

/* The function with the next number, from 1 on, is at ADDRESS.  False: no memory. */
bool call_reader_add(struct call_reader *reader, uint64_t address);

/* The program stands still, or is about to end: takes all that is there, and reports it. */
void call_reader_flush(struct call_reader *reader);

/* The program does not go on since now, or goes on again: what is between is no time of calls. */
void call_reader_hold(struct call_reader *reader);
void call_reader_release(struct call_reader *reader);

/*
 * Reports the calls that go on, which nothing more is recorded of, and ends the thread.  Does not
 * read what it has not taken.  NULL is fine.
 */
void call_reader_destroy(struct call_reader *reader);

/* How it goes, since the beginning. */
struct call_reader_status {
	uint64_t calls, lost; /* records without room are lost */
	bool full;            /* there were CALL_READER_MOST calls: no more are recorded */
	bool failed;          /* the program's memory cannot be read any more */
};
struct call_reader_status call_reader_look(struct call_reader *reader);

/* The number of the function numbered INDEX of those that are counted only; 0: there are no more.
 */
uint32_t call_reader_counted(struct call_reader *reader, size_t index);

#endif
