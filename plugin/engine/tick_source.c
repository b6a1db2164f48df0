/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/tick_source.h"

#include "plugin/gdb/host.h"
#include "recording/look.h"
#include "sampling/cpu_timers.h"
#include "sampling/perf_event.h"
#include "target/arch.h"

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
		AUTO_ERROR struct prof_error *why = prof_cpu_timers_exist();
		source->can_time = times && !why;
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

void tick_source_count(struct tick_source *source, const struct prof_look *look)
{
	source->stops++;
	source->samples += look->samples;
}

static void say_timers(const struct tick_source *source, struct prof_text *text)
{
	prof_text_print(text, "Ticks come from CPU timers that gdbprof makes in the program.\n");
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
	if (source->lacks || source->without)
		prof_text_print(text,
			"The CPU time of short work between two waits is partly counted for the waits.\n");
	if (source->can_time)
		prof_text_print(text,
			"Use \"set prof ticks timer\" to count it for the work, by CPU timers in the program.\n");
	if (source->lacks && !has_reason)
		prof_text_print(text, "%s\n", prof_error_message(source->lacks));
}
