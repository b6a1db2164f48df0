/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is known of how two experiments were recorded, added up. */
#include "model/merge.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Is PART one of LIST, "one, other"? */
static bool has_part(const char *list, const char *part)
{
	size_t length = strlen(part);

	for (const char *at = list; (at = strstr(at, part)); at++) {
		bool begins = at == list || at[-1] == ' ';
		if (begins && (!at[length] || at[length] == ','))
			return true;
	}
	return false;
}

/* Makes *TO a list of what both recordings have there, "one, other". */
static struct prof_error *join(char **to, const char *from)
{
	AUTO_TEXT struct prof_text text = {0};

	if (!*from || has_part(*to, from))
		return NULL;
	prof_text_print(&text, "%s%s%s", *to, **to ? ", " : "", from);
	struct prof_error *error = prof_text_error(&text);
	if (error)
		return error;
	free(*to);
	*to = text.bytes;
	text = (struct prof_text){0};
	return NULL;
}

/* A + B, or the most there is. */
static int64_t add_times(int64_t a, int64_t b)
{
	return a > PROF_TIME_MOST - b ? PROF_TIME_MOST : a + b;
}

static uint64_t add_numbers(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The mean of two rates over the time that they were in force; one that is 0 does not count. */
static double mean_rate(
	const struct prof_recording *to, const struct prof_recording *from, double a, double b)
{
	double time = (double)to->duration + (double)from->duration;

	if (!a || !b || a == b)
		return a ? a : b;
	if (time <= 0)
		return (a + b) / 2;
	return a * ((double)to->duration / time) + b * ((double)from->duration / time);
}

struct prof_error *prof_merge_recording(
	struct prof_recording *to, const struct prof_recording *from)
{
	struct prof_error *error = join(&to->program, from->program);

	if (!error)
		error = join(&to->source, from->source);
	if (!error)
		error = join(&to->engine, from->engine);
	if (!error)
		error = join(&to->unwinder, from->unwinder);
	if (!error)
		error = join(&to->clock, from->clock);
	if (error)
		return error;
	if (from->date && (!to->date || from->date < to->date))
		to->date = from->date;
	to->rate_asked = mean_rate(to, from, to->rate_asked, from->rate_asked);
	to->rate_lowest = mean_rate(to, from, to->rate_lowest, from->rate_lowest);
	to->duration = add_times(to->duration, from->duration);
	to->kept = add_times(to->kept, from->kept);
	to->stopped = add_times(to->stopped, from->stopped);
	to->delayed = add_times(to->delayed, from->delayed);
	to->running = add_times(to->running, from->running);
	to->blocked = add_times(to->blocked, from->blocked);
	to->bursts = add_times(to->bursts, from->bursts);
	to->counting = add_times(to->counting, from->counting);
	to->looking = add_times(to->looking, from->looking);
	to->ticks = add_numbers(to->ticks, from->ticks);
	to->ticks_lost = add_numbers(to->ticks_lost, from->ticks_lost);
	to->rounds = add_numbers(to->rounds, from->rounds);
	to->extra_ends = add_numbers(to->extra_ends, from->extra_ends);
	to->open_calls = add_numbers(to->open_calls, from->open_calls);
	to->families |= from->families;
	to->events = add_numbers(to->events, from->events);
	to->events_lost = add_numbers(to->events_lost, from->events_lost);
	to->event_bytes = add_numbers(to->event_bytes, from->event_bytes);
	to->threshold = to->threshold > from->threshold ? to->threshold : from->threshold;
	to->uncontended = to->uncontended ? to->uncontended : from->uncontended;
	to->stride = to->stride > from->stride ? to->stride : from->stride;
	to->unread = add_numbers(to->unread, from->unread);
	to->experiments = add_numbers(prof_merge_count(to), prof_merge_count(from));
	return NULL;
}

uint64_t prof_merge_count(const struct prof_recording *recording)
{
	return recording->experiments ? recording->experiments : 1;
}

struct prof_error *prof_merge_check(
	const struct prof_recording *to, const struct prof_recording *from)
{
	if (!*to->clock || !*from->clock || !strcmp(to->clock, from->clock))
		return NULL;
	return prof_error_create(PROF_ERROR_MISMATCH,
		"Experiments of the clocks \"%s\" and \"%s\" cannot be added up, because their samples do not count the same.",
		to->clock, from->clock);
}
