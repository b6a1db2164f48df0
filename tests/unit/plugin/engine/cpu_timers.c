/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU timers of children; the test is their debugger, and the engine. */
#include "plugin/engine/cpu_timers.h"

#include "sample_attached.h"

#include "plugin/engine/tick_source.h"
#include "plugin/interpose/subject.h"
#include "recording/queue.h"
#include "sampling/cpu_timers.h"
#include "sampling/ticker.h"

#include <stddef.h>
#include <sys/user.h>

static const int64_t MS = 1000000;

static struct subjects subjects;
static struct subject *subject;
static struct prof_queue *queue;
static pid_t child;

/* The process that was last reported to have no timers, and why. */
static pid_t lacking;
static const char *reason;
static int reports;

void tick_source_lack(struct tick_source *source, pid_t process, const char *why)
{
	(void)source;
	lacking = process;
	reason = why;
	reports++;
}

static struct subject *add(pid_t process, bool timers)
{
	const struct prof_ticker_options options = {.process = process,
		.rate = 1000,
		.max_stopped = 1,
		.queue = queue,
		.timers = timers};
	struct subject *added;

	ck_assert_ok(subjects_add(&subjects, &options, &added));
	ck_assert(prof_ticker_watch(added->ticker, process, 0));
	return added;
}

/* Can there be timers here?  If so, a child spins, and is sampled. */
static bool begin(void)
{
	struct prof_error *lack = prof_cpu_timers_check();

	if (lack) {
		prof_error_destroy(lack);
		return false;
	}
	ck_assert_ok(prof_queue_create(1 << 20, &queue));
	child = child_start(child_spin);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, child, NULL, (void *)PTRACE_O_EXITKILL), 0);
	subject = add(child, true);
	return true;
}

static void end(void)
{
	subjects_clear(&subjects);
	prof_queue_destroy(queue);
	children_end();
}

static void go_on(void)
{
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
}

/* Stops the child, which runs, once it has come to the end of its detour. */
static void halt(void)
{
	child_run(child, 1);
	child_send(child, SIGWINCH);
	ck_assert_int_eq(next_stop(child), SIGWINCH);
	cpu_timers_leave(&subjects, child);
}

/* How many timers the kernel knows of the child. */
static int count_timers(void)
{
	char text[4096] = "";
	int count = 0;

	prof_procfs_read(child, 0, "timers", text, sizeof text);
	for (const char *at = text; (at = strstr(at, "ID:")); at++)
		count += at == text || at[-1] == '\n';
	return count;
}

/* Has the child set a timer of NS, as often as it takes: the first time it only gets the memory. */
static void set(int64_t ns)
{
	const struct prof_meeting meeting = {.period = ns, .ring = SIGURG};

	for (int i = 0; i < 100 && !count_timers(); i++) {
		halt();
		cpu_timers_wind(subject, child, &meeting, true);
		go_on();
		child_run(child, 1);
	}
	ck_assert_int_eq(count_timers(), 1);
	ck_assert(cpu_timers_any(&subjects));
}

START_TEST(timer_is_set_as_the_meeting_asks)
{
	siginfo_t info;

	if (!begin())
		return;
	ck_assert(!cpu_timers_any(&subjects));
	set(20 * MS);
	ck_assert_int_eq(next_stop(child), SIGURG);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &info), 0);
	ck_assert(prof_tick_is_of_timer(&info));
	end();
}
END_TEST

#ifdef __x86_64__
/* The page of the code that the child executes. */
static uint64_t find_page(void)
{
	size_t place = offsetof(struct user, regs) + offsetof(struct user_regs_struct, rip);

	return (uint64_t)ptrace(PTRACE_PEEKUSER, child, (void *)place, NULL) >> 12;
}

START_TEST(thread_is_never_seen_on_its_way_to_set_a_timer)
{
	const struct prof_meeting meeting = {.period = 1000000 * MS, .ring = SIGURG};

	if (!begin())
		return;
	set(1000000 * MS);
	halt();
	uint64_t own = find_page();
	cpu_timers_wind(subject, child, &meeting, true);
	child_send(child, SIGWINCH);
	go_on();
	ck_assert_int_eq(next_stop(child), SIGWINCH);
	ck_assert_uint_ne(find_page(), own);
	cpu_timers_leave(&subjects, child);
	ck_assert_uint_eq(find_page(), own);
	end();
}
END_TEST
#endif

