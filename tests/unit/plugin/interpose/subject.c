/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes of a native engine, with tickers of their own; the test is their debugger. */
#include "plugin/interpose/subject.h"

#include "recording/queue.h"
#include "sampling/ticker.h"
#include "sample_attached.h"

#include "sampling/tick.h"
#include "sampling/walker.h"

#include <errno.h>

static struct subjects subjects;
static struct prof_queue *queue;

/* Adds PROCESS, which takes WALKER. */
static struct subject *add(pid_t process, struct prof_walker *walker)
{
	struct prof_ticker_options options = {.process = process,
		.rate = 1000,
		.max_stopped = 1,
		.queue = queue,
		.walker = walker};
	struct subject *subject = NULL;

	ck_assert_ok(subjects_add(&subjects, &options, &subject));
	ck_assert_ptr_nonnull(subject);
	ck_assert_int_eq(subject->process, process);
	return subject;
}

/* A child that spins, is traced, and is one of the processes. */
static struct subject *add_child(void)
{
	pid_t child = child_start(child_spin);

	ck_assert_int_eq(ptrace(PTRACE_SEIZE, child, NULL, (void *)PTRACE_O_EXITKILL), 0);
	struct subject *subject = add(child, NULL);
	ck_assert(prof_ticker_watch(subject->ticker, child, 7));
	return subject;
}

static void begin(void)
{
	ck_assert_ok(prof_queue_create(1 << 20, &queue));
}

static void finish(void)
{
	subjects_clear(&subjects);
	ck_assert_uint_eq(subjects.items.count, 0);
	prof_queue_destroy(queue);
	children_end();
}

START_TEST(processes_are_found_and_let_go)
{
	begin();
	ck_assert_ptr_null(subjects_find(&subjects, getpid()));
	ck_assert_ptr_null(subjects_of_thread(&subjects, getpid()));
	ck_assert(!subjects_have(&subjects, getpid()));
	ck_assert(!subjects_outstanding(&subjects));
	struct subject *one = add_child();
	struct subject *two = add_child();
	pid_t first = one->process;

	ck_assert_ptr_eq(subjects_find(&subjects, first), one);
	ck_assert_ptr_eq(subjects_find(&subjects, two->process), two);
	ck_assert_ptr_eq(subjects_of_thread(&subjects, first), one);
	ck_assert_ptr_eq(subjects_of_thread(&subjects, two->process), two);
	ck_assert_ptr_null(subjects_of_thread(&subjects, getpid()));
	ck_assert(subjects_have(&subjects, first));
	ck_assert(!subjects_have(&subjects, getpid()));

	subjects_remove(&subjects, getpid());
	subjects_remove(&subjects, first);
	subjects_remove(&subjects, first);
	ck_assert_ptr_null(subjects_find(&subjects, first));
	ck_assert(!subjects_have(&subjects, first));
	ck_assert_ptr_eq(subjects_find(&subjects, two->process), two);
	finish();
}
END_TEST

/* Waits for the next stop of THREAD, and returns what is known of it. */
static siginfo_t stop_of(pid_t thread)
{
	siginfo_t info;

	next_stop(thread);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, thread, NULL, &info), 0);
	return info;
}

START_TEST(tick_is_met_by_the_process_that_it_is_of)
{
	struct prof_meeting meeting;

	begin();
	struct subject *one = add_child();
	struct subject *two = add_child();
	prof_ticker_release(one->ticker);
	siginfo_t info = stop_of(one->process);
	ck_assert(subjects_outstanding(&subjects));
	ck_assert_ptr_eq(subjects_meet(&subjects, one->process, &info, &meeting), one);
	ck_assert_int_eq(meeting.met, PROF_MET_TICK);
	ck_assert_int_eq(meeting.note, 7);

	/* Of no thread that is watched. */
	ck_assert_ptr_null(subjects_meet(&subjects, getpid(), &info, &meeting));
	ck_assert_int_eq(meeting.met, PROF_MET_STRAY);

	/* The program's own. */
	child_send(two->process, SIGUSR1);
	info = stop_of(two->process);
	ck_assert_ptr_null(subjects_meet(&subjects, two->process, &info, &meeting));
	ck_assert_int_eq(meeting.met, PROF_MET_NOTHING);
	ck_assert_ptr_null(subjects_meet(&subjects, getpid(), &info, &meeting));
	ck_assert_int_eq(meeting.met, PROF_MET_NOTHING);
	finish();
}
END_TEST

