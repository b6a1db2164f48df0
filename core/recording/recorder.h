/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The recorder: a thread that turns queued messages into an experiment, and writes it to its file.
 *
 * It blocks all signals, and holds the experiment's lock only for short.  What it writes is at most
 * half a second old, so that a killed host loses less than a second.
 */
#ifndef PROF_RECORDING_RECORDER_H
#define PROF_RECORDING_RECORDER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;
struct prof_queue;

struct prof_recorder;

/*
 * Starts to record from QUEUE into EXPERIMENT, both borrowed, and, unless FILE is NULL, into the
 * new file FILE.  EXPERIMENT's recording.start is set by the caller.
 */
struct prof_error *prof_recorder_create(struct prof_experiment *experiment,
	struct prof_queue *queue, const char *file, struct prof_recorder **ret) PROF_MUST_CHECK;

/* Writes what is queued, ends the thread and closes the file.  NULL is fine. */
void prof_recorder_destroy(struct prof_recorder *recorder);

/*
 * Takes the experiment for the caller, everything queued until now included: nobody changes it
 * until prof_recorder_unlock().
 */
void prof_recorder_lock(struct prof_recorder *recorder);
void prof_recorder_unlock(struct prof_recorder *recorder);

/* Writes what is not in the file yet; the experiment is locked by the caller. */
void prof_recorder_flush(struct prof_recorder *recorder);

/*
 * From now on the experiment keeps the process of each thread, even while there is only one
 * process, which may not be the program's.
 */
void prof_recorder_report_processes(struct prof_recorder *recorder);

/*
 * The ids of threads may be those of another machine.  Otherwise the recorder forgets, after some
 * seconds, the threads that have ended: a later one with the same id is another one.
 */
void prof_recorder_foreign(struct prof_recorder *recorder);

/*
 * Calls FULL with CONTEXT once, when the experiment has SIZE bytes (0: no limit) or its file cannot
 * be written any more.  The recorder's thread calls it, or prof_recorder_flush(); the experiment is
 * locked meanwhile, so FULL must not call the recorder.  The recorder goes on to record what it
 * gets, in memory if there is no file.  The bytes are those of the file or, without one, those of
 * prof_experiment_size().
 */
void prof_recorder_limit(
	struct prof_recorder *recorder, uint64_t size, void (*full)(void *context), void *context);

/*
 * What went wrong since, if anything: the file cannot be written (recording goes on in memory), or
 * memory is short.  Borrowed, or NULL; the experiment is locked by the caller.
 */
const struct prof_error *prof_recorder_error(const struct prof_recorder *recorder);

/* Was there a file that cannot be written any more?  The experiment is locked by the caller. */
bool prof_recorder_gave_up(const struct prof_recorder *recorder);

#endif
