/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments of single calls, for tests. */
#ifndef PROF_TESTS_CALL_EVENTS_H
#define PROF_TESTS_CALL_EVENTS_H

#include "experiment_support.h"

#include "base/text.h"
#include "model/call_builder.h"
#include "model/calls.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Adds the calls of TEXT to EXPERIMENT, in a new thread ID that UNIT ns are for 1. */
static inline void add_calls_of(
	struct prof_experiment *experiment, int64_t id, int64_t unit, const char *text)
{
	AUTO_BUILDER struct prof_builder builder = {0};
	struct prof_calls_terms terms = {.timed = true, .unit = {1, 1}};
	int64_t now = 0;

	ck_assert_ok(prof_experiment_thread(experiment, id, "thread", &terms.thread));
	ck_assert_ok(prof_builder_init(&builder));
	while (*text) {
		size_t length = strcspn(text, "()! ");
		uint32_t function, frame;
		if (isdigit((unsigned char)*text))
			now += strtoll(text, NULL, 10) * unit;
		else if (text[length] == '(') {
			ck_assert_ok(
				prof_experiment_function(experiment, text, length, 0, &function));
			ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
			ck_assert_ok(prof_builder_call(&builder, frame, now, now));
			length++;
		} else if (*text == ')')
			ck_assert_ok(prof_builder_end(&builder, now, now));
		else if (*text == '!')
			ck_assert_ok(prof_builder_leave(&builder, now, now));
		text += length ? length : 1;
	}
	(void)prof_builder_finish(&builder, now, now);
	ck_assert_ok(prof_calls_add(experiment, &builder.tree, &terms, NULL));
}

/*
 * An experiment of the calls of TEXT, in one thread: f( is a call, a number so many ns, ) a return,
 * and ! an end by a jump.
 */
static inline struct prof_experiment *calls_of(const char *text)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_calls_of(experiment, 1, 1, text);
	prof_experiment_check(experiment);
	return experiment;
}

#endif