START_TEST(timer_is_not_set_where_that_is_not_permitted)
{
	const struct prof_meeting meeting = {.period = 20 * MS, .ring = SIGURG};
	const struct prof_meeting nothing = {0};

	if (!begin())
		return;
	for (int i = 0; i < 10; i++) {
		halt();
		cpu_timers_wind(subject, child, i % 2 ? &meeting : &nothing, i % 2 == 0);
		go_on();
	}
	ck_assert_int_eq(count_timers(), 0);
	end();
}
END_TEST

START_TEST(thread_deletes_its_timer_when_the_meeting_asks)
{
	const struct prof_meeting meeting = {.ends = true};

	if (!begin())
		return;
	set(1000000 * MS);
	halt();
	cpu_timers_wind(subject, child, &meeting, false);
	go_on();
	child_run(child, 1);
	ck_assert_int_eq(count_timers(), 1);
	halt();
	cpu_timers_wind(subject, child, &meeting, true);
	go_on();
	while (count_timers())
		pause_ms(1);
	end();
}
END_TEST

START_TEST(timers_are_deleted_where_threads_are_known_to_be_stopped)
{
	if (!begin())
		return;
	set(1000000 * MS);
	/* It runs. */
	cpu_timers_clear(&subjects);
	ck_assert_int_eq(count_timers(), 1);
	/* It has stopped, and nobody has waited for that: the stop must not get lost. */
	child_run(child, 1);
	child_send(child, SIGWINCH);
	child_await(child, 't');
	cpu_timers_clear(&subjects);
	ck_assert_int_eq(count_timers(), 1);
	ck_assert_int_eq(next_stop(child), SIGWINCH);
	cpu_timers_leave(&subjects, child);
	cpu_timers_clear(&subjects);
	ck_assert_int_eq(count_timers(), 0);
	ck_assert(!cpu_timers_any(&subjects));
	end();
}
END_TEST

START_TEST(pending_tick_goes_with_the_timer)
{
	if (!begin())
		return;
	set(1000000 * MS);
	halt();
	child_tick(child, SIGURG);
	cpu_timers_clear(&subjects);
	ck_assert_int_eq(count_timers(), 0);
	go_on();
	child_run(child, 5);
	ck_assert_int_eq(waitpid(child, NULL, WNOHANG | __WALL), 0);
	end();
}
END_TEST

START_TEST(stopped_thread_deletes_its_own_timer)
{
	if (!begin())
		return;
	set(1000000 * MS);
	halt();
	cpu_timers_delete_own(&subjects, getpid());
	ck_assert_int_eq(count_timers(), 1);
	cpu_timers_delete_own(&subjects, child);
	ck_assert_int_eq(count_timers(), 0);
	end();
}
END_TEST

START_TEST(processes_without_timers_are_left_alone)
{
	struct tick_source source = {0};

	cpu_timers_leave(&subjects, getpid());
	cpu_timers_clear(&subjects);
	cpu_timers_look(&subjects, &source);
	ck_assert(!cpu_timers_any(&subjects));
	ck_assert_int_eq(reports, 0);

	ck_assert_ok(prof_queue_create(1 << 20, &queue));
	add(getpid(), false);
	cpu_timers_leave(&subjects, getpid());
	cpu_timers_clear(&subjects);
	ck_assert(!cpu_timers_any(&subjects));
	cpu_timers_look(&subjects, &source);
	ck_assert_int_eq(reports, 1);
	ck_assert_int_eq(lacking, getpid());
	ck_assert_ptr_null(reason);
	end();
}
END_TEST

RUN_TESTS("cpu_timers", timer_is_set_as_the_meeting_asks,
	timer_is_not_set_where_that_is_not_permitted,
#ifdef __x86_64__
	thread_is_never_seen_on_its_way_to_set_a_timer,
#endif
	thread_deletes_its_timer_when_the_meeting_asks,
	timers_are_deleted_where_threads_are_known_to_be_stopped, pending_tick_goes_with_the_timer,
	stopped_thread_deletes_its_own_timer, processes_without_timers_are_left_alone)
