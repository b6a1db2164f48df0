/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/marker.h"

#include "model/usage.h"
#include "recording/queue.h"
#include "sample_child.h"

#include <pthread.h>
#include <string.h>

enum { MS = 1000000 };

static struct prof_queue *queue;
static struct prof_marker *marker;

static void start(size_t room, int64_t period)
{
	ck_assert_ok(prof_queue_create(room, &queue));
	ck_assert_ok(prof_marker_create(queue, &marker));
	prof_marker_repeat(marker, period);
}

static void end(void)
{
	prof_marker_destroy(marker);
	prof_queue_destroy(queue);
}

/* The next mark, or NULL; its label is borrowed until the next. */
static const char *take(struct prof_message *message, struct prof_usage *usage)
{
	const void *data;

	if (!prof_queue_take(queue, message, &data))
		return NULL;
	ck_assert_uint_eq(message->kind, PROF_MESSAGE_MARK);
	memcpy(usage, data, sizeof *usage);
	return (const char *)data + sizeof *usage;
}

START_TEST(mark_has_its_time_kind_label_and_figures)
{
	struct prof_message message;
	struct prof_usage usage;

	start(4096, 0);
	ck_assert(prof_marker_add(marker, getpid(), true));
	int64_t before = prof_clock();
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, "here, and now"));
	int64_t after = prof_clock();
	ck_assert_str_eq(take(&message, &usage), "here, and now");
	ck_assert_uint_eq(message.mark.kind, PROF_MARK_ASKED);
	ck_assert_int_ge(message.mark.time, before);
	ck_assert_int_le(message.mark.time, after);
	ck_assert_int_ge(usage.figures[PROF_USAGE_THREADS], 2);
	prof_marker_remove(marker, getpid());
	ck_assert(prof_marker_mark(marker, PROF_MARK_END, ""));
	ck_assert_str_eq(take(&message, &usage), "");
	ck_assert_int_eq(usage.figures[PROF_USAGE_THREADS], 0);
	end();
}
END_TEST

START_TEST(time_running_is_that_between_run_and_stand_still)
{
	struct prof_message message;
	struct prof_usage usage;

	start(4096, 0);
	pause_ms(5);
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, ""));
	take(&message, &usage);
	ck_assert_int_eq(usage.figures[PROF_USAGE_RUNNING], 0);
	int64_t begin = prof_clock();
	prof_marker_run(marker, true);
	prof_marker_run(marker, true);
	pause_ms(5);
	prof_marker_run(marker, false);
	int64_t ran = prof_clock() - begin;
	pause_ms(20);
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, ""));
	take(&message, &usage);
	ck_assert_int_ge(usage.figures[PROF_USAGE_RUNNING], 5 * MS);
	ck_assert_int_le(usage.figures[PROF_USAGE_RUNNING], ran);
	end();
}
END_TEST

START_TEST(full_queue_refuses_a_mark)
{
	start(256, 0);
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, "first"));
	ck_assert(!prof_marker_mark(marker, PROF_MARK_ASKED, "second"));
	end();
}
END_TEST

static void put_look(void *context)
{
	struct prof_message message = {.kind = PROF_MESSAGE_FIGURES};

	message.figures.rounds = *(const uint64_t *)context;
	prof_queue_put(queue, &message, NULL);
}

START_TEST(listener_is_told_before_each_mark)
{
	uint64_t one = 1, two = 2;
	struct prof_message message;
	const void *data;

	start(4096, 0);
	ck_assert(prof_marker_listen(marker, put_look, &one));
	ck_assert(prof_marker_listen(marker, put_look, &two));
	prof_marker_ignore(marker, &one);
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, "x"));
	ck_assert(prof_queue_take(queue, &message, &data));
	ck_assert_uint_eq(message.kind, PROF_MESSAGE_FIGURES);
	ck_assert_uint_eq(message.figures.rounds, two);
	ck_assert(prof_queue_take(queue, &message, &data));
	ck_assert_uint_eq(message.kind, PROF_MESSAGE_MARK);
	ck_assert(!prof_queue_take(queue, &message, &data));
	end();
}
END_TEST

