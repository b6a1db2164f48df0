#include "sample/ticker.h"

#include "sample_child.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/*
 * A child under a ticker.  The test is its debugger, and meets the ticks: it polls, so that it
 * never waits for a tick that must not come.
 */
struct host {
	pid_t child;
	struct prof_queue *queue;
	struct prof_ticker *ticker;
	bool traced;

	/* What was told by looks and by figures until now. */
	uint64_t met, samples, sleeps, named;
	int64_t cpu, delay, other, last;
	struct prof_figures figures;
};

enum { NOTE = 7 };

static struct prof_ticker_options usual(double rate)
{
	return (struct prof_ticker_options){.rate = rate, .max_stopped = 1};
}

/* Starts a child that runs FUNCTION, TRACED or not, and a ticker that watches it, on hold. */
static struct host start(void (*function)(void), bool traced, struct prof_ticker_options options)
{
	struct host host = {.child = child_start(function), .traced = traced};

	if (traced)
		ck_assert_int_eq(ptrace(PTRACE_SEIZE, host.child, NULL,
					 (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE)),
			0);
	ck_assert_ok(prof_queue_create(1 << 22, &host.queue));
	options.process = host.child;
	options.queue = host.queue;
	ck_assert_ok(prof_ticker_create(&options, &host.ticker));
	ck_assert(prof_ticker_watch(host.ticker, host.child, NOTE));
	return host;
}

static void finish(struct host *host)
{
	prof_ticker_destroy(host->ticker);
	prof_queue_destroy(host->queue);
	children_end();
}

static void count(struct host *host, const struct prof_look *look)
{
	host->cpu += look->spent[PROF_STATE_USER];
	host->delay += look->spent[PROF_STATE_RUNQUEUE];
	host->other += look->spent[PROF_STATE_OTHER];
}

/* Takes what the ticker has told. */
static void take(struct host *host)
{
	struct prof_record record;
	const void *data;

	while (prof_queue_take(host->queue, &record, &data)) {
		if (record.kind == PROF_RECORD_LOOK) {
			ck_assert_uint_eq(record.look.samples, 0);
			ck_assert_uint_eq(record.look.depth, 0);
			count(host, &record.look);
			host->last = record.look.time;
			host->sleeps += prof_state_sleeps(record.look.state);
		} else if (record.kind == PROF_RECORD_FIGURES) {
			host->figures.rounds += record.figures.rounds;
			host->figures.ticks += record.figures.ticks;
			host->figures.lost += record.figures.lost;
			host->figures.stopped += record.figures.stopped;
			host->figures.running += record.figures.running;
			host->figures.blocked += record.figures.blocked;
			host->figures.duration += record.figures.duration;
			host->figures.rate = record.figures.rate;
		} else if (record.kind == PROF_RECORD_THREAD) {
			host->named++;
		}
	}
}

static const struct prof_figures *figures(struct host *host)
{
	prof_ticker_tell(host->ticker);
	take(host);
	return &host->figures;
}

/* Takes a stop of the child, or of a thread of it.  Returns the thread, 0 if there is none. */
static pid_t stopped(int *signal)
{
	int status;
	pid_t thread = waitpid(-1, &status, WNOHANG | __WALL);

	ck_assert_int_ge(thread, 0);
	if (thread)
		*signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
	return thread;
}

static void go_on(pid_t thread)
{
	ptrace(PTRACE_CONT, thread, NULL, NULL);
}

/* Lets THREAD, which was met, go on and counts what it did. */
static void settle(struct host *host, pid_t thread)
{
	struct prof_look look;

	go_on(thread);
	prof_ticker_settle(host->ticker, thread, false, &look);
	ck_assert_int_eq(look.thread, thread);
	ck_assert_int_eq(look.state, look.state ? PROF_STATE_RUNQUEUE : PROF_STATE_USER);
	ck_assert(!look.state || !look.samples);
	host->samples += look.samples;
	count(host, &look);
	host->last = look.time;
	host->met++;
}

/* Meets a tick if there is one. */
static bool meet(struct host *host)
{
	int signal, note;
	pid_t thread = stopped(&signal);

	if (!thread)
		return false;
	if (prof_ticker_meet(host->ticker, thread, signal, &note)) {
		settle(host, thread);
		return true;
	}
	go_on(thread);
	return false;
}

