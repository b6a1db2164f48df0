/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long work tells that it goes on, and learns that it is not wanted any more. */
#ifndef PROF_BASE_PROGRESS_H
#define PROF_BASE_PROGRESS_H

#include "base/error.h"

#include <stdint.h>

/*
 * REPORT is called now and then with what is done, DONE of TOTAL steps (0: not known how many); it
 * returns false to have the work given up.  The host polls for Ctrl-C there.
 */
struct prof_progress {
	bool (*report)(void *context, const char *what, uint64_t done, uint64_t total);
	void *context;
};

/* How many steps of a loop to take between two reports. */
enum { PROF_PROGRESS_STEP = 4096 };

/* Reports to PROGRESS, which may be NULL.  The result is prof_error_interrupted() or NULL. */
static inline struct prof_error *PROF_MUST_CHECK prof_progress_report(
	const struct prof_progress *progress, const char *what, uint64_t done, uint64_t total)
{
	if (progress && !progress->report(progress->context, what, done, total))
		return prof_error_interrupted();
	return NULL;
}

#endif
