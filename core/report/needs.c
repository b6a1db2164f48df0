/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/needs.h"

#include "base/text.h"
#include "model/contents.h"

/* What an experiment that lacks something has, and which commands show it. */
static const struct {
	unsigned has;
	const char *what, *use;
} lacking[] = {
	{PROF_HAS_STACKS,
		"this experiment has only stacks: samples are no calls, and lists of calls without times have no durations",
		"prof-callers FUNCTION, or load a list of calls and returns with times"},
	{PROF_HAS_GMON, "a gmon.out has only a histogram and counts of calls", "prof-gprof"},
	{PROF_HAS_COSTS, "a callgrind file has only costs of lines and of calls",
		"prof-functions, prof-objects, prof-lines, prof-source, prof-callers FUNCTION or prof-gprof"},
};

/* Adds the names of the bits in NEEDS: "stacks or costs of lines". */
static void print_needs(unsigned needs, struct prof_text *text)
{
	static const struct {
		unsigned bit;
		const char *name;
	} names[] = {
		{PROF_HAS_STACKS, "stacks"},
		{PROF_HAS_COSTS, "costs of lines"},
		{PROF_HAS_GMON, "counts of calls"},
		{PROF_HAS_CALLS, "single calls with times"},
	};

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		if (needs & names[i].bit)
			prof_text_print(text, "%s%s", text->length ? " or " : "", names[i].name);
	}
}

struct prof_error *prof_needs_check(
	const struct prof_experiment *experiment, unsigned needs, const char *who)
{
	unsigned has = prof_experiment_has(experiment);
	AUTO_TEXT struct prof_text names = {0};
	size_t kind = 0;

	if (!needs || has & needs)
		return NULL;
	print_needs(needs, &names);
	if (names.failed)
		return prof_error_nomem();
	while (!(has & lacking[kind].has))
		kind++;
	return prof_error_create(PROF_ERROR_MISSING, "%s needs %s, but %s.  Use %s.", who,
		prof_text_get(&names), lacking[kind].what, lacking[kind].use);
}
