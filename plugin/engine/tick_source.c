/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/tick_source.h"

#include "plugin/gdb/host.h"
#include "recording/look.h"
#include "sampling/cpu_timers.h"
#include "sampling/perf_event.h"
#include "sampling/short_work.h"
#include "sampling/ticker.h"
#include "target/arch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AUTO, KERNEL, TIMER, LOOK };

static const char *const words[] = {[AUTO] = "auto",
	[KERNEL] = "kernel",
	[TIMER] = "timer",
	[LOOK] = "look",
	[LOOK + 1] = NULL};

/* Samples: a stop that stands for this many more is worth a note. */
static const double MORE = 0.25;

const char *tick_source_word(size_t index)
{
	return words[index];
}

void tick_source_forget(struct tick_source *source)
{
	prof_error_destroy(source->lacks);
	*source = (struct tick_source){0};
}

/* WORD was asked for, and does not work. */
static struct prof_error *refuse(const char *word, const struct prof_error *why)
{
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"\"prof ticks\" is set to %s.  %s  \"set prof ticks auto\" records without that.",
		word, prof_error_message(why));
}

/* Chooses CPU timers, if they work. */
static struct prof_error *choose_timers(struct tick_source *source, bool times)
{
	AUTO_ERROR struct prof_error *why = times
		? prof_cpu_timers_check()
		: prof_error_create(PROF_ERROR_UNSUPPORTED,
			  "Only the engine stop can tick threads by CPU timers.");

	source->timers = !why;
	return why ? refuse(words[TIMER], why) : NULL;
}

struct prof_error *tick_source_choose(struct tick_source *source, bool times)
{
	AUTO_FREE char *wanted = NULL;
	struct prof_error *error = host_parameter("prof ticks", &wanted);

	tick_source_forget(source);
	if (error || !strcmp(wanted, words[LOOK]))
		return error;
	if (!strcmp(wanted, words[TIMER]))
		return choose_timers(source, times);
	source->alarms = prof_perf_scope(prof_arch_native(), &source->lacks) == PROF_PERF_ALL;
	if (!source->alarms && !strcmp(wanted, words[KERNEL])) {
		error = refuse(wanted, source->lacks);
		tick_source_forget(source);
	} else if (!source->alarms) {
		AUTO_ERROR struct prof_error *why = prof_cpu_timers_check();
		source->timers = source->short_work = times && !why;
		source->other_can = !times && !why;
	}
	return error;
}

void tick_source_lack(struct tick_source *source, pid_t process, const char *reason)
{
	if (!reason)
		return;
	source->without = process;
	source->reason = reason;
}

void tick_source_count(struct tick_source *source, const struct prof_look *look,
	const struct prof_meeting *meeting)
{
	source->beats |= meeting->beats;
	if (!meeting->timed)
		return;
	source->threads += meeting->first;
	source->stops++;
	source->samples += look->samples;
}

/* Which threads have CPU timers, where only some have. */
static void say_threads(const struct tick_source *source, struct prof_text *text)
{
	bool one = source->threads == 1;

	if (!source->threads)
		prof_text_print(text,
			"gdbprof ticks the threads that it sees running.  A thread gets a CPU timer in the program when "
			"%d %% of its CPU time is in runs of less than %d us between waits.\n",
			PROF_SHORT_LARGE, PROF_SHORT / 1000);
	else
		prof_text_print(text,
			"CPU timers in the program ticked %" PRIu64
			" thread%s, because %d %% or more of %s CPU time was in runs of "
			"less than %d us between waits.  Other ticks went to threads that gdbprof saw running.\n",
			source->threads, one ? "" : "s", PROF_SHORT_LARGE, one ? "its" : "their",
			PROF_SHORT / 1000);
	if (source->beats)
		prof_text_print(text,
			"gdbprof deleted some of these timers, because they rang in step with work that a clock begins.\n");
}

static void say_timers(const struct tick_source *source, struct prof_text *text)
{
	if (source->short_work)
		say_threads(source, text);
	else
		prof_text_print(
			text, "Ticks come from CPU timers that gdbprof makes in the program.\n");
	if ((double)source->samples > (1 + MORE) * (double)source->stops && source->stops)
		prof_text_print(text,
			"A stop stands for %.1f samples on average, because the kernel checks these timers only at the ticks of its own clock.\n",
			(double)source->samples / (double)source->stops);
	if (source->without)
		prof_text_print(text, "Process %d has none, because %s.\n", (int)source->without,
			source->reason);
}

void tick_source_say(const struct tick_source *source, bool has_reason, struct prof_text *text)
{
	if (source->timers)
		say_timers(source, text);
	if ((source->lacks && !source->timers) || source->without)
		prof_text_print(text,
			"The CPU time of short work between two waits is partly counted for the waits.\n");
	if (source->other_can)
		prof_text_print(text,
			"The engine stop counts it for the work, by CPU timers in the program.\n");
	if (source->lacks && !has_reason)
		prof_text_print(text, "%s\n", prof_error_message(source->lacks));
}
