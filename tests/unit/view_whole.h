/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiment that the tests of whole formats write. */
#ifndef PROF_TESTS_VIEW_WHOLE_H
#define PROF_TESTS_VIEW_WHOLE_H

#include "metric_program.h"
#include "view_trip.h"

/* That of metric_program.h, with a mark, a mapping, and names that a format might stumble over. */
static inline struct prof_experiment *whole_create(void)
{
	struct prof_experiment *experiment = program_create();
	const struct prof_range range = {0x10, UINT64_MAX, 0x1000};
	struct prof_mark mark = {.time = 1500000000, .kind = PROF_MARK_ASKED};
	uint32_t frame =
		program_frame(experiment, 2, 0x200, "\033</script>\"\\", "\xff.c", 7, NULL);

	ck_assert_ok(prof_experiment_range(experiment, 1, &range));
	prof_usage_clear(&mark.usage);
	mark.usage.figures[PROF_USAGE_USER] = 10000000;
	ck_assert_ok(prof_experiment_mark(experiment, &mark, "half \"way\""));
	const struct prof_arc counted = {
		.time = 1000, .callee = frame, .caller = 0, .calls = 3, .kind = PROF_ARC_CALLS};
	ck_assert_ok(prof_experiment_arc(experiment, &counted));
	program_sample(experiment, &frame, 1, 1, PROF_STATE_USER, 5, 2, 2);
	experiment->recording.date = 1700000000;
	experiment->recording.ticks = UINT64_MAX;
	prof_experiment_check(experiment);
	return experiment;
}

/* EXPERIMENT's METRICS as FORMAT, as a new string. */
static inline char *whole_print(
	struct prof_experiment *experiment, const char *format, const char *metrics, bool inlined)
{
	AUTO_TEXT struct prof_text text = {0};

	trip_print(experiment, format, metrics, inlined, &text);
	return strdup(prof_text_get(&text));
}

#endif
