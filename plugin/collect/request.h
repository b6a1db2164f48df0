/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a recording is asked to record, and how. */
#ifndef PROF_PLUGIN_COLLECT_REQUEST_H
#define PROF_PLUGIN_COLLECT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Signals that control the recording, and are not delivered to the program. */
enum control_signal_kind { CONTROL_SIGNAL_MARK, CONTROL_SIGNAL_PAUSE, CONTROL_SIGNAL_KINDS };

/* What is traced. */
struct tracing_request {
	uint32_t families; /* enum prof_family; 0: nothing is traced */
	size_t memory;     /* bytes that events wait in until they are taken */
	bool calibrate;    /* the shortest wait that is recorded is measured */
	int64_t threshold; /* ns: else it is more than this */
	bool children;     /* processes that traced ones make are traced, too, if GDB keeps them */
};

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
	const char *signals[CONTROL_SIGNAL_KINDS]; /* names, with or without "SIG"; NULL: none */
	const char *counters;                      /* see prof_counters_read(); NULL: none */
	const char *count;  /* functions whose calls are counted, see entries.h; NULL: none */
	double count_limit; /* a share */
	struct tracing_request tracing;
};

#endif
