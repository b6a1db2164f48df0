/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/attention.h"

#include "sample_ticker.h"

static const int64_t SECOND = 1000000000;

/* A ticker asks without a context: there is one host. */
static atomic_bool listens;

static bool does_listen(void)
{
	return atomic_load(&listens);
}

static struct prof_ticker_options listening(void)
{
	struct prof_ticker_options options = usual(1000);

	options.listens = does_listen;
	return options;
}

/* Waits until TICKS more were lost; there must be nothing to meet. */
static void wait_lost(struct host *host, uint64_t ticks)
{
	int signal;

	for (ticks += figures(host)->lost; figures(host)->lost < ticks;) {
		ck_assert_int_eq(stopped(&signal), 0);
		pause_ms(1);
	}
}

START_TEST(nothing_is_sent_while_the_host_does_not_listen)
{
	atomic_store(&listens, false);
	struct host host = start(child_spin, true, listening());

	prof_ticker_release(host.ticker);
	wait_lost(&host, 20);
	ck_assert(!prof_ticker_outstanding(host.ticker));
	ck_assert_uint_eq(host.samples, 0);
	atomic_store(&listens, true);
	meet_many(&host, 20);
	/* What it did before is no part of what was met. */
	ck_assert_uint_le(host.samples, figures(&host)->ticks - host.figures.lost);
	finish(&host);
}
END_TEST

START_TEST(one_that_turns_away_is_told_what_is_under_way)
{
	atomic_store(&listens, true);
	struct host host = start(child_spin, true, listening());
	struct prof_owed owed[2] = {0};
	int signal, note;

	ck_assert_uint_eq(prof_ticker_hush(host.ticker, owed, 2), 0);
	prof_ticker_release(host.ticker);
	pid_t thread = wait_for_stop(&signal);
	int64_t now = prof_clock();
	atomic_store(&listens, false);
	ck_assert_uint_eq(prof_ticker_hush(host.ticker, owed, 0), 0);
	ck_assert_uint_eq(prof_ticker_hush(host.ticker, owed, 2), 1);
	ck_assert_int_eq(owed[0].thread, thread);
	ck_assert(owed[0].sent > 0 && owed[0].sent < now);
	ck_assert(meets(host.ticker, thread, signal, &note));
	settle(&host, thread);
	ck_assert_uint_eq(prof_ticker_hush(host.ticker, owed, 2), 0);
	wait_lost(&host, 20);
	finish(&host);
}
END_TEST

START_TEST(a_round_is_all_with_attention_or_without)
{
	struct prof_attention attention = {.listens = does_listen};
	struct prof_attention unknown = {0};
	struct prof_figures figures = {0};
	struct prof_watch watch = {0};

	atomic_store(&listens, true);
	prof_attention_begin(&attention, 1 * SECOND);
	atomic_store(&listens, false);
	ck_assert(!prof_attention_lacks(&attention, &watch, &figures));
	ck_assert_uint_eq(figures.lost, 0);
	prof_attention_begin(&attention, 2 * SECOND);
	atomic_store(&listens, true);
	ck_assert(prof_attention_lacks(&attention, &watch, &figures));
	ck_assert_uint_eq(figures.lost, 1);
	ck_assert_uint_eq(figures.ticks, 1);
	ck_assert(watch.unheard);
	prof_attention_begin(&unknown, 3 * SECOND);
	ck_assert(!prof_attention_lacks(&unknown, &watch, &figures));
}
END_TEST

/* While GDB dealt with a tick, and waited for a CPU, two of three more were lost. */
START_TEST(in_a_moment_nothing_is_lost)
{
	struct prof_attention attention = {.listens = does_listen};
	struct prof_figures figures = {0};
	struct prof_watch watch = {.due = 3};

	atomic_store(&listens, true);
	prof_attention_begin(&attention, SECOND);
	atomic_store(&listens, false);
	prof_attention_begin(&attention, SECOND + SECOND / 20);
	ck_assert(prof_attention_lacks(&attention, &watch, &figures));
	ck_assert_uint_eq(figures.lost, 0);
	ck_assert(!watch.unheard);
	ck_assert_double_eq(watch.due, 3);
	prof_attention_begin(&attention, SECOND + SECOND / 5);
	ck_assert(prof_attention_lacks(&attention, &watch, &figures));
	ck_assert_uint_eq(figures.lost, 1);
	ck_assert(watch.unheard);
	ck_assert_double_eq(watch.due, 0);
}
END_TEST

/* Of a program that stops for its user again and again, GDB is busy at the beginning of each
 * stretch. */
START_TEST(a_moment_begins_when_the_program_goes_on)
{
	atomic_store(&listens, false);
	struct host host = start(child_spin, true, listening());
	int64_t begin, took;
	uint64_t lost;

	do {
		lost = figures(&host)->lost;
		begin = prof_clock();
		prof_ticker_release(host.ticker);
		wait_rounds(&host, 5);
		lost = figures(&host)->lost - lost;
		took = prof_clock() - begin;
		prof_ticker_hold(host.ticker);
	} while (took >= SECOND / 10);
	ck_assert_uint_eq(lost, 0);
	finish(&host);
}
END_TEST

RUN_TESTS("attention", nothing_is_sent_while_the_host_does_not_listen,
	one_that_turns_away_is_told_what_is_under_way, a_round_is_all_with_attention_or_without,
	in_a_moment_nothing_is_lost, a_moment_begins_when_the_program_goes_on)
