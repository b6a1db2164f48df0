/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of prof-start that are those of counted and recorded calls. */
#ifndef PROF_PLUGIN_CALLS_COUNTING_CHOICE_H
#define PROF_PLUGIN_CALLS_COUNTING_CHOICE_H

#include "base/error.h"
#include "base/option.h"
#include "base/text.h"

struct counting_choice {
	const char *functions; /* to be counted: see entries.h; NULL: none */
	const char *calls;     /* those whose calls are recorded, likewise */
	double limit;          /* share of the time for which threads may be stopped by counting */
	double calls_limit;    /* share of the CPU time that recording may take */
};

extern const struct prof_options counting_options;

/* Functions of the collector: see plugin/collect/collector.h. */
struct prof_error *counting_choice_read(void *own) PROF_MUST_CHECK;
struct prof_error *counting_choice_check(const void *own) PROF_MUST_CHECK;
void counting_choice_source(const void *own, struct prof_text *text);

#endif