/* Meets ticks until COUNT were. */
static void meet_many(struct host *host, uint64_t count)
{
	for (count += host->met; host->met < count;)
		if (!meet(host))
			pause_ms(0);
}

/* Waits until the ticker has gone COUNT rounds, and does nothing for its ticks. */
static void wait_rounds(struct host *host, uint64_t count)
{
	for (count += figures(host)->rounds; figures(host)->rounds < count;)
		pause_ms(1);
}

/* On a machine that has no time for us a try may fail; not every one does. */
enum { TRIES = 10 };

START_TEST(meets_a_spinning_thread_about_as_often_as_asked)
{
	enum { RATE = 200 };
	double reached = 0;

	for (int i = 0; i < TRIES && !(reached > RATE * 0.7); i++) {
		struct host host = start(child_spin, true, usual(RATE));
		int64_t begin = prof_watch_clock();
		prof_ticker_release(host.ticker);
		meet_many(&host, RATE / 2);
		reached = RATE / 2 * 1e9 / (double)(prof_watch_clock() - begin);
		finish(&host);
		/* Never more often: what was missed is not made up for. */
		ck_assert_double_lt(reached, RATE * 1.3);
	}
	ck_assert_double_gt(reached, RATE * 0.7);
}
END_TEST

START_TEST(keeps_the_engines_note)
{
	struct host host = start(child_spin, true, usual(500));
	int signal, note = 0;
	pid_t thread;

	ck_assert(!prof_ticker_watch(host.ticker, host.child, NOTE + 1));
	ck_assert(!prof_ticker_watch(host.ticker, host.child, 0)); /* keeps it */
	prof_ticker_release(host.ticker);
	while (!(thread = stopped(&signal)))
		pause_ms(1);
	ck_assert_int_eq(signal, SIGURG);
	ck_assert(prof_ticker_meet(host.ticker, thread, signal, &note));
	ck_assert_int_eq(note, NOTE + 1);
	settle(&host, thread);
	finish(&host);
}
END_TEST

static void on_signal(int number)
{
	(void)number;
}

/* Catches what a ticker may send, so that its system call would be interrupted. */
static void sleep_in_epoll(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct epoll_event event;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &action, NULL);
	epoll_wait(epoll_create1(0), &event, 1, -1);
	_exit(errno == EINTR ? 1 : 2);
}

START_TEST(sleeping_thread_sees_no_interrupted_call)
{
	struct host host = start(sleep_in_epoll, false, usual(2000));
	struct prof_signals signals = {0};

	while (!(signals.caught >> (SIGWINCH - 1) & 1) ||
		thread_state(host.child, host.child) != 'S')
		ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	uint64_t slices = thread_schedstat(host.child, host.child).slices;
	prof_ticker_release(host.ticker);
	wait_rounds(&host, 200);
	ck_assert_uint_eq(host.figures.ticks, 0);
	ck_assert_uint_eq(thread_schedstat(host.child, host.child).slices, slices);
	ck_assert_int_eq(waitpid(host.child, NULL, WNOHANG), 0);

	/* And it would have seen it. */
	kill(host.child, SIGWINCH);
	int status;
	ck_assert_int_eq(waitpid(host.child, &status, 0), host.child);
	ck_assert_int_eq(WEXITSTATUS(status), 1);
	finish(&host);
}
END_TEST

START_TEST(sleeping_threads_time_is_told_as_other)
{
	struct host host = start(child_sleep, false, usual(200));

	child_await(host.child, 'S');
	int64_t begin = prof_watch_clock();
	prof_ticker_release(host.ticker);
	int64_t begun = prof_watch_clock();
	while (host.sleeps < 4) {
		take(&host);
		pause_ms(1);
	}
	ck_assert_int_eq(host.cpu, 0);
	ck_assert_int_le(host.other, host.last - begin);
	ck_assert_int_ge(host.other, host.last - begun);
	finish(&host);
}
END_TEST

/* Lets the child be on a CPU for 100 ms more; there must be nothing to meet. */
static void assert_left_alone(struct host *host)
{
	int64_t run = thread_schedstat(host->child, host->child).run;
	int signal;

	while (thread_schedstat(host->child, host->child).run - run < 100000000) {
		ck_assert_int_eq(stopped(&signal), 0);
		pause_ms(1);
	}
	ck_assert(!prof_ticker_outstanding(host->ticker));
}

