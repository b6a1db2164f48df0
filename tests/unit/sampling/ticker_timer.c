/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/ticker.h"

#include "sample_ticker.h"
#include "sampling/attention.h"

#include "sampling/cpu_timers.h"
#include "sampling/tick.h"

#include <sys/mman.h>

static const double SECOND = 1e9;

/* A ticker asks without a context: there is one host. */
static struct {
	struct host host;
	struct prof_cpu_timers *timers;
	uint64_t rung; /* ticks of timers that were met */
	atomic_bool listens;
	atomic_int released, note;
} test = {.listens = true};

static bool does_listen(void)
{
	return atomic_load(&test.listens);
}

static void release(pid_t thread, int note)
{
	(void)thread;
	atomic_store(&test.note, note);
	atomic_fetch_add(&test.released, 1);
}

/* A child that runs FUNCTION, ticked by timers at RATE, SHORT_WORK only if that needs them.  False:
 * there are none here. */
static bool begin_as(void (*function)(void), double rate, bool short_work)
{
	struct prof_ticker_options options = usual(rate);
	struct prof_error *error = prof_cpu_timers_check();

	if (error) {
		prof_error_destroy(error);
		return false;
	}
	options.timers = true;
	options.short_work = short_work;
	options.listens = does_listen;
	options.release = release;
	test.host = start(function, true, options);
	test.timers = prof_cpu_timers_create(test.host.child);
	ck_assert_ptr_nonnull(test.timers);
	prof_ticker_release(test.host.ticker);
	return true;
}

static bool begin(void (*function)(void), double rate)
{
	return begin_as(function, rate, false);
}

static void end(void)
{
	prof_cpu_timers_destroy(test.timers);
	finish(&test.host);
}

/* THREAD has stopped by SIGNAL: sets its timer, if that is asked for.  Returns what it is. */
static enum prof_met take_stop(pid_t thread, int signal)
{
	struct prof_meeting meeting = {.met = PROF_MET_NOTHING};

	prof_cpu_timers_leave(test.timers, thread);
	siginfo_t info = stop_info(thread, signal);
	prof_ticker_meet(test.host.ticker, thread, &info, &meeting);
	test.rung += meeting.timed;
	ck_assert(!meeting.timed || prof_tick_is_of_timer(&info));
	if (meeting.ends && prof_cpu_timers_drop(test.timers, thread))
		prof_ticker_unset(test.host.ticker, thread, true);
	if (meeting.period &&
		!prof_cpu_timers_set(test.timers, thread, meeting.ring, meeting.period))
		prof_ticker_unset(test.host.ticker, thread, false);
	if (meeting.met >= PROF_MET_TICK)
		settle(&test.host, thread);
	return meeting.met;
}

static enum prof_met meet_one(void)
{
	int signal;
	pid_t thread = stopped(&signal);

	if (!thread) {
		pause_ms(0);
		return PROF_MET_NOTHING;
	}
	enum prof_met met = take_stop(thread, signal);
	if (met < PROF_MET_TICK)
		go_on(thread);
	return met;
}

/* Meets ticks until COUNT timers have rung. */
static void meet_rings(uint64_t count)
{
	for (count += test.rung; test.rung < count;)
		meet_one();
}

/*
 * Meets ticks until the thread has a timer because its work is short, and until that has rung: or
 * was deleted, as it rings rarely on a crowded machine.
 */
static void meet_first_ring(void)
{
	while (!test.rung && !prof_cpu_timers_any(test.timers))
		meet_one();
	while (!test.rung && prof_cpu_timers_any(test.timers))
		meet_one();
}

static void work_and_wait(void)
{
	struct timespec brief = {.tv_nsec = 20000};

	for (;;) {
		burn(20000);
		nanosleep(&brief, NULL);
	}
}

/* Whatever the kernel's clock is, samples are the CPU time at the rate. */
static void check_samples(void (*function)(void), double rate, uint64_t rings)
{
	if (!begin(function, rate))
		return;
	meet_rings(rings);
	prof_ticker_hold(test.host.ticker);
	double due = (double)figures(&test.host)->running / SECOND * rate;
	ck_assert_double_lt((double)test.host.samples, 1.05 * due + 4);
	ck_assert_double_gt((double)test.host.samples, 0.9 * due - 4);
	ck_assert_uint_eq(test.host.figures.lost, 0);
	/* Most of them are the timers'. */
	ck_assert_uint_lt(test.host.met, 2 * test.rung + 20);
	end();
}

START_TEST(samples_are_the_cpu_time_times_the_rate)
{
	check_samples(child_spin, 100, 50);
}
END_TEST

START_TEST(they_are_above_the_kernels_own_rate_as_well)
{
	check_samples(child_spin, 2000, 100);
}
END_TEST

START_TEST(they_are_where_a_thread_works_briefly)
{
	check_samples(work_and_wait, 1000, 100);
}
END_TEST