static void note_time(void *context, int64_t time)
{
	*(int64_t *)context = time;
}

START_TEST(follower_is_told_the_time_of_each_mark)
{
	struct prof_message message;
	struct prof_usage usage;
	int64_t time = 0;

	start(4096, 0);
	ck_assert(prof_marker_follow(marker, note_time, &time));
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, "x"));
	ck_assert_str_eq(take(&message, &usage), "x");
	ck_assert_int_eq(time, message.mark.time);
	prof_marker_ignore(marker, &time);
	time = 0;
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, "y"));
	ck_assert_int_eq(time, 0);
	end();
}
END_TEST

START_TEST(periods_are_marked_while_it_runs)
{
	enum { MARKS = 5 };
	struct prof_message message;
	struct prof_usage usage;
	int64_t last = 0;

	start(1 << 16, 10 * MS);
	int64_t begin = prof_clock();
	prof_marker_run(marker, true);
	for (int marks = 0; marks < MARKS;) {
		const char *label = take(&message, &usage);
		if (!label) {
			pause_ms(1);
			continue;
		}
		marks++;
		ck_assert_str_eq(label, "periodic");
		ck_assert_uint_eq(message.mark.kind, PROF_MARK_PERIOD);
		ck_assert_int_gt(message.mark.time, last);
		last = message.mark.time;
	}
	ck_assert_int_ge(last - begin, (MARKS - 1) * 10 * MS);
	prof_marker_run(marker, false);
	while (take(&message, &usage))
		;
	for (int i = 0; i < 5; i++) {
		pause_ms(10);
		ck_assert_ptr_null(take(&message, &usage));
	}
	end();
}
END_TEST

/* Many short stretches have as many marks as a long one. */
START_TEST(periods_count_only_while_it_runs)
{
	struct prof_message message;
	struct prof_usage usage;
	int stretches = 0;

	start(1 << 16, 20 * MS);
	while (!take(&message, &usage)) {
		prof_marker_run(marker, true);
		pause_ms(3);
		prof_marker_run(marker, false);
		ck_assert_int_lt(++stretches, 10000);
	}
	end();
}
END_TEST

static void note_expiry(void *context)
{
	_Atomic int *count = context;

	/* It may call the marker. */
	ck_assert(prof_marker_mark(marker, PROF_MARK_ASKED, "expired"));
	(*count)++;
}

START_TEST(time_to_run_expires_once)
{
	_Atomic int count = 0;
	struct prof_message message;
	struct prof_usage usage;

	start(1 << 16, 0);
	prof_marker_expire(marker, 20 * MS, note_expiry, &count);
	prof_marker_run(marker, true);
	while (!count)
		pause_ms(1);
	ck_assert_str_eq(take(&message, &usage), "expired");
	ck_assert_int_ge(usage.figures[PROF_USAGE_RUNNING], 20 * MS);
	pause_ms(50);
	ck_assert_int_eq(count, 1);
	end();
}
END_TEST

START_TEST(time_to_run_is_not_that_at_a_stand_still)
{
	_Atomic int count = 0;
	struct prof_message message;
	struct prof_usage usage;

	start(1 << 16, 0);
	prof_marker_expire(marker, 20 * MS, note_expiry, &count);
	pause_ms(50);
	ck_assert_int_eq(count, 0);
	while (!count) {
		prof_marker_run(marker, true);
		pause_ms(3);
		prof_marker_run(marker, false);
	}
	ck_assert_str_eq(take(&message, &usage), "expired");
	ck_assert_int_ge(usage.figures[PROF_USAGE_RUNNING], 20 * MS);
	end();
}
END_TEST

RUN_TESTS("marker", mark_has_its_time_kind_label_and_figures,
	time_running_is_that_between_run_and_stand_still, full_queue_refuses_a_mark,
	listener_is_told_before_each_mark, follower_is_told_the_time_of_each_mark,
	periods_are_marked_while_it_runs, periods_count_only_while_it_runs,
	time_to_run_expires_once, time_to_run_is_not_that_at_a_stand_still)
