/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a recording is asked to record, and how. */
#ifndef PROF_PLUGIN_COLLECT_REQUEST_H
#define PROF_PLUGIN_COLLECT_REQUEST_H

#include "plugin/collect/control_signal.h"
#include "plugin/collect/tracing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What prof-start was asked for. */
struct session_request {
	double rate;           /* Hz */
	double max_stopped;    /* a share */
	size_t max_depth;      /* frames */
	size_t verify;         /* each such sample is walked both ways; 0: none */
	const char *engine;    /* a name, or "auto" */
	const char *unwinder;  /* "auto", "cfi" or "gdb" */
	const char *clock;     /* "cpu" or "wall" */
	bool kernel;           /* stacks include the kernel's functions */
	bool children;         /* what the program forks and executes is recorded too */
	const char *processes; /* ids of others that are, with what they fork; NULL: none */
	const char *cgroup;    /* a control group whose processes are recorded; NULL: none */
	const char *output;    /* file, or "" */
	const char *store;     /* folder of numbered files, where there is no OUTPUT; or "" */
	int64_t mark_period;   /* ns; 0: none */
	int64_t time;          /* ns that are recorded; 0: no limit */
	uint64_t size;         /* bytes from which on only marks are recorded; 0: no limit */
	bool paused;           /* it begins so */
	/* Signals that mark, and that pause and resume, and are not delivered; NULL: none. */
	const char *signals[CONTROL_SIGNAL_KINDS];
	const char *counters; /* see prof_counters_read(); NULL: none */
	const char *count;    /* functions whose calls are counted, see entries.h; NULL: none */
	double count_limit;   /* a share */
	struct tracing_request tracing;
};

#endif
