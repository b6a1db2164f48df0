#include "sample/ticker.h"

#include "sample/leaving.h"
#include "sample/pace.h"
#include "sample/watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

/* All in ns.  A tick that is not met in LOST_AFTER is looked for; a sleeping thread's time is told
 * every SLEEP_LOOK; new threads and handlers are looked for every DISCOVER. */
static const int64_t LOST_AFTER = SECOND / 5;
static const int64_t SLEEP_LOOK = SECOND / 10;
static const int64_t DISCOVER = SECOND / 20;

struct prof_ticker {
	struct prof_ticker_options options;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake; /* held or quit has changed */

	/* All below under the lock. */
	bool held, quit;
	int signal;
	int64_t discovered;                      /* when new threads were last looked for */
	int64_t looked;                          /* when all threads were last looked at */
	PROF_ARRAY(struct prof_watch *) watches; /* sorted by thread id */
	struct prof_leaving leaving;
	struct prof_pace pace;
	struct prof_figures figures; /* since they were told last */
	int64_t counted;             /* until when their duration was counted */
};

/* The index of THREAD in the watches, or where it would stand. */
static size_t position(const struct prof_ticker *ticker, pid_t thread)
{
	size_t low = 0;
	size_t high = ticker->watches.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (ticker->watches.items[middle]->thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct prof_watch *find(const struct prof_ticker *ticker, pid_t thread)
{
	size_t at = position(ticker, thread);

	if (at < ticker->watches.count && ticker->watches.items[at]->thread == thread)
		return ticker->watches.items[at];
	return NULL;
}

/* Adds a watch for THREAD, and tells the recorder its name. */
static struct prof_watch *add(struct prof_ticker *ticker, pid_t thread)
{
	struct prof_record record = {.kind = PROF_RECORD_THREAD, .thread.id = thread};
	char name[PROF_THREAD_NAME];
	size_t at = position(ticker, thread);
	struct prof_watch *watch = malloc(sizeof *watch);

	if (!watch || !prof_array_reserve(&ticker->watches, 1)) {
		free(watch);
		return NULL;
	}
	prof_watch_init(watch, ticker->options.process, thread, prof_watch_clock());
	if (watch->gone) {
		prof_watch_deinit(watch);
		free(watch);
		return NULL;
	}
	struct prof_watch **place = &ticker->watches.items[at];
	memmove(place + 1, place, (ticker->watches.count - at) * sizeof *place);
	*place = watch;
	ticker->watches.count++;

	prof_procfs_name(ticker->options.process, thread, name);
	record.size = (uint32_t)strlen(name) + 1;
	prof_queue_put(ticker->options.queue, &record, name);
	return watch;
}

static void drop(struct prof_ticker *ticker, size_t at)
{
	struct prof_watch **place = &ticker->watches.items[at];

	prof_watch_deinit(*place);
	free(*place);
	ticker->watches.count--;
	memmove(place, place + 1, (ticker->watches.count - at) * sizeof *place);
}

/* SIGURG is ignored by default, and hardly used; where it is caught, SIGWINCH is the next best. */
static void choose_signal(struct prof_ticker *ticker)
{
	struct prof_signals signals;

	if (ticker->options.signal)
		ticker->signal = ticker->options.signal;
	else if (prof_procfs_signals(ticker->options.process, ticker->options.process, &signals))
		ticker->signal = signals.caught >> (SIGURG - 1) & 1 ? SIGWINCH : SIGURG;
}

/* Counts the time of LOOK, of which the thread was kept stopped for KEPT ns more. */
static void count(struct prof_ticker *ticker, const struct prof_look *look, int64_t kept)
{
	ticker->figures.running += look->cpu;
	ticker->figures.stopped += kept;
	prof_pace_count(&ticker->pace, kept, look->cpu);
}

/* Tells the recorder of WATCH's time since the last look, with the stack that is known. */
static void tell(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now,
	const struct prof_schedstat *schedstat, enum prof_state state)
{
	struct prof_record record = {.kind = PROF_RECORD_LOOK};

	prof_watch_look(watch, now, schedstat, 0, state, &record.look);
	count(ticker, &record.look, 0);
	prof_queue_put(ticker->options.queue, &record, NULL);
}

/* A tick is outstanding for WATCH, and the next one is due. */
static void wait_for(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now)
{
	struct prof_signals signals;

	ticker->figures.ticks++;
	ticker->figures.lost++;
	if (now - watch->sent < LOST_AFTER)
		return;
	if (!prof_procfs_signals(watch->process, watch->thread, &signals)) {
		watch->gone = true;
	} else if (signals.pending >> (ticker->signal - 1) & 1) {
		/* It blocks the signal, and has not been kept stopped until now. */
		watch->sent = now;
	} else {
		/* Stopped, it waits to be met by a host that is busy; else the signal was lost. */
		char state = prof_watch_state(watch);
		if (state != 't' && state != 'T')
			watch->sent = 0;
	}
}

static void send(struct prof_ticker *ticker, struct prof_watch *watch)
{
	ticker->figures.ticks++;
	watch->sent = prof_watch_clock();
	if (syscall(SYS_tgkill, watch->process, watch->thread, ticker->signal)) {
		watch->gone = true;
		watch->sent = 0;
	}
}

/* Looks at WATCH: signals it if it is on a CPU, or counts its time. */
static void look(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now)
{
	if (watch->sent) {
		wait_for(ticker, watch, now);
		return;
	}
	struct prof_schedstat schedstat = prof_watch_schedstat(watch);
	bool sleeps_on = watch->asleep && schedstat.slices == watch->slices;
	char state = watch->gone ? 0 : sleeps_on ? 'S' : prof_watch_state(watch);

	switch (state) {
	case 'R':
		if (watch->asleep)
			tell(ticker, watch, now, &schedstat, PROF_STATE_SLEEPING);
		watch->asleep = false;
		/*
		 * Waiting for a CPU since it was met, it would be stopped again before it went on:
		 * where there are more threads than CPUs, the program would hardly move.
		 */
		if (schedstat.slices != watch->met.slices && !ticker->leaving.thread)
			send(ticker, watch);
		break;
	case 'S':
	case 'D':
	case 'I':
		if (!watch->asleep || now - watch->last > SLEEP_LOOK)
			tell(ticker, watch, now, &schedstat, PROF_STATE_SLEEPING);
		break;
	case 't':
	case 'T':
		/* The debugger holds it: this is not the program's time. */
		prof_watch_keep(watch, watch->last > ticker->looked ? watch->last : ticker->looked,
			now, &schedstat);
		break;
	default:
		break;
	}
}

static void discover(void *context, pid_t thread)
{
	struct prof_ticker *ticker = context;

	if (!find(ticker, thread))
		add(ticker, thread);
}

/* Tells the recorder the figures, and begins with new ones. */
static void tell_figures(struct prof_ticker *ticker, int64_t now)
{
	struct prof_record record = {.kind = PROF_RECORD_FIGURES};

	if (!ticker->held)
		ticker->figures.duration += now - ticker->counted;
	ticker->counted = now;
	ticker->figures.rate = ticker->pace.rate;
	record.figures = ticker->figures;
	/* Where the queue is full they are told later. */
	if (prof_queue_put(ticker->options.queue, &record, NULL))
		ticker->figures = (struct prof_figures){0};
}

/* One tick.  The lock is given up between two threads, so that those who meet one need not wait. */
static void tick(struct prof_ticker *ticker)
{
	int64_t now = prof_watch_clock();

	ticker->figures.rounds++;
	if (ticker->leaving.thread &&
		prof_leaving_is_over(&ticker->leaving, find(ticker, ticker->leaving.thread)))
		ticker->leaving.thread = 0;
	if (now - ticker->discovered > DISCOVER) {
		ticker->discovered = now;
		choose_signal(ticker);
		if (ticker->options.discover)
			prof_procfs_threads(ticker->options.process, discover, ticker);
	}
	for (size_t i = 0; i < ticker->watches.count && !ticker->held && !ticker->quit; i++) {
		struct prof_watch *watch = ticker->watches.items[i];
		look(ticker, watch, now);
		if (watch->gone)
			drop(ticker, i--);
		pthread_mutex_unlock(&ticker->lock);
		pthread_mutex_lock(&ticker->lock);
	}
	ticker->looked = now;
	if (prof_pace_adjust(&ticker->pace, now))
		tell_figures(ticker, now);
}

/*
 * ns from the start of a period to its tick, anywhere in it: a program that repeats itself once,
 * twice or any number of times in a period is met at all places alike, and the rate is kept.
 */
static int64_t place(struct prof_ticker *ticker, int64_t period)
{
	return (int64_t)((double)period * prof_pace_random(&ticker->pace));
}

static void *run(void *argument)
{
	struct prof_ticker *ticker = argument;

	pthread_mutex_lock(&ticker->lock);
	int64_t period = (int64_t)(SECOND / ticker->pace.rate);
	int64_t begin = prof_watch_clock();
	int64_t due = begin + place(ticker, period);
	while (!ticker->quit) {
		int64_t now = prof_watch_clock();
		if (ticker->held) {
			/* Only while the process goes on does the tick come nearer: many short
			 * stretches are sampled like a long one. */
			while (ticker->held && !ticker->quit)
				pthread_cond_wait(&ticker->wake, &ticker->lock);
			int64_t held = prof_watch_clock() - now;
			begin += held;
			due += held;
		} else if (now < due) {
			struct timespec until = {due / SECOND, due % SECOND};
			pthread_cond_timedwait(&ticker->wake, &ticker->lock, &until);
		} else {
			tick(ticker);
			begin += period;
			period = (int64_t)(SECOND / ticker->pace.rate);
			if (begin + period < now) /* late: what was missed is not made up for */
				begin = now;
			due = begin + place(ticker, period);
		}
	}
	pthread_mutex_unlock(&ticker->lock);
	return NULL;
}

struct prof_error *prof_ticker_create(
	const struct prof_ticker_options *options, struct prof_ticker **ret)
{
	struct prof_ticker *ticker = calloc(1, sizeof *ticker);
	pthread_condattr_t clock;
	sigset_t all, before;

	if (!ticker)
		return prof_error_nomem();
	ticker->options = *options;
	ticker->held = true;
	ticker->signal = SIGURG;
	prof_pace_init(&ticker->pace, options->rate, options->max_stopped);
	choose_signal(ticker);
	pthread_mutex_init(&ticker->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&ticker->wake, &clock);
	pthread_condattr_destroy(&clock);

	/* The host's signals must reach the host's thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failure = pthread_create(&ticker->thread, NULL, run, ticker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failure) {
		free(ticker);
		return prof_error_create(PROF_ERROR_SYSTEM,
			"The sampling thread can't be started: %s.", strerror(failure));
	}
	pthread_setname_np(ticker->thread, "gdbprof-ticker");
	*ret = ticker;
	return NULL;
}

void prof_ticker_destroy(struct prof_ticker *ticker)
{
	if (!ticker)
		return;
	pthread_mutex_lock(&ticker->lock);
	ticker->quit = true;
	pthread_cond_signal(&ticker->wake);
	pthread_mutex_unlock(&ticker->lock);
	pthread_join(ticker->thread, NULL);
	while (ticker->watches.count)
		drop(ticker, ticker->watches.count - 1);
	free(ticker->watches.items);
	pthread_cond_destroy(&ticker->wake);
	pthread_mutex_destroy(&ticker->lock);
	free(ticker);
}

void prof_ticker_hold(struct prof_ticker *ticker)
{
	pthread_mutex_lock(&ticker->lock);
	if (!ticker->held) {
		int64_t now = prof_watch_clock();
		for (size_t i = 0; i < ticker->watches.count; i++) {
			struct prof_watch *watch = ticker->watches.items[i];
			struct prof_schedstat schedstat = prof_watch_schedstat(watch);
			if (!watch->gone)
				tell(ticker, watch, now, &schedstat,
					watch->asleep ? PROF_STATE_SLEEPING : PROF_STATE_RUNNING);
		}
		tell_figures(ticker, now);
		ticker->held = true;
		pthread_cond_signal(&ticker->wake);
	}
	pthread_mutex_unlock(&ticker->lock);
}

void prof_ticker_release(struct prof_ticker *ticker)
{
	pthread_mutex_lock(&ticker->lock);
	if (ticker->held) {
		int64_t now = prof_watch_clock();
		choose_signal(ticker);
		if (ticker->options.discover)
			prof_procfs_threads(ticker->options.process, discover, ticker);
		for (size_t i = 0; i < ticker->watches.count; i++)
			prof_watch_restart(ticker->watches.items[i], now);
		ticker->held = false;
		ticker->counted = now;
		prof_pace_restart(&ticker->pace, now);
		pthread_cond_signal(&ticker->wake);
	}
	pthread_mutex_unlock(&ticker->lock);
}

bool prof_ticker_watch(struct prof_ticker *ticker, pid_t thread, int note)
{
	pthread_mutex_lock(&ticker->lock);
	struct prof_watch *watch = find(ticker, thread);
	bool known = watch != NULL;
	if (!watch)
		watch = add(ticker, thread);
	if (watch && note)
		watch->note = note;
	pthread_mutex_unlock(&ticker->lock);
	return watch && !known;
}

void prof_ticker_forget(struct prof_ticker *ticker, pid_t thread)
{
	pthread_mutex_lock(&ticker->lock);
	struct prof_watch *watch = find(ticker, thread);
	if (watch && !ticker->held) {
		/* As long as it was not waited for, its figures can be read. */
		struct prof_schedstat schedstat = prof_watch_schedstat(watch);
		if (!watch->gone)
			tell(ticker, watch, prof_watch_clock(), &schedstat,
				watch->asleep ? PROF_STATE_SLEEPING : PROF_STATE_RUNNING);
	}
	if (watch)
		drop(ticker, position(ticker, thread));
	pthread_mutex_unlock(&ticker->lock);
}

void prof_ticker_exec(struct prof_ticker *ticker)
{
	pthread_mutex_lock(&ticker->lock);
	for (size_t i = ticker->watches.count; i-- > 0;) {
		if (ticker->watches.items[i]->thread != ticker->options.process)
			drop(ticker, i);
	}
	pthread_mutex_unlock(&ticker->lock);
}

/* Has WATCH, which leaves, stop once more before it gets on, if it has to wait for another. */
static void keep_back(struct prof_ticker *ticker, struct prof_watch *watch)
{
	int64_t now = prof_watch_clock();
	bool waits = false;

	for (size_t i = 0; i < ticker->watches.count && !waits; i++)
		waits = prof_leaving_waits_for(
			&ticker->leaving, ticker->watches.items[i], ticker->signal, now);
	prof_leaving_keep(&ticker->leaving, watch);
	if (waits && !watch->sent)
		send(ticker, watch);
}

void prof_ticker_leave(struct prof_ticker *ticker, pid_t thread)
{
	pthread_mutex_lock(&ticker->lock);
	struct prof_watch *watch = find(ticker, thread);
	if (!watch)
		watch = add(ticker, thread);
	if (watch && !ticker->leaving.thread) {
		prof_leaving_begin(&ticker->leaving, watch, prof_watch_clock());
		keep_back(ticker, watch);
	}
	pthread_mutex_unlock(&ticker->lock);
}

bool prof_ticker_meet(struct prof_ticker *ticker, pid_t thread, int signal, int *note)
{
	pthread_mutex_lock(&ticker->lock);
	struct prof_watch *watch = find(ticker, thread);
	/* What is sent may have changed since. */
	bool ours = watch && watch->sent &&
		(signal == ticker->signal || signal == SIGURG || signal == SIGWINCH);
	if (ours) {
		*note = watch->note;
		watch->met = prof_watch_schedstat(watch);
	}
	pthread_mutex_unlock(&ticker->lock);
	return ours;
}

void prof_ticker_settle(struct prof_ticker *ticker, pid_t thread, struct prof_look *look)
{
	pthread_mutex_lock(&ticker->lock);
	struct prof_watch *watch = find(ticker, thread);
	int64_t now = prof_watch_clock();
	if (watch) {
		int64_t since = watch->sent ? watch->sent : now;
		int64_t kept = prof_watch_keep(watch, since, now, &watch->met);
		bool leaves = thread == ticker->leaving.thread;
		watch->sent = 0;
		prof_watch_look(watch, now, &watch->met, !leaves, PROF_STATE_RUNNING, look);
		count(ticker, look, kept);
		if (leaves)
			keep_back(ticker, watch);
	} else {
		*look = (struct prof_look){
			.time = now,
			.thread = thread,
			.process = ticker->options.process,
			.samples = 1,
		};
	}
	pthread_mutex_unlock(&ticker->lock);
}

bool prof_ticker_outstanding(struct prof_ticker *ticker)
{
	bool outstanding = false;

	pthread_mutex_lock(&ticker->lock);
	for (size_t i = 0; i < ticker->watches.count; i++)
		outstanding |= ticker->watches.items[i]->sent != 0;
	pthread_mutex_unlock(&ticker->lock);
	return outstanding;
}

void prof_ticker_tell(struct prof_ticker *ticker)
{
	pthread_mutex_lock(&ticker->lock);
	tell_figures(ticker, prof_watch_clock());
	pthread_mutex_unlock(&ticker->lock);
}
