/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/procfs.h"

#include "sample_child.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

START_TEST(run_is_the_time_on_a_cpu)
{
	pid_t child = child_start(child_spin);
	clockid_t clock;
	struct timespec used;

	child_spend(child, 20);
	ck_assert_int_eq(clock_getcpuclockid(child, &clock), 0);
	ck_assert_int_eq(clock_gettime(clock, &used), 0);
	ck_assert_int_eq(thread_schedstat(child, child).run,
		used.tv_sec * INT64_C(1000000000) + used.tv_nsec);
	children_end();
}
END_TEST

static int wake[2];

static void sleep_until_woken(void)
{
	char byte;

	while (read(wake[0], &byte, 1) == 1)
		;
}

START_TEST(slices_tell_whether_a_thread_slept_on)
{
	ck_assert_int_eq(pipe(wake), 0);
	pid_t child = child_start(sleep_until_woken);
	child_await(child, 'S');
	uint64_t slices = thread_schedstat(child, child).slices;

	pause_ms(5);
	ck_assert_uint_eq(thread_schedstat(child, child).slices, slices);
	ck_assert_int_eq(write(wake[1], "x", 1), 1);
	while (thread_schedstat(child, child).slices == slices)
		pause_ms(1);
	children_end();
}
END_TEST

START_TEST(delay_grows_while_two_threads_want_one_cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
	pid_t child = child_start(child_spin);
	pid_t other = child_start(child_spin);
	while (thread_schedstat(child, child).delay < 10000000 ||
		thread_schedstat(other, other).delay < 10000000)
		pause_ms(5);
	children_end();
}
END_TEST

START_TEST(tells_the_states_of_a_thread)
{
	pid_t child = child_start(child_spin);

	child_await(child, 'R');
	kill(child, SIGSTOP);
	child_await(child, 'T');
	kill(child, SIGKILL);
	child_await(child, 'Z');
	waitpid(child, NULL, 0);
	ck_assert_int_eq(thread_state(child, child), 0);
}
END_TEST

/* These look like the fields and lines of the files that they stand in. */
static const char *const names[] = {"a) R (b", ") R 1", "x\nSigCgt: f", "(((", "fifteen letters"};
static const char *name;

/* What MASK has but for what the C library catches itself: before glibc 2.34, two in any program.
 */
static uint64_t without_library(uint64_t mask)
{
	return mask & ~(UINT64_C(3) << (__SIGRTMIN - 1));
}

static void take_name(void)
{
	prctl(PR_SET_NAME, name);
	child_sleep();
}

START_TEST(name_may_hold_any_character)
{
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		char found[PROF_THREAD_NAME] = "";
		struct prof_signals signals;
		name = names[i];
		pid_t child = child_start(take_name);
		while (strcmp(found, name) != 0) {
			pause_ms(1);
			prof_procfs_name(child, child, found);
		}
		child_await(child, 'S');
		AUTO_CLOSE int stat = prof_procfs_open(child, child, "stat");
		struct prof_stat read;
		ck_assert_int_eq(prof_procfs_stat(stat, &read), 'S');
		ck_assert_str_eq(read.name, name);
		ck_assert(prof_procfs_signals(child, child, &signals));
		ck_assert_uint_eq(without_library(signals.caught), 0);
		children_end();
	}
}
END_TEST

static void ignore(int number)
{
	(void)number;
}

static void block_some(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGURG);
	sigaddset(&set, SIGRTMAX);
	sigprocmask(SIG_SETMASK, &set, NULL);
	signal(SIGTERM, ignore);
	prctl(PR_SET_NAME, ") 9 9 9");
	child_sleep();
}

START_TEST(tells_the_signals_that_a_thread_blocks_and_a_process_catches)
{
	pid_t child = child_start(block_some);
	struct prof_stat read;

	child_await(child, 'S');
	AUTO_CLOSE int stat = prof_procfs_open(child, child, "stat");
	ck_assert_int_eq(prof_procfs_stat(stat, &read), 'S');
	ck_assert_uint_eq(read.masks.blocked, 1 << (SIGHUP - 1) | 1 << (SIGURG - 1));
	ck_assert_uint_eq(read.masks.caught, 1 << (SIGTERM - 1));
	children_end();
}
END_TEST

static void on_signal(int number)
{
	(void)number;
}

static void arrange_signals(void)
{
	sigset_t blocked;

	signal(SIGURG, on_signal);
	signal(SIGTERM, on_signal);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigaddset(&blocked, SIGUSR2);
	sigaddset(&blocked, SIGRTMAX);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	child_sleep();
}

static uint64_t bit(int number)
{
	return UINT64_C(1) << (number - 1);
}

START_TEST(signals_are_sets)
{
	struct prof_signals signals;
	pid_t child = child_start(arrange_signals);

	do {
		pause_ms(1);
		ck_assert(prof_procfs_signals(child, child, &signals));
	} while (!signals.blocked);
	ck_assert_uint_eq(signals.blocked, bit(SIGUSR1) | bit(SIGUSR2) | bit(SIGRTMAX));
	ck_assert_uint_eq(without_library(signals.caught), bit(SIGURG) | bit(SIGTERM));
	ck_assert_uint_eq(signals.pending, 0);

	/* One to the process, one to the thread. */
	kill(child, SIGUSR1);
	syscall(SYS_tgkill, child, child, SIGRTMAX);
	ck_assert(prof_procfs_signals(child, child, &signals));
	ck_assert_uint_eq(signals.pending, bit(SIGUSR1) | bit(SIGRTMAX));
	children_end();
}
END_TEST

enum { MORE_THREADS = 3 };

static void *sleep_in_thread(void *context)
{
	child_sleep();
	return context;
}

