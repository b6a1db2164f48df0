/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What `perf script` prints by default, see perf-script(1): samples, with an empty line
 * between two.
 *
 *	COMMAND [PID/]TID [CPU] SECONDS: PERIOD EVENT:
 *		ADDRESS SYMBOL+OFFSET (OBJECT)		the leaf
 *		ADDRESS SYMBOL+OFFSET (OBJECT)		what called it
 *
 * [CPU], the period and the offset may be missing; so may frames, or the only one stand behind the
 * event.  Each sample counts 1; the period of cpu-clock and task-clock is its time on a CPU.
 */
#ifndef PROF_FORMATS_PERF_H
#define PROF_FORMATS_PERF_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/* Rows of prof_imports[], see there. */
bool prof_perf_probe(const char *bytes, size_t length);
struct prof_error *prof_perf_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
