/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What the user asks a recording to record, and how: what all of it shares, and what each collector
 * has of its own.
 */
#ifndef PROF_PLUGIN_COLLECT_REQUEST_H
#define PROF_PLUGIN_COLLECT_REQUEST_H

#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct option_values;

/* For each row of collectors[], in its order: the struct that its options are stored in, or NULL.
 */
struct collector_choices {
	PROF_ARRAY(void *) own;
};

/* What prof-start was asked for. */
struct session_request {
	double rate;          /* Hz */
	double max_stopped;   /* a share */
	size_t max_depth;     /* frames */
	size_t verify;        /* each such sample is walked both ways; 0: none */
	const char *engine;   /* a name, or "auto" */
	const char *unwinder; /* "auto", "cfi" or "gdb" */
	const char *clock;    /* "cpu" or "wall" */
	bool kernel;          /* stacks include the kernel's functions */
	const char *output;   /* file, or "" */
	const char *store;    /* folder of numbered files, where there is no OUTPUT; or "" */
	int64_t time;         /* ns that are recorded; 0: no limit */
	uint64_t size;        /* bytes from which on only marks are recorded; 0: no limit */
	bool paused;          /* it begins so */
	struct collector_choices choices;
};

/*
 * Stores what VALUES have of the options of each collector; texts are borrowed from VALUES.
 * collector_choices_deinit() must follow, also after an error.
 */
struct prof_error *collector_choices_read(
	struct collector_choices *choices, const struct option_values *values) PROF_MUST_CHECK;

/* Frees what CHOICES hold; all zeroes is fine. */
void collector_choices_deinit(struct collector_choices *choices);

/* Adds what samples are taken by but the clock, as "counters: cycles"; nothing if they are not. */
void collector_choices_sources(const struct collector_choices *choices, struct prof_text *text);

#endif