START_TEST(hold_sends_nothing)
{
	struct host host = start(child_spin, true, usual(1000));

	assert_left_alone(&host); /* it begins on hold */
	prof_ticker_release(host.ticker);
	meet_many(&host, 20);
	prof_ticker_hold(host.ticker);
	/* What was under way is met. */
	while (prof_ticker_outstanding(host.ticker))
		meet(&host);
	uint64_t rounds = figures(&host)->rounds;
	assert_left_alone(&host);
	ck_assert_uint_eq(figures(&host)->rounds, rounds);
	prof_ticker_release(host.ticker);
	meet_many(&host, 20);
	finish(&host);
}
END_TEST

START_TEST(no_tick_is_sent_before_the_last_was_met)
{
	struct host host = start(child_spin, true, usual(1000));
	struct prof_signals signals;
	int signal, note;
	pid_t thread;

	ck_assert(!prof_ticker_outstanding(host.ticker));
	prof_ticker_release(host.ticker);
	while (!(thread = stopped(&signal)))
		pause_ms(1);
	ck_assert(prof_ticker_outstanding(host.ticker));
	uint64_t ticks = figures(&host)->ticks;
	uint64_t lost = host.figures.lost;
	wait_rounds(&host, 50);
	ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	ck_assert_uint_eq(signals.pending, 0);
	/* The others were due while it was stopped, and count as lost. */
	ck_assert_uint_ge(host.figures.lost - lost, 49);
	ck_assert_uint_eq(host.figures.ticks - ticks, host.figures.lost - lost);

	ck_assert(prof_ticker_meet(host.ticker, thread, signal, &note));
	settle(&host, thread);
	meet_many(&host, 5);
	finish(&host);
}
END_TEST

/* GDB may read symbols for seconds, while threads that our ticks have stopped wait for it. */
START_TEST(tick_is_ours_however_long_the_host_is_busy)
{
	struct host host = start(child_spin, true, usual(100));
	int signal, note;

	prof_ticker_release(host.ticker);
	child_await(host.child, 't');
	int64_t begin = prof_watch_clock();
	while (prof_watch_clock() - begin < 500000000)
		wait_rounds(&host, 1);
	ck_assert_int_eq(stopped(&signal), host.child);
	ck_assert(prof_ticker_meet(host.ticker, host.child, signal, &note));
	settle(&host, host.child);
	/* All of it was the profiler's. */
	ck_assert_int_ge(figures(&host)->stopped, 450000000);
	finish(&host);
}
END_TEST

/* A child without a debugger ignores the signal: the ticker learns that it will not be met. */
START_TEST(lost_tick_is_given_up)
{
	struct host host = start(child_spin, false, usual(10));

	prof_ticker_release(host.ticker);
	for (int i = 0; i < 3; i++) {
		while (!prof_ticker_outstanding(host.ticker))
			pause_ms(1);
		while (prof_ticker_outstanding(host.ticker))
			pause_ms(1);
	}
	finish(&host);
}
END_TEST

/* What a child is asked to do, and how often it has done so, in memory that it shares. */
static volatile struct {
	bool block;
	unsigned done;
} * shared;

static void spin_and_block_when_asked(void)
{
	sigset_t all;
	bool blocked = false;

	sigfillset(&all);
	for (;;) {
		if (shared->block != blocked) {
			blocked = !blocked;
			sigprocmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &all, NULL);
			shared->done++;
		}
	}
}

static void ask_to_block(struct host *host, bool block)
{
	unsigned done = shared->done;

	shared->block = block;
	while (shared->done == done)
		meet(host);
}

static bool is_pending(const struct host *host)
{
	struct prof_signals signals;

	ck_assert(prof_procfs_signals(host->child, host->child, &signals));
	return signals.pending;
}

static struct host start_with_asked(void (*function)(void), double rate)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)shared, MAP_FAILED);
	return start(function, true, usual(rate));
}

