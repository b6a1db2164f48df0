/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mark.h"

#include "model/experiment.h"

const char *const prof_mark_names[PROF_MARK_KINDS] = {
	[PROF_MARK_START] = "start",
	[PROF_MARK_END] = "end",
	[PROF_MARK_PAUSE] = "pause",
	[PROF_MARK_RESUME] = "resume",
	[PROF_MARK_ASKED] = "asked",
	[PROF_MARK_STOP] = "stop",
	[PROF_MARK_PERIOD] = "period",
	[PROF_MARK_SIGNAL] = "signal",
	[PROF_MARK_PROGRAM] = "program",
	[PROF_MARK_LOCATION] = "location",
	[PROF_MARK_FORK] = "fork",
	[PROF_MARK_EXIT] = "exit",
};

int prof_mark_compare(const void *left, const void *right)
{
	const struct prof_mark *a = *(const struct prof_mark *const *)left;
	const struct prof_mark *b = *(const struct prof_mark *const *)right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a > b) - (a < b);
}