/* As when the host has the program call a function. */
START_TEST(what_rings_on_hold_is_no_sample)
{
	if (!begin(child_spin, 100))
		return;
	meet_rings(5);
	prof_ticker_hold(test.host.ticker);
	uint64_t met = test.host.met;
	while (meet_one() != PROF_MET_STRAY)
		;
	ck_assert_uint_eq(test.host.met, met);
	/* It was not set again. */
	assert_left_alone(&test.host);
	prof_ticker_release(test.host.ticker);
	meet_rings(5);
	end();
}
END_TEST

START_TEST(a_timer_that_is_gone_is_set_again)
{
	if (!begin(child_spin, 1000))
		return;
	meet_rings(5);
	/* The program might have done it. */
	int signal;
	pid_t thread = wait_for_stop(&signal);
	prof_cpu_timers_leave(test.timers, thread);
	ck_assert(prof_cpu_timers_clear(test.timers, thread));
	take_stop(thread, signal);
	meet_rings(5);
	end();
}
END_TEST

START_TEST(who_stands_while_the_host_is_away_is_released_once)
{
	struct prof_owed owed;
	int signal;

	if (!begin(child_spin, 100))
		return;
	meet_rings(5);
	atomic_store(&test.listens, false);
	prof_ticker_hush(test.host.ticker, &owed, 1);
	while (!atomic_load(&test.released))
		pause_ms(1);
	ck_assert_int_eq(atomic_load(&test.note), NOTE);
	wait_rounds(&test.host, 10);
	ck_assert_int_eq(atomic_load(&test.released), 1);
	/* As the host's handler does, which tells nobody. */
	go_on(test.host.child);
	wait_rounds(&test.host, 10);
	ck_assert_int_eq(atomic_load(&test.released), 1);
	ck_assert_int_eq(stopped(&signal), 0);
	atomic_store(&test.listens, true);
	meet_rings(5);
	end();
}
END_TEST

START_TEST(short_work_gets_timers)
{
	if (!begin_as(work_and_wait, 1000, true))
		return;
	meet_first_ring();
	meet_rings(20);
	prof_ticker_hold(test.host.ticker);
	/* What timers find of it is as doubtful as what looks have found until then. */
	ck_assert_int_ge(figures(&test.host)->bursts, PROF_SHORT_KNOWN);
	ck_assert_double_gt(
		(double)test.host.figures.bursts, 0.9 * (double)test.host.figures.running);
	end();
}
END_TEST

/* Works for NS of every 4 ms. */
static void work_every_4_ms(int64_t ns)
{
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		for (int64_t end = prof_clock_used() + ns; prof_clock_used() < end;)
			;
		next.tv_nsec += 4000000;
		if (next.tv_nsec >= PROF_NS_PER_SECOND) {
			next.tv_sec++;
			next.tv_nsec -= PROF_NS_PER_SECOND;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
}

static void work_by_the_clock(void)
{
	work_every_4_ms(2000000);
}

static void check_looks(void (*function)(void))
{
	if (!begin_as(function, 1000, true))
		return;
	while (test.host.met < 300)
		meet_one();
	ck_assert_uint_eq(test.rung, 0);
	ck_assert(!prof_cpu_timers_any(test.timers));
	end();
}

START_TEST(long_work_gets_none)
{
	check_looks(child_spin);
}
END_TEST

START_TEST(nor_does_work_that_the_clock_begins)
{
	check_looks(work_by_the_clock);
}
END_TEST

/* Shared with the child, which works longer once it is set. */
static atomic_bool *works_longer;

static void brief_then_long(void)
{
	struct timespec brief = {.tv_nsec = 20000};

	while (!atomic_load(works_longer)) {
		burn(20000);
		nanosleep(&brief, NULL);
	}
	child_spin();
}

START_TEST(who_works_longer_then_loses_it)
{
	works_longer = mmap(NULL, sizeof *works_longer, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(works_longer, MAP_FAILED);
	if (!begin_as(brief_then_long, 1000, true))
		return;
	meet_first_ring();
	atomic_store(works_longer, true);
	while (prof_cpu_timers_any(test.timers))
		meet_one();
	uint64_t rung = test.rung;
	for (uint64_t met = test.host.met; test.host.met < met + 50;)
		meet_one();
	ck_assert_uint_eq(test.rung, rung);
	ck_assert(!prof_cpu_timers_any(test.timers));
	end();
	munmap(works_longer, sizeof *works_longer);
}
END_TEST

RUN_TESTS("ticker timer", samples_are_the_cpu_time_times_the_rate,
	they_are_above_the_kernels_own_rate_as_well, they_are_where_a_thread_works_briefly,
	what_rings_on_hold_is_no_sample, a_timer_that_is_gone_is_set_again,
	who_stands_while_the_host_is_away_is_released_once, short_work_gets_timers,
	long_work_gets_none, nor_does_work_that_the_clock_begins, who_works_longer_then_loses_it)
