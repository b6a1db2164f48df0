/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of flame graphs and phases share: experiments of lists of calls. */
#ifndef PROF_TESTS_VIEW_CALLS_H
#define PROF_TESTS_VIEW_CALLS_H

#include "formats/events.h"
#include "view_support.h"

#include <unistd.h>

/* f calls g, which calls h; in each tick 0.1 s pass. */
#define NESTED_CALLS "call f 0 0\ncall g 10 1\ncall h 30 3\nret 60 6\nret 100 10\nret 160 16\n"

/* f calls g, h, and g again. */
#define REPEATED_CALLS "call f 0\ncall g 5\nret 15\ncall h 20\nret 30\ncall g 35\nret 50\nret 60\n"

/* The experiment of the list TEXT, which is damaged in no way. */
static inline struct prof_experiment *experiment_of_calls(const char *text)
{
	char path[] = "/tmp/prof-view-calls-XXXXXX";
	int fd = mkstemp(path);
	struct prof_experiment *experiment;

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	ck_assert_ok(prof_events_read(path, NULL, &experiment));
	unlink(path);
	return experiment;
}

/* Makes EXPERIMENT one that was sampled, at 100 Hz. */
static inline void make_sampled(struct prof_experiment *experiment)
{
	experiment->recording.rate_asked = 100;
}

#endif