START_TEST(stop_that_the_host_wants_is_noted)
{
	begin();
	struct subject *one = add_child();
	struct subject *two = add_child();

	errno = EDOM;
	subjects_want(&subjects, one->process);
	subjects_want(&subjects, getpid());
	ck_assert_int_eq(errno, EDOM);
	ck_assert(prof_ticker_wants(one->ticker, one->process));
	ck_assert(!prof_ticker_wants(two->ticker, two->process));
	subjects_got(&subjects, two->process);
	ck_assert(prof_ticker_wants(one->ticker, one->process));
	subjects_got(&subjects, one->process);
	ck_assert(!prof_ticker_wants(one->ticker, one->process));
	finish();
}
END_TEST

START_TEST(thread_that_is_forgotten_is_watched_anew)
{
	begin();
	struct subject *one = add_child();
	struct subject *two = add_child();

	subjects_forget(&subjects, two->process);
	ck_assert(!prof_ticker_watch(one->ticker, one->process, 0));
	ck_assert(prof_ticker_watch(two->ticker, two->process, 0));
	finish();
}
END_TEST

static uint64_t pending(pid_t thread)
{
	struct prof_signals signals;

	ck_assert(prof_procfs_signals(thread, thread, &signals));
	return signals.pending;
}

START_TEST(tick_that_is_pending_is_taken_before_gdb_detaches)
{
	begin();
	struct subject *one = add_child();
	struct subject *two = add_child();

	ck_assert_int_eq(subjects_let_go(&subjects, getpid()), 0);
	prof_ticker_release(one->ticker);
	stop_of(one->process);
	child_tick(one->process, SIGURG);
	ck_assert_uint_ne(pending(one->process), 0);
	ck_assert_int_eq(subjects_let_go(&subjects, one->process), 0);
	ck_assert_uint_eq(pending(one->process), 0);

	/* No tick was sent to this one: what is pending is the program's. */
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, two->process, NULL, NULL), 0);
	next_stop(two->process);
	child_send(two->process, SIGURG);
	ck_assert_int_eq(subjects_let_go(&subjects, two->process), 0);
	ck_assert_uint_ne(pending(two->process), 0);
	finish();
}
END_TEST

START_TEST(code_is_known_where_there_is_a_walker)
{
	uint64_t address = (uint64_t)(uintptr_t)child_spin, low = 0, high = 0;
	struct prof_walker *walker;
	char path[4096];

	begin();
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	ck_assert_int_gt(length, 0);
	path[length] = '\0';
	pid_t child = child_start(child_sleep);
	ck_assert_ok(prof_walker_create(child, 64, queue, &walker));
	add(child, walker);
	struct subject *other = add_child();

	subjects_read(&subjects);
	ck_assert(subjects_bounds(&subjects, child, address, &low, &high));
	ck_assert_uint_le(low, address);
	ck_assert_uint_gt(high, address);
	ck_assert(subjects_map(&subjects, child, address, path));
	ck_assert(!subjects_map(&subjects, child, address, "/bin/true"));
	subjects_flush(&subjects);
	ck_assert(subjects_bounds(&subjects, child, address, &low, &high));

	/* The engine has GDB walk this one, and this is none. */
	ck_assert(!subjects_bounds(&subjects, other->process, address, &low, &high));
	ck_assert(!subjects_map(&subjects, other->process, address, path));
	ck_assert(!subjects_bounds(&subjects, getpid(), address, &low, &high));
	ck_assert(!subjects_map(&subjects, getpid(), address, path));
	finish();
}
END_TEST

START_TEST(all_are_told_of_and_held)
{
	begin();
	struct subject *one = add_child();
	struct subject *two = add_child();

	prof_ticker_release(one->ticker);
	prof_ticker_release(two->ticker);
	stop_of(one->process);
	stop_of(two->process);
	size_t before = prof_queue_count(queue);
	subjects_hold(&subjects);
	ck_assert_uint_gt(prof_queue_count(queue), before);
	subjects_report(&subjects);
	subjects_mute(&subjects);
	finish();
}
END_TEST

RUN_TESTS("subject", processes_are_found_and_let_go, tick_is_met_by_the_process_that_it_is_of,
	stop_that_the_host_wants_is_noted, thread_that_is_forgotten_is_watched_anew,
	tick_that_is_pending_is_taken_before_gdb_detaches, code_is_known_where_there_is_a_walker,
	all_are_told_of_and_held)