/* It would be interrupted later, where it unblocks signals to wait for them. */
START_TEST(thread_that_blocks_the_signal_is_not_signalled_but_its_time_is_told)
{
	struct host host = start_with_asked(spin_and_block_when_asked, 100);

	ask_to_block(&host, true);
	prof_ticker_release(host.ticker);
	while (host.cpu < 500000000) {
		ck_assert(!meet(&host));
		take(&host);
	}
	ck_assert(!prof_ticker_outstanding(host.ticker));
	ck_assert(!is_pending(&host));
	ck_assert_int_ge(figures(&host)->blocked, 500000000);

	ask_to_block(&host, false);
	meet_many(&host, 5);
	finish(&host);
}
END_TEST

/* Has CHILD, which is stopped, block the signals in MASK. */
static void set_mask(pid_t child, uint64_t mask)
{
	ck_assert_int_eq(ptrace(PTRACE_SETSIGMASK, child, sizeof mask, &mask), 0);
}

static pid_t wait_for_stop(int *signal)
{
	pid_t thread;

	while (!(thread = stopped(signal)))
		pause_ms(0);
	return thread;
}

/*
 * The child blocks the tick's signal in the very moment: a signal of a smaller number comes as
 * well, and first, and when the child has stopped for that it is made to.
 */
static void block_a_tick(struct host *host)
{
	int signal = 0;

	for (;;) {
		while (!prof_ticker_outstanding(host->ticker))
			pause_ms(0);
		syscall(SYS_tgkill, host->child, host->child, SIGUSR1);
		while (wait_for_stop(&signal) && signal != SIGUSR1) {
			int note;
			ck_assert(prof_ticker_meet(host->ticker, host->child, signal, &note));
			settle(host, host->child);
		}
		if (is_pending(host))
			break;
		go_on(host->child);
	}
	set_mask(host->child, UINT64_MAX);
	go_on(host->child);
}

START_TEST(tick_that_is_blocked_stays_ours)
{
	struct host host = start(child_spin, true, usual(100));
	pid_t hog = child_start(child_spin);
	cpu_set_t one;
	int signal;

	/* So that it is often signalled while it waits for a CPU. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(host.child, sizeof one, &one);
	sched_setaffinity(hog, sizeof one, &one);
	prof_ticker_release(host.ticker);
	block_a_tick(&host);
	/* Longer than after which a tick is looked for. */
	wait_rounds(&host, 60);
	ck_assert(prof_ticker_outstanding(host.ticker));
	ck_assert_int_eq(stopped(&signal), 0);
	ptrace(PTRACE_INTERRUPT, host.child, NULL, NULL);
	wait_for_stop(&signal);
	set_mask(host.child, 0);
	go_on(host.child);
	meet_many(&host, 1);
	finish(&host);
}
END_TEST

/* Blocks all signals, and counts those that it gets by waiting for them. */
static void spin_and_wait_for_signals(void)
{
	const struct timespec soon = {.tv_nsec = 500000};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (volatile int i = 0; i < 100000000; i++)
		;
	for (;;) {
		for (volatile int i = 0; i < 200000; i++)
			;
		shared->done += sigtimedwait(&all, NULL, &soon) > 0;
	}
}

START_TEST(thread_that_waits_for_signals_gets_no_tick)
{
	struct host host = start_with_asked(spin_and_wait_for_signals, 1000);
	struct prof_signals signals = {0};

	while (!signals.blocked)
		ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	prof_ticker_release(host.ticker);
	while (host.other < 300000000) {
		meet(&host);
		take(&host);
	}
	ck_assert_uint_eq(shared->done, 0);
	ck_assert_uint_eq(host.met, 0);
	finish(&host);
}
END_TEST

START_TEST(signals_of_others_are_not_met)
{
	struct host host = start(child_spin, true, usual(500));
	int signal, note = 0;
	pid_t thread;

	/* None was sent. */
	ck_assert(!prof_ticker_meet(host.ticker, host.child, SIGURG, &note));
	prof_ticker_release(host.ticker);
	while (!(thread = stopped(&signal)))
		pause_ms(1);
	ck_assert(!prof_ticker_meet(host.ticker, thread, SIGUSR1, &note));
	ck_assert(!prof_ticker_meet(host.ticker, thread, SIGTRAP, &note));
	ck_assert(!prof_ticker_meet(host.ticker, getpid(), SIGURG, &note));
	ck_assert_int_eq(note, 0);
	ck_assert(prof_ticker_meet(host.ticker, thread, SIGURG, &note));
	finish(&host);
}
END_TEST

