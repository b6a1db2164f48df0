/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/cpu_timers.h"

#include "base/clock.h"
#include "sampling/sandbox.h"
#include "sampling/tick.h"
#include "target/annex.h"
#include "target/procfs.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

/*
 * ns: how long to wait before trying again after the kernel has refused a timer, because the user
 * has too many pending signals.
 */
static const int64_t AGAIN = PROF_NS_PER_SECOND;

enum { NONE = -1 };

/* The request with which the kernel describes restartable sequences to debuggers. */
enum { OLDEST_MAJOR = 5, OLDEST_MINOR = 13 };

/* The memory to which arguments of the calls point. */
struct payload {
	struct sigevent event;
	struct itimerspec value;
};
_Static_assert(sizeof(struct payload) <= PROF_DETOUR_PAYLOAD, "it has its room");

/* A thread with a timer, by the index of its detour. */
struct place {
	pid_t thread;    /* 0: it has ended, and left its timer, if there is one */
	int timer;       /* the timer's id; NONE: there is none */
	int signal;      /* the timer's signal */
	bool creates;    /* the thread is creating the timer: its id is in the detour's data */
	int deletes;     /* index of a timer left over that the thread is deleting; NONE: none */
	bool left;       /* the last detour was abandoned */
	int64_t refused; /* when the kernel refused a timer; 0: it did not */
};

struct prof_cpu_timers {
	struct prof_annex annex;
	struct prof_sandbox sandbox;
	bool kept; /* forked children do not get the annex */
	const char *lack;
	size_t count; /* how many places were ever used */
	struct place places[PROF_ANNEX_DETOURS];
};

/* The last detour is for calls that are made at once. */
enum { PLACES = PROF_ANNEX_DETOURS - 1 };

struct prof_error *prof_cpu_timers_exist(void)
{
	unsigned major = 0, minor = 0;
	struct utsname system;

	if (!prof_detour_is_possible())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"gdbprof makes CPU timers in programs of x86-64 only.");
	if (!uname(&system))
		sscanf(system.release, "%u.%u", &major, &minor);
	if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"CPU timers need Linux %d.%d or later.", OLDEST_MAJOR, OLDEST_MINOR);
	return NULL;
}

struct prof_error *prof_cpu_timers_check(void)
{
	struct prof_error *error = prof_cpu_timers_exist();

	return error ? error : prof_sandbox_try();
}

struct prof_cpu_timers *prof_cpu_timers_create(pid_t process)
{
	struct prof_cpu_timers *timers = calloc(1, sizeof *timers);

	if (!timers)
		return NULL;
	prof_annex_init(&timers->annex, process);
	prof_sandbox_init(&timers->sandbox, process);
	return timers;
}

void prof_cpu_timers_destroy(struct prof_cpu_timers *timers)
{
	free(timers);
}

static struct place *find(struct prof_cpu_timers *timers, pid_t thread)
{
	for (size_t i = 0; i < timers->count; i++) {
		if (timers->places[i].thread == thread)
			return &timers->places[i];
	}
	return NULL;
}

/* A place for THREAD; NULL: all are in use. */
static struct place *find_or_take(struct prof_cpu_timers *timers, pid_t thread)
{
	struct place *place = find(timers, thread);

	for (size_t i = 0; i < timers->count && !place; i++) {
		struct place *other = &timers->places[i];
		if (!other->thread && other->timer == NONE && !other->creates)
			place = other;
	}
	if (!place && timers->count < PLACES)
		place = &timers->places[timers->count++];
	if (place && place->thread != thread)
		*place = (struct place){.thread = thread, .timer = NONE, .deletes = NONE};
	return place;
}

static struct prof_detour detour_of(const struct prof_cpu_timers *timers, const struct place *place)
{
	return prof_annex_detour(&timers->annex, (size_t)(place - timers->places));
}

static bool read_data(const struct prof_detour *detour, struct prof_detour_data *ret)
{
	struct iovec local = {ret, sizeof *ret};
	struct iovec remote = {(void *)(uintptr_t)detour->data, sizeof *ret};

	return process_vm_readv(detour->process, &local, 1, &remote, 1, 0) == sizeof *ret;
}

/*
 * Takes the result of PLACE's last detour.  False: it may still be under way, for example if a
 * handler of the program's has interrupted it.
 */
static bool take(struct prof_cpu_timers *timers, struct place *place)
{
	const struct prof_detour detour = detour_of(timers, place);
	struct prof_detour_data data;

	if (!read_data(&detour, &data))
		return false;
	/* All zeroes: the detour was never used. */
	if (!data.done && data.resume)
		return false;
	if (place->creates) {
		/* The first argument of the last call, which sets the timer, is its id. */
		place->timer = (int)data.later[PROF_DETOUR_CALLS - 2][1];
		place->creates = false;
		place->refused = place->timer < 0 && !place->left ? prof_clock() : 0;
		if (place->timer < 0)
			place->timer = NONE;
	}
	if (!place->left) {
		timers->kept = timers->kept || data.resume;
		if (place->deletes != NONE)
			timers->places[place->deletes].timer = NONE;
	}
	place->deletes = NONE;
	place->left = false;
	return true;
}

/* The index of a timer that a thread has left when it ended; NONE: there is none. */
static int find_leftover(struct prof_cpu_timers *timers)
{
	for (size_t i = 0; i < timers->count; i++) {
		struct place *place = &timers->places[i];
		if (place->thread || (place->creates && !take(timers, place)))
			continue;
		if (place->timer != NONE)
			return (int)i;
	}
	return NONE;
}

static struct prof_detour_call to_delete(int timer)
{
	return (struct prof_detour_call){SYS_timer_delete, {(uint32_t)timer}};
}

