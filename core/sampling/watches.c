/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/watches.h"

#include "base/clock.h"
#include "base/search.h"
#include "sampling/watch.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <string.h>

/* The index of THREAD, or where it would be inserted. */
static size_t position(const struct prof_watches *watches, pid_t thread)
{
	size_t at;

	PROF_SEARCH(at, watches->array.count, i, watches->array.items[i]->thread < thread);
	return at;
}

static void drop(struct prof_watches *watches, size_t at)
{
	struct prof_watch **place = &watches->array.items[at];

	prof_watch_deinit(*place);
	free(*place);
	watches->array.count--;
	memmove(place, place + 1, (watches->array.count - at) * sizeof *place);
}

void prof_watches_deinit(struct prof_watches *watches)
{
	while (watches->array.count)
		drop(watches, watches->array.count - 1);
	free(watches->array.items);
	free(watches->unread.items);
	*watches = (struct prof_watches){0};
}

struct prof_watch *prof_watches_find(const struct prof_watches *watches, pid_t thread)
{
	size_t at = position(watches, thread);

	if (at < watches->array.count && watches->array.items[at]->thread == thread)
		return watches->array.items[at];
	return NULL;
}

/* Notes whether THREAD is unread. */
static void note_unread(struct prof_watches *watches, pid_t thread, bool unread)
{
	size_t at = 0;

	while (at < watches->unread.count && watches->unread.items[at] != thread)
		at++;
	if (at < watches->unread.count)
		watches->unread.items[at] = watches->unread.items[--watches->unread.count];
	pid_t *place = unread ? prof_array_push(&watches->unread) : NULL;
	if (place)
		*place = thread;
}

struct prof_watch *prof_watches_add(struct prof_watches *watches, pid_t process, pid_t thread)
{
	size_t at = position(watches, thread);
	AUTO_FREE struct prof_watch *watch = malloc(sizeof *watch);

	if (!watch || !prof_array_reserve(&watches->array, 1))
		return NULL;
	prof_watch_init(watch, process, thread, prof_clock());
	/* Without its first figures, what it did before would count. */
	note_unread(watches, thread, watch->unread && !watch->gone);
	if (watch->gone || watch->unread) {
		prof_watch_deinit(watch);
		return NULL;
	}
	struct prof_watch **place = &watches->array.items[at];
	memmove(place + 1, place, (watches->array.count - at) * sizeof *place);
	watches->array.count++;
	*place = steal(&watch);
	return *place;
}

void prof_watches_drop(struct prof_watches *watches, pid_t thread)
{
	note_unread(watches, thread, false);
	if (prof_watches_find(watches, thread))
		drop(watches, position(watches, thread));
}

/* ns by which clocks may differ that are read one after the other. */
static const int64_t GRACE = 100000000;

/* Can the thread of WATCH have got to STAT by NOW? */
static bool can_be(const struct prof_watch *watch, const struct prof_schedstat *stat, int64_t now)
{
	int64_t run = stat->run - watch->run, delay = stat->delay - watch->delay;

	return run >= 0 && delay >= 0 && stat->slices >= watch->slices &&
		run + delay <= now - watch->last + GRACE;
}

/* The watch of the thread that most likely has STAT now: the nearest; NULL: none can have it. */
static struct prof_watch *find_executor(
	const struct prof_watches *watches, const struct prof_schedstat *stat, int64_t now)
{
	struct prof_watch *best = NULL;

	for (size_t i = 0; i < watches->array.count; i++) {
		struct prof_watch *watch = watches->array.items[i];
		if (can_be(watch, stat, now) && (!best || watch->run > best->run))
			best = watch;
	}
	return best;
}

/* From now on LEADER is the thread of EXECUTOR, which may be the same watch. */
static void take_over(struct prof_watch *leader, const struct prof_watch *executor)
{
	leader->last = executor->last;
	leader->run = executor->run;
	leader->delay = executor->delay;
	leader->slices = executor->slices;
	leader->seen = executor->seen;
	leader->bursts = executor->bursts;
	leader->ahead = executor->ahead;
	leader->kept = executor->kept;
	leader->counted = executor->counted;
}

void prof_watches_exec(struct prof_watches *watches, pid_t leader, int64_t now)
{
	struct prof_watch *kept = prof_watches_find(watches, leader);

	watches->unread.count = 0;
	if (kept) {
		/* It may have been reported with the figures of another thread. */
		struct prof_schedstat stat = prof_watch_schedstat(kept);
		const struct prof_watch *executor = find_executor(watches, &stat, now);
		if (executor)
			take_over(kept, executor);
		else
			prof_watch_restart(kept, now);
	}
	for (size_t i = watches->array.count; i-- > 0;) {
		if (watches->array.items[i]->thread != leader)
			drop(watches, i);
	}
}

bool prof_watches_held(const struct prof_watches *watches, int64_t *since, int64_t *until)
{
	bool all = watches->array.count > 0;

	for (size_t i = 0; i < watches->array.count && all; i++) {
		const struct prof_watch *watch = watches->array.items[i];
		all = watch->held && !(watch->alarm.on && prof_alarm_rung(&watch->alarm)) &&
			(!watch->timer.on || watch->timer.released);
		if (watch->held_since > *since)
			*since = watch->held_since;
		if (watch->looked < *until)
			*until = watch->looked;
	}
	return all;
}