static void burn(int64_t ns)
{
	int64_t begin = prof_watch_clock();

	while (prof_watch_clock() - begin < ns)
		;
}

static void work_and_rest(void)
{
	for (;;) {
		burn(2000000);
		pause_ms(2);
	}
}

START_TEST(time_adds_up)
{
	struct host host = start(work_and_rest, true, usual(1000));
	int signal;

	int64_t before = thread_schedstat(host.child, host.child).run;
	int64_t begin = prof_watch_clock();
	prof_ticker_release(host.ticker);
	while (prof_watch_clock() - begin < INT64_C(1500000000)) {
		meet(&host);
		take(&host);
	}
	/* As GDB does: it stands still first. */
	ptrace(PTRACE_INTERRUPT, host.child, NULL, NULL);
	for (bool interrupted = false; !interrupted;) {
		int note;
		pid_t thread = stopped(&signal);
		if (thread && prof_ticker_meet(host.ticker, thread, signal, &note))
			settle(&host, thread);
		else
			interrupted = thread;
	}
	prof_ticker_hold(host.ticker);
	int64_t run = thread_schedstat(host.child, host.child).run - before;
	take(&host);
	int64_t elapsed = host.last - begin;
	int64_t told = host.cpu + host.delay + host.other + host.figures.stopped;

	/* A little of it went by before the release. */
	ck_assert_int_le(llabs(host.cpu - run), 3000000);
	ck_assert_msg(llabs(told - elapsed) < elapsed / 50,
		"cpu %.3f + delay %.3f + other %.3f + stopped %.3f s of %.3f s",
		(double)host.cpu / 1e9, (double)host.delay / 1e9, (double)host.other / 1e9,
		(double)host.figures.stopped / 1e9, (double)elapsed / 1e9);
	ck_assert_int_eq(host.figures.running, host.cpu);
	ck_assert_int_le(llabs(host.figures.duration - elapsed), 1000000);
	finish(&host);
}
END_TEST

/* Starts a child that shares one CPU with three others. */
static struct host start_crowded(void)
{
	cpu_set_t before, one;

	sched_getaffinity(0, sizeof before, &before);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	for (int i = 0; i < 3; i++)
		child_start(child_spin);
	struct host host = start(child_spin, true, usual(1000));
	sched_setaffinity(0, sizeof before, &before);
	return host;
}

START_TEST(waiting_for_a_cpu_is_not_the_profilers_doing)
{
	struct host host = start_crowded();

	prof_ticker_release(host.ticker);
	int64_t begin = thread_schedstat(host.child, host.child).delay;
	int64_t delay = 0;
	while (delay < 300000000) {
		if (meet(&host))
			delay = thread_schedstat(host.child, host.child).delay - begin;
		take(&host);
	}
	prof_ticker_hold(host.ticker);
	take(&host);
	/* All that it waited is time of its own, to the ns but for the last look. */
	ck_assert_int_gt(host.delay, delay - delay / 10);
	/* And the samples are those of its time on the CPU. */
	double share = (double)host.cpu / (double)(host.cpu + host.delay);
	uint64_t rounds = host.figures.ticks - host.figures.lost;
	ck_assert_double_lt(fabs((double)host.samples / (double)rounds - share), 0.15);
	finish(&host);
}
END_TEST

/* Stopped again before it went on, as half of the times it would be, a program hardly moves. */
START_TEST(thread_that_waits_for_a_cpu_is_let_go_on)
{
	enum { MEETINGS = 100 };
	struct host host = start_crowded();
	int64_t before = 0;
	int in_vain = 0;

	prof_ticker_release(host.ticker);
	while (host.met < MEETINGS) {
		take(&host);
		if (!meet(&host))
			continue;
		/* The look has told what it ran. */
		in_vain += host.cpu - before < 100000;
		before = host.cpu;
	}
	ck_assert_int_lt(in_vain, MEETINGS * 2 / 5);
	finish(&host);
}
END_TEST

