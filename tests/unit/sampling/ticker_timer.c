/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/ticker.h"

#include "sample_ticker.h"
#include "sampling/attention.h"

#include "sampling/cpu_timers.h"
#include "sampling/tick.h"

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

/* A child that runs FUNCTION, ticked by timers at RATE.  False: there are none here. */
static bool begin(void (*function)(void), double rate)
{
	struct prof_ticker_options options = usual(rate);
	struct prof_error *error = prof_cpu_timers_check();

	if (error) {
		prof_error_destroy(error);
		return false;
	}
	options.timers = true;
	options.listens = does_listen;
	options.release = release;
	test.host = start(function, true, options);
	test.timers = prof_cpu_timers_create(test.host.child);
	ck_assert_ptr_nonnull(test.timers);
	prof_ticker_release(test.host.ticker);
	return true;
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

RUN_TESTS("ticker timer", samples_are_the_cpu_time_times_the_rate,
	they_are_above_the_kernels_own_rate_as_well, they_are_where_a_thread_works_briefly,
	what_rings_on_hold_is_no_sample, a_timer_that_is_gone_is_set_again,
	who_stands_while_the_host_is_away_is_released_once)
