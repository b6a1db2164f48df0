/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Progress of long work: it reports how far it is, and learns whether the user has interrupted it.
 */
#ifndef PROF_BASE_PROGRESS_H
#define PROF_BASE_PROGRESS_H

#include "base/error.h"

#include <stdint.h>

/*
 * Work calls REPORT now and then with the number of steps DONE of TOTAL, 0 if it is not known.  If
 * it returns false, the work stops.  The host looks for a Ctrl-C there.
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