/* After a recording has ended there is no queue any more. */
START_TEST(nobody_is_told_where_there_is_no_look)
{
	struct host host = start(work_and_rest, true, usual(1000));
	int signal, note;
	pid_t thread;

	prof_ticker_release(host.ticker);
	meet_many(&host, 20);
	while (!prof_ticker_outstanding(host.ticker))
		pause_ms(0);
	prof_ticker_hold(host.ticker);
	while (!(thread = stopped(&signal)))
		pause_ms(0);
	ck_assert(prof_ticker_meet(host.ticker, thread, signal, &note));
	size_t told = prof_queue_count(host.queue);
	prof_ticker_settle(host.ticker, thread, false, NULL);
	ck_assert(!prof_ticker_outstanding(host.ticker));
	ck_assert_uint_eq(prof_queue_count(host.queue), told);
	finish(&host);
}
END_TEST

START_TEST(forgotten_thread_is_left_alone)
{
	struct host host = start(child_spin, true, usual(1000));
	struct prof_look look;
	int note;

	prof_ticker_release(host.ticker);
	meet_many(&host, 5);
	prof_ticker_forget(host.ticker, host.child);
	prof_ticker_forget(host.ticker, host.child);
	/* What was under way is another's now. */
	ck_assert(!prof_ticker_outstanding(host.ticker));
	ck_assert(!prof_ticker_meet(host.ticker, host.child, SIGURG, &note));
	pause_ms(20);
	meet(&host);
	assert_left_alone(&host);

	/* Had it been met before it was forgotten, its sample would stand for no time. */
	prof_ticker_settle(host.ticker, host.child, false, &look);
	ck_assert_int_eq(look.thread, host.child);
	ck_assert_uint_eq(look.samples, 1);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 0);

	ck_assert(prof_ticker_watch(host.ticker, host.child, NOTE));
	meet_many(&host, 5);
	finish(&host);
}
END_TEST

static void *burn_thread(void *context)
{
	burn(20000000);
	return context;
}

static void start_short_threads(void)
{
	for (;;) {
		pthread_t thread;
		pthread_create(&thread, NULL, burn_thread, NULL);
		pthread_join(thread, NULL);
	}
}

/* Threads come, are discovered and named, are met, and end, maybe with a tick under way. */
START_TEST(threads_come_and_go)
{
	struct prof_ticker_options options = usual(500);
	options.discover = true;
	struct host host = start(start_short_threads, true, options);

	prof_ticker_release(host.ticker);
	while (host.named < 6) {
		meet(&host);
		take(&host);
	}
	ck_assert_uint_gt(host.met, 0);
	finish(&host);
}
END_TEST

START_TEST(process_that_is_gone_is_not_watched)
{
	struct host host = start(child_spin, false, usual(500));
	pid_t child = host.child;

	prof_ticker_release(host.ticker);
	children_end();
	wait_rounds(&host, 5);
	ck_assert(!prof_ticker_outstanding(host.ticker) || figures(&host)->rounds);
	prof_ticker_forget(host.ticker, child);
	ck_assert(!prof_ticker_watch(host.ticker, child, NOTE));
	prof_ticker_hold(host.ticker);
	prof_ticker_release(host.ticker);
	finish(&host);
}
END_TEST

static void *sleep_thread(void *context)
{
	child_sleep();
	return context;
}

static void start_one_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_thread, NULL);
	child_sleep();
}

struct pair {
	pid_t leader, other;
};

static void find_other(void *context, pid_t thread)
{
	struct pair *pair = context;

	if (thread != pair->leader)
		pair->other = thread;
}

START_TEST(exec_leaves_the_leader_only)
{
	struct host host = start(start_one_thread, false, usual(100));
	struct pair pair = {.leader = host.child};

	while (!pair.other)
		ck_assert(prof_procfs_threads(host.child, find_other, &pair));
	ck_assert(prof_ticker_watch(host.ticker, pair.other, NOTE));
	ck_assert(!prof_ticker_watch(host.ticker, pair.other, NOTE));
	prof_ticker_exec(host.ticker);
	ck_assert(prof_ticker_watch(host.ticker, pair.other, NOTE));
	ck_assert(!prof_ticker_watch(host.ticker, pair.leader, NOTE));
	finish(&host);
}
END_TEST

static int caught; /* that the child catches */

