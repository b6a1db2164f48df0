/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU timers of the programs that the engine stop samples, see core/sampling/cpu_timers.h. */
#ifndef PROF_PLUGIN_ENGINE_CPU_TIMERS_H
#define PROF_PLUGIN_ENGINE_CPU_TIMERS_H

#include <stdbool.h>
#include <sys/types.h>

struct prof_meeting;
struct subject;
struct subjects;
struct tick_source;

/* THREAD has stopped: GDB must never see it on its way to set a timer. */
void cpu_timers_leave(const struct subjects *subjects, pid_t thread);

/*
 * THREAD, which was met by MEETING, is about to go on: sets its timer, if the look asks for that
 * and MAY permits it.
 */
void cpu_timers_wind(
	struct subject *subject, pid_t thread, const struct prof_meeting *meeting, bool may);

/* Deletes all timers, as far as there are threads that stand still, and GDB knows. */
void cpu_timers_clear(const struct subjects *subjects);

/* THREAD, which stands still by a tick, deletes its own. */
void cpu_timers_delete_own(const struct subjects *subjects, pid_t thread);

/* Reports to SOURCE the threads that can have no timer. */
void cpu_timers_look(const struct subjects *subjects, struct tick_source *source);

/* Are there any? */
bool cpu_timers_any(const struct subjects *subjects);

#endif
