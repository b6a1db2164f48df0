/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of intervals share: an experiment with marks and figures. */
#ifndef PROF_TESTS_VIEW_MARKS_H
#define PROF_TESTS_VIEW_MARKS_H

#include "view_support.h"

static struct prof_experiment *experiment;

static inline void mark(int64_t ms, const char *label, int64_t user_ms, int64_t peak)
{
	struct prof_mark made = {.time = ms * 1000000};

	prof_usage_clear(&made.usage);
	made.usage.figures[PROF_USAGE_USER] = user_ms < 0 ? user_ms : user_ms * 1000000;
	made.usage.figures[PROF_USAGE_PEAK] = peak;
	ck_assert_ok(prof_experiment_mark(experiment, &made, label));
}

static inline void start(void)
{
	experiment = experiment_of("main;a 5\nmain;b 20\n", true);
	set_time(experiment, 0, 5000000);
	set_time(experiment, 1, 35000000);
	mark(0, "start", 0, 100);
	mark(10, "it's, \033[31mred", 4, 200);
	mark(40, "end", 20, 300);
}

static inline void check(
	const char *view, enum prof_format format, const char *interval, const char *expected)
{
	struct prof_choice choice = {
		.format = format, .filter.values[PROF_CONDITION_INTERVAL] = interval};

	check_text(show(view, experiment, &choice), expected);
}

#define HEAD                                                                                   \
	"interval,start,start_label,end,end_label,duration,samples,thread_time,runqueue,lock," \
	"text_fault,data_fault,other,running,user,system,minor_faults,major_faults,voluntary_" \
	"switches,"                                                                            \
	"involuntary_switches,block_input,block_output,char_input,char_output,resident,peak,"  \
	"threads\n"

#endif