static void catch_and_spin(void)
{
	signal(caught, on_signal);
	child_spin();
}

/* The signal by which a child that catches NUMBER is ticked. */
static int signal_for(int number, int chosen)
{
	struct prof_ticker_options options = usual(500);
	struct prof_signals signals = {0};
	int signal = 0, note;
	pid_t thread;

	caught = number;
	options.signal = chosen;
	struct host host = start(catch_and_spin, true, options);
	while (!(signals.caught >> (number - 1) & 1))
		ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	prof_ticker_release(host.ticker);
	while (!(thread = stopped(&signal)))
		pause_ms(1);
	ck_assert(prof_ticker_meet(host.ticker, thread, signal, &note));
	finish(&host);
	return signal;
}

START_TEST(takes_a_signal_that_the_program_does_not_catch)
{
	ck_assert_int_eq(signal_for(SIGUSR1, 0), SIGURG);
	ck_assert_int_eq(signal_for(SIGURG, 0), SIGWINCH);
}
END_TEST

START_TEST(takes_the_signal_that_was_asked_for)
{
	ck_assert_int_eq(signal_for(SIGURG, SIGURG), SIGURG);
	ck_assert_int_eq(signal_for(SIGURG, SIGUSR2), SIGUSR2);
}
END_TEST

START_TEST(limit_lowers_the_rate_while_settling_comes_late)
{
	enum { RATE = 200 };
	struct prof_ticker_options options = usual(RATE);
	int signal, note;

	options.max_stopped = 0.5;
	struct host host = start(child_spin, true, options);
	prof_ticker_release(host.ticker);
	ck_assert_double_eq(figures(&host)->rate, RATE);
	while (host.figures.rate > RATE / 4) {
		pid_t thread = stopped(&signal);
		if (thread && prof_ticker_meet(host.ticker, thread, signal, &note)) {
			pause_ms(30);
			settle(&host, thread);
		} else if (thread) {
			go_on(thread);
		}
		take(&host);
	}
	double lowest = host.figures.rate;
	ck_assert_double_ge(lowest, 1);
	/* In time again, it goes up, but not above what was asked for. */
	while (host.figures.rate <= lowest) {
		meet(&host);
		take(&host);
	}
	ck_assert_double_le(host.figures.rate, RATE);
	finish(&host);
}
END_TEST

START_TEST(takes_no_signals_from_the_host)
{
	struct host host = start(child_sleep, false, usual(100));
	struct prof_signals signals;
	struct pair pair = {.leader = getpid()};

	ck_assert(prof_procfs_threads(getpid(), find_other, &pair));
	ck_assert_int_ne(pair.other, 0);
	ck_assert(prof_procfs_signals(getpid(), pair.other, &signals));
	for (int i = 1; i < 32; i++) {
		if (i != SIGKILL && i != SIGSTOP)
			ck_assert_msg(signals.blocked >> (i - 1) & 1, "signal %d", i);
	}
	finish(&host);
}
END_TEST

START_TEST(destroys_none)
{
	prof_ticker_destroy(NULL);
}
END_TEST

RUN_TESTS("sample_ticker", meets_a_spinning_thread_about_as_often_as_asked, keeps_the_engines_note,
	sleeping_thread_sees_no_interrupted_call, sleeping_threads_time_is_told_as_other,
	hold_sends_nothing, no_tick_is_sent_before_the_last_was_met,
	tick_is_ours_however_long_the_host_is_busy, lost_tick_is_given_up,
	thread_that_blocks_the_signal_is_not_signalled_but_its_time_is_told,
	tick_that_is_blocked_stays_ours, thread_that_waits_for_signals_gets_no_tick,
	signals_of_others_are_not_met, time_adds_up, waiting_for_a_cpu_is_not_the_profilers_doing,
	thread_that_waits_for_a_cpu_is_let_go_on, nobody_is_told_where_there_is_no_look,
	forgotten_thread_is_left_alone, threads_come_and_go, process_that_is_gone_is_not_watched,
	exec_leaves_the_leader_only, takes_a_signal_that_the_program_does_not_catch,
	takes_the_signal_that_was_asked_for, limit_lowers_the_rate_while_settling_comes_late,
	takes_no_signals_from_the_host, destroys_none)
