/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the ticks of the engines stop and catch come from. */
#ifndef PROF_PLUGIN_ENGINE_TICK_SOURCE_H
#define PROF_PLUGIN_ENGINE_TICK_SOURCE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_look;
struct prof_meeting;

/* All zeroes: not chosen yet. */
struct tick_source {
	bool alarms;              /* from alarms, see core/sampling/alarm.h */
	bool timers;              /* else from CPU timers, see core/sampling/cpu_timers.h */
	bool short_work;          /* these are for threads with short work, looks for others */
	struct prof_error *lacks; /* why it is not alarms, where these were preferred; or NULL */
	bool other_can;           /* it is looks, but the engine stop could set CPU timers */
	pid_t without;            /* a process that has no CPU timers all the same; 0: none */
	const char *reason;       /* of that, a phrase */
	uint64_t threads;         /* so many were met by their CPU timers */
	bool beats;               /* one of them rang in step with its thread's work */
	uint64_t stops, samples;  /* of threads by their CPU timers, and what these stand for */
};

/* The values of `set prof ticks`; NULL after the last. */
const char *tick_source_word(size_t index);

/*
 * Chooses by `prof ticks`, and forgets the choice before; TIMES: the engine can set CPU timers.  An
 * error: the only source that the setting permits does not work.
 */
struct prof_error *tick_source_choose(struct tick_source *source, bool times) PROF_MUST_CHECK;

/* Frees what SOURCE holds: nothing is chosen. */
void tick_source_forget(struct tick_source *source);

/* PROCESS has no CPU timers, for REASON, a phrase; NULL: it has, or will. */
void tick_source_lack(struct tick_source *source, pid_t process, const char *reason);

/* Counts LOOK, of a thread that was met by MEETING. */
void tick_source_count(struct tick_source *source, const struct prof_look *look,
	const struct prof_meeting *meeting);

/* Adds the source of the ticks, and the reason for it, unless HAS_REASON: that is shown anyway. */
void tick_source_say(const struct tick_source *source, bool has_reason, struct prof_text *text);

#endif