static void start_threads(void)
{
	pthread_t thread;

	for (int i = 0; i < MORE_THREADS; i++)
		pthread_create(&thread, NULL, sleep_in_thread, NULL);
	child_sleep();
}

struct seen {
	pid_t process;
	int count;
	bool leader;
	pid_t last; /* of the others */
};

static void see(void *context, pid_t thread)
{
	struct seen *seen = context;

	seen->count++;
	seen->leader |= thread == seen->process;
	if (thread != seen->process)
		seen->last = thread;
	ck_assert_int_ne(thread_state(seen->process, thread), 0);
}

static struct seen await_threads(pid_t child)
{
	struct seen seen;

	do {
		pause_ms(1);
		seen = (struct seen){.process = child};
		ck_assert(prof_procfs_threads(child, see, &seen));
	} while (seen.count < 1 + MORE_THREADS);
	return seen;
}

START_TEST(visits_every_thread)
{
	pid_t child = child_start(start_threads);
	struct seen seen = await_threads(child);

	ck_assert_int_eq(seen.count, 1 + MORE_THREADS);
	ck_assert(seen.leader);
	children_end();
}
END_TEST

START_TEST(thread_has_a_process_and_perhaps_a_tracer)
{
	pid_t child = child_start(start_threads);
	struct seen seen = await_threads(child);

	ck_assert_int_eq(prof_procfs_process(seen.last), child);
	ck_assert_int_eq(prof_procfs_tracer(seen.last), 0);
	ck_assert_int_eq(prof_procfs_parent(seen.last), getpid());
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, seen.last, NULL, NULL), 0);
	ck_assert_int_eq(prof_procfs_tracer(seen.last), getpid());
	ck_assert_int_eq(prof_procfs_tracer(child), 0);
	children_end();
	ck_assert_int_eq(prof_procfs_process(child), 0);
	ck_assert_int_eq(prof_procfs_tracer(child), 0);
}
END_TEST

START_TEST(thread_that_is_gone_has_nothing_to_tell)
{
	pid_t child = child_start(child_sleep);
	struct seen seen = {.process = child};
	struct prof_schedstat schedstat;
	struct prof_signals signals;
	char found[PROF_THREAD_NAME] = "before";
	int stat = prof_procfs_open(child, child, "stat");
	int figures = prof_procfs_open(child, child, "schedstat");

	ck_assert_int_ge(stat, 0);
	ck_assert_int_ge(figures, 0);
	children_end();
	ck_assert_int_eq(prof_procfs_stat(stat, NULL), 0);
	ck_assert(!prof_procfs_schedstat(figures, &schedstat));
	ck_assert_int_lt(prof_procfs_open(child, child, "stat"), 0);
	ck_assert(!prof_procfs_signals(child, child, &signals));
	ck_assert(!prof_procfs_threads(child, see, &seen));
	prof_procfs_name(child, child, found);
	ck_assert_str_eq(found, "");
	close(stat);
	close(figures);
}
END_TEST

START_TEST(opens_a_file_beside_another)
{
	pid_t child = child_start(child_sleep);
	int stat = prof_procfs_open(child, child, "stat");
	int beside = prof_procfs_open_beside(stat, "comm");
	int ends[2];
	char one[64] = "", other[64] = "";

	ck_assert_int_eq(fcntl(beside, F_GETFD), FD_CLOEXEC);
	ck_assert(prof_procfs_read(child, child, "comm", one, sizeof one));
	ck_assert_int_gt(read(beside, other, sizeof other - 1), 0);
	ck_assert_str_eq(one, other);
	ck_assert_int_lt(prof_procfs_open_beside(stat, "nothing"), 0);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_lt(prof_procfs_open_beside(ends[0], "comm"), 0);
	close(ends[0]);
	close(ends[1]);
	close(beside);
	close(stat);
	children_end();
}
END_TEST

START_TEST(files_do_not_pass_into_programs_that_the_host_starts)
{
	int fd = prof_procfs_open(getpid(), getpid(), "stat");

	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}
END_TEST

static void count_own(void *context, pid_t process)
{
	*(int *)context += process == getpid();
}

START_TEST(every_process_is_visited_once)
{
	int own = 0;

	prof_procfs_processes(count_own, &own);
	ck_assert_int_eq(own, 1);
}
END_TEST

static void sleep_often(void)
{
	for (;;)
		pause_ms(1);
}

START_TEST(waits_of_a_thread_are_counted)
{
	pid_t sleeper = child_start(sleep_often), spinner = child_start(child_spin);
	uint64_t before, after, spun;

	ck_assert(prof_procfs_waits(sleeper, sleeper, &before));
	do {
		ck_assert(prof_procfs_waits(sleeper, sleeper, &after));
	} while (after < before + 50);
	/* Others may have had its CPU. */
	child_spend(spinner, 20);
	ck_assert(prof_procfs_waits(spinner, spinner, &spun));
	ck_assert_uint_lt(spun, 20);
	children_end();
	ck_assert(!prof_procfs_waits(spinner, spinner, &spun));
}
END_TEST

RUN_TESTS("procfs", every_process_is_visited_once, run_is_the_time_on_a_cpu,
	slices_tell_whether_a_thread_slept_on, delay_grows_while_two_threads_want_one_cpu,
	tells_the_states_of_a_thread, tells_the_signals_that_a_thread_blocks_and_a_process_catches,
	name_may_hold_any_character, signals_are_sets, visits_every_thread,
	thread_has_a_process_and_perhaps_a_tracer, thread_that_is_gone_has_nothing_to_tell,
	opens_a_file_beside_another, waits_of_a_thread_are_counted,
	files_do_not_pass_into_programs_that_the_host_starts)
