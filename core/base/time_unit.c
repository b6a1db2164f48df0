/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/time_unit.h"

#include <string.h>

static const struct {
	const char *name, *word; /* formats write no words for the longer ones */
	int64_t ns;
} units[PROF_TIME_UNITS] = {
	[PROF_TIME_NS] = {"ns", "nanoseconds", 1},
	[PROF_TIME_US] = {"us", "microseconds", PROF_NS_PER_US},
	[PROF_TIME_MS] = {"ms", "milliseconds", PROF_NS_PER_MS},
	[PROF_TIME_S] = {"s", "seconds", PROF_NS_PER_SECOND},
	[PROF_TIME_M] = {"m", NULL, 60 * PROF_NS_PER_SECOND},
	[PROF_TIME_H] = {"h", NULL, 3600 * PROF_NS_PER_SECOND},
};

int64_t prof_time_unit_find(
	const char *name, size_t length, enum prof_time_unit least, enum prof_time_unit most)
{
	for (int i = (int)least; i <= (int)most; i++) {
		if (prof_text_is(units[i].name, name, length))
			return units[i].ns;
	}
	return 0;
}

int64_t prof_time_unit_word(const char *word)
{
	for (int i = 0; i < PROF_TIME_UNITS; i++) {
		if (units[i].word && !strcmp(units[i].word, word))
			return units[i].ns;
	}
	return 0;
}

void prof_time_unit_print(int64_t time, struct prof_text *text)
{
	double span = (double)time;
	int unit = PROF_TIME_NS;

	/* 999.95 is what four digits round to 1000. */
	for (; span >= 999.95 && unit < PROF_TIME_S; span /= 1000)
		unit++;
	prof_text_print(text, "%.4g %s", span, units[unit].name);
}
