/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/subject.h"

#include "sampling/cpu_timers.h"
#include "sampling/leftover.h"
#include "sampling/tick.h"
#include "sampling/ticker.h"
#include "sampling/walker.h"
#include "target/procfs.h"

#include <errno.h>
#include <stdlib.h>

static void destroy(struct subject *subject)
{
	prof_ticker_destroy(subject->ticker);
	prof_walker_destroy(subject->walker);
	prof_cpu_timers_destroy(subject->timers);
	prof_maps_deinit(&subject->maps);
	free(subject);
}

struct prof_error *subjects_add(
	struct subjects *subjects, const struct prof_ticker_options *options, struct subject **ret)
{
	struct subject *subject = calloc(1, sizeof *subject);

	if (!subject || !prof_array_reserve(&subjects->items, 1)) {
		free(subject);
		return prof_error_nomem();
	}
	subject->process = options->process;
	struct prof_error *error = NULL;
	if (options->timers && !(subject->timers = prof_cpu_timers_create(subject->process)))
		error = prof_error_nomem();
	if (!error)
		error = prof_ticker_create(options, &subject->ticker);
	if (error) {
		prof_cpu_timers_destroy(subject->timers);
		free(subject);
		return error;
	}
	subject->walker = options->walker;
	subjects->items.items[subjects->items.count++] = subject;
	*ret = subject;
	return NULL;
}

void subjects_remove(struct subjects *subjects, pid_t process)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		struct subject *subject = subjects->items.items[i];
		if (subject->process != process)
			continue;
		subjects->items.items[i] = subjects->items.items[--subjects->items.count];
		destroy(subject);
		return;
	}
}

void subjects_clear(struct subjects *subjects)
{
	while (subjects->items.count)
		destroy(subjects->items.items[--subjects->items.count]);
	free(subjects->items.items);
	*subjects = (struct subjects){0};
}

struct subject *subjects_find(const struct subjects *subjects, pid_t process)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		if (subjects->items.items[i]->process == process)
			return subjects->items.items[i];
	}
	return NULL;
}

bool subjects_have(const struct subjects *subjects, pid_t thread)
{
	return subjects_find(subjects, prof_procfs_process(thread));
}

struct subject *subjects_of_thread(const struct subjects *subjects, pid_t thread)
{
	/* Mostly there is only one, which knows its threads without reading /proc. */
	if (subjects->items.count <= 1)
		return subjects->items.count ? subjects->items.items[0] : NULL;
	return subjects_find(subjects, prof_procfs_process(thread));
}

struct subject *subjects_meet(const struct subjects *subjects, pid_t thread, const siginfo_t *info,
	struct prof_meeting *meeting)
{
	enum prof_met unknown = prof_tick_is_ours(info) ? PROF_MET_STRAY : PROF_MET_NOTHING;

	*meeting = (struct prof_meeting){.met = unknown};
	for (size_t i = 0; i < subjects->items.count; i++) {
		struct subject *subject = subjects->items.items[i];
		if (!prof_ticker_meet(subject->ticker, thread, info, meeting))
			continue;
		return meeting->met >= PROF_MET_TICK ? subject : NULL;
	}
	return NULL;
}

void subjects_watch(const struct subjects *subjects, pid_t thread)
{
	struct subject *subject = subjects_of_thread(subjects, thread);

	if (subject)
		prof_ticker_watch(subject->ticker, thread, 0);
}

void subjects_forget(const struct subjects *subjects, pid_t thread)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		struct subject *subject = subjects->items.items[i];
		prof_ticker_forget(subject->ticker, thread);
		prof_cpu_timers_forget(subject->timers, thread);
	}
}

void subjects_want(const struct subjects *subjects, pid_t thread)
{
	int before = errno;
	struct subject *subject = subjects_of_thread(subjects, thread);

	if (subject)
		prof_ticker_want(subject->ticker, thread);
	errno = before;
}

void subjects_got(const struct subjects *subjects, pid_t thread)
{
	for (size_t i = 0; i < subjects->items.count; i++)
		prof_ticker_got(subjects->items.items[i]->ticker, thread);
}

int subjects_let_go(const struct subjects *subjects, pid_t thread)
{
	struct subject *subject = subjects_of_thread(subjects, thread);
	int signal = 0;

	if (!subject)
		return 0;
	if (prof_ticker_owes(subject->ticker, thread))
		signal = prof_leftover_take(subject->process, thread);
	prof_cpu_timers_clear(subject->timers, thread);
	return signal;
}

void subjects_hold(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->items.count; i++)
		prof_ticker_hold(subjects->items.items[i]->ticker);
}

void subjects_mute(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->items.count; i++)
		prof_ticker_mute(subjects->items.items[i]->ticker);
}

void subjects_report(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->items.count; i++)
		prof_ticker_report(subjects->items.items[i]->ticker);
}

bool subjects_outstanding(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		if (prof_ticker_outstanding(subjects->items.items[i]->ticker))
			return true;
	}
	return false;
}

bool subjects_bounds(const struct subjects *subjects, pid_t process, uint64_t address,
	uint64_t *low, uint64_t *high)
{
	const struct subject *subject = subjects_find(subjects, process);

	return subject && subject->walker &&
		prof_walker_bounds(subject->walker, address, low, high);
}

bool subjects_map(
	const struct subjects *subjects, pid_t process, uint64_t address, const char *path)
{
	const struct subject *subject = subjects_find(subjects, process);

	return subject && subject->walker && prof_walker_maps(subject->walker, address, path);
}

void subjects_flush(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		if (subjects->items.items[i]->walker)
			prof_walker_flush(subjects->items.items[i]->walker);
	}
}

void subjects_read(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->items.count; i++) {
		if (subjects->items.items[i]->walker)
			prof_walker_read(subjects->items.items[i]->walker);
	}
}
