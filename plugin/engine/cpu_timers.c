/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/cpu_timers.h"

#include "base/clock.h"
#include "plugin/engine/tick_source.h"
#include "plugin/interpose/away.h"
#include "plugin/interpose/subject.h"
#include "sampling/cpu_timers.h"
#include "sampling/postpone.h"
#include "sampling/ticker.h"
#include "target/procfs.h"
#include "target/target.h"

#include <sys/wait.h>

void cpu_timers_leave(const struct subjects *subjects, pid_t thread)
{
	struct subject *subject = subjects_of_thread(subjects, thread);

	if (subject && subject->timers)
		prof_cpu_timers_leave(subject->timers, thread);
}

void cpu_timers_wind(
	struct subject *subject, pid_t thread, const struct prof_meeting *meeting, bool may)
{
	if (meeting->ends && may && prof_cpu_timers_drop(subject->timers, thread))
		prof_ticker_unset(subject->ticker, thread, true);
	if (!meeting->period)
		return;
	if (may && prof_cpu_timers_set(subject->timers, thread, meeting->ring, meeting->period))
		away_watch();
	else
		prof_ticker_unset(subject->ticker, thread, prof_cpu_timers_lack(subject->timers));
}

/* If GDB has not waited for a stop yet, it must not be lost. */
static bool is_known(pid_t thread)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)thread, &info, WSTOPPED | WNOWAIT | WNOHANG | __WALL) &&
		!info.si_pid;
}

static void clear(void *context, pid_t thread)
{
	struct subject *subject = context;

	if (!prof_cpu_timers_any(subject->timers) || !is_known(thread))
		return;
	/* A pending tick would stop the thread once more, in a stop that GDB does not expect. */
	if (prof_postpone(subject->process, thread, false))
		prof_ticker_settle(
			subject->ticker, thread, prof_clock(), PROF_WITHIN_PROGRAM, NULL);
	prof_cpu_timers_clear(subject->timers, thread);
}

void cpu_timers_clear(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		struct subject *subject = subjects->items.items[i];
		if (prof_cpu_timers_any(subject->timers))
			prof_procfs_threads(subject->process, clear, subject);
	}
}

void cpu_timers_delete_own(const struct subjects *subjects, pid_t thread)
{
	struct subject *subject = subjects_of_thread(subjects, thread);

	if (subject)
		prof_cpu_timers_clear(subject->timers, thread);
}

void cpu_timers_look(const struct subjects *subjects, struct tick_source *source)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		const struct subject *subject = subjects->items.items[i];
		tick_source_lack(source, subject->process, prof_cpu_timers_lack(subject->timers));
	}
}

bool cpu_timers_any(const struct subjects *subjects)
{
	bool any = false;

	for (size_t i = 0; i < subjects->items.count && !any; i++)
		any = prof_cpu_timers_any(subjects->items.items[i]->timers);
	return any;
}