/* Prepares the calls that set the timer of PLACE, after those that it needs; returns how many. */
static size_t plan(struct prof_cpu_timers *timers, struct place *place, int signal,
	const struct prof_detour *detour, struct prof_detour_call calls[PROF_DETOUR_CALLS])
{
	uint64_t payload = prof_detour_payload(detour);
	bool replaces = place->timer != NONE && place->signal != signal;
	bool creates = place->timer == NONE || replaces;
	size_t count = 0;

	if (replaces)
		calls[count++] = to_delete(place->timer);
	else if (creates && !timers->kept)
		calls[count++] = prof_annex_keep();
	else if ((place->deletes = find_leftover(timers)) != NONE)
		calls[count++] = to_delete(timers->places[place->deletes].timer);
	if (creates) {
		uint64_t id = prof_detour_argument(detour, count + 1, count + 2);
		calls[count++] = (struct prof_detour_call){SYS_timer_create,
			{CLOCK_THREAD_CPUTIME_ID, payload + offsetof(struct payload, event), id}};
	}
	calls[count++] = (struct prof_detour_call){SYS_timer_settime,
		{creates ? (uint32_t)NONE : (uint32_t)place->timer, 0,
			payload + offsetof(struct payload, value), 0}};
	place->creates = creates;
	return count;
}

bool prof_cpu_timers_set(struct prof_cpu_timers *timers, pid_t thread, int signal, int64_t ns)
{
	struct prof_detour_call calls[PROF_DETOUR_CALLS];
	struct payload payload = {
		.event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal},
		.value = {.it_value = prof_clock_timespec(ns)},
	};
	pid_t own;

	if (timers->lack || (timers->lack = prof_sandbox_look(&timers->sandbox, thread, &own)))
		return false;
	if (!timers->annex.there &&
		(prof_annex_extend(&timers->annex, thread) || !timers->annex.there)) {
		timers->lack = timers->annex.lacks;
		return false;
	}
	struct place *place = find_or_take(timers, thread);
	if (!place || !take(timers, place) ||
		(place->refused && prof_clock() - place->refused < AGAIN))
		return false;
	const struct prof_detour detour = detour_of(timers, place);
	payload.event.sigev_value.sival_ptr = prof_tick_value();
	payload.event._sigev_un._tid = own;
	const struct place before = *place;
	size_t count = plan(timers, place, signal, &detour, calls);
	if (!prof_detour_enter(&detour, thread, calls, count, &payload, sizeof payload)) {
		*place = before;
		return false;
	}
	place->signal = signal;
	return true;
}

bool prof_cpu_timers_drop(struct prof_cpu_timers *timers, pid_t thread)
{
	struct place *place = find(timers, thread);
	pid_t own;

	if (!place || !take(timers, place) || place->timer == NONE ||
		prof_sandbox_look(&timers->sandbox, thread, &own))
		return false;
	const struct prof_detour detour = detour_of(timers, place);
	const struct prof_detour_call call = to_delete(place->timer);
	if (!prof_detour_enter(&detour, thread, &call, 1, NULL, 0))
		return false;
	place->deletes = (int)(place - timers->places);
	return true;
}

void prof_cpu_timers_leave(struct prof_cpu_timers *timers, pid_t thread)
{
	struct place *place = find(timers, thread);

	if (place) {
		const struct prof_detour detour = detour_of(timers, place);
		place->left |= prof_detour_leave(&detour, thread);
	} else if (!timers->annex.there) {
		prof_annex_leave(&timers->annex, thread);
	}
}

void prof_cpu_timers_forget(struct prof_cpu_timers *timers, pid_t thread)
{
	struct place *place = timers ? find(timers, thread) : NULL;

	if (timers)
		prof_annex_forget(&timers->annex, thread);
	if (place)
		place->thread = 0;
}

void prof_cpu_timers_exec(struct prof_cpu_timers *timers)
{
	if (!timers)
		return;
	pid_t process = timers->annex.process;
	*timers = (struct prof_cpu_timers){0};
	prof_annex_init(&timers->annex, process);
	prof_sandbox_init(&timers->sandbox, process);
}

bool prof_cpu_timers_any(struct prof_cpu_timers *timers)
{
	for (size_t i = 0; timers && i < timers->count; i++) {
		/* The program may have deleted its own meanwhile. */
		if (timers->places[i].deletes == (int)i)
			take(timers, &timers->places[i]);
		if (timers->places[i].timer != NONE || timers->places[i].creates)
			return true;
	}
	return false;
}

bool prof_cpu_timers_clear(struct prof_cpu_timers *timers, pid_t thread)
{
	struct prof_signals signals;
	int64_t result;

	if (!prof_cpu_timers_any(timers))
		return true;
	/* Another signal would come first, in a stop that the debugger does not expect. */
	if (!prof_procfs_signals(timers->annex.process, thread, &signals) ||
		signals.pending & ~signals.blocked)
		return false;
	const struct prof_detour detour = prof_annex_detour(&timers->annex, PLACES);
	pid_t own;
	if (prof_sandbox_look(&timers->sandbox, thread, &own) ||
		prof_sandbox_ignores_traps(&timers->sandbox, thread))
		return false;
	for (size_t i = 0; i < timers->count; i++) {
		struct place *place = &timers->places[i];
		if ((place->thread && place->thread != thread) ||
			(place->timer == NONE && !place->creates) || !take(timers, place))
			continue;
		const struct prof_detour_call call = to_delete(place->timer);
		if (place->timer != NONE && !prof_detour_call_now(&detour, thread, &call, &result))
			return false;
		place->timer = NONE;
	}
	return !prof_cpu_timers_any(timers);
}

const char *prof_cpu_timers_lack(const struct prof_cpu_timers *timers)
{
	return timers ? timers->lack : NULL;
}
