/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/process.h"

#include "suite.h"
#include "target/arch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void handle(int number)
{
	(void)number;
}

/* A traced process that exits with the errno of an epoll_wait() of TIMEOUT ms, 0 if that is over.
 */
static pid_t start_waiting(int timeout)
{
	struct epoll_event event;
	pid_t child = fork();

	if (child)
		return child;
	signal(SIGUSR1, handle);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	_exit(epoll_wait(epoll_create1(0), &event, 1, timeout) ? errno : 0);
}

static void wait_for_stop(pid_t child, int number)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(WSTOPSIG(status), number);
}

static bool is_asleep(pid_t child)
{
	char path[32], state = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
	FILE *file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%*d %*s %c", &state), 1);
	fclose(file);
	return state == 'S';
}

/* The exit code of CHILD, which goes on with the signal NUMBER. */
static int finish(pid_t child, int number)
{
	int status;

	ck_assert(!ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)number));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Stops CHILD by a signal in the middle of its wait. */
static void stop_in_wait(pid_t child, struct prof_registers *registers)
{
	wait_for_stop(child, SIGSTOP);
	ck_assert(!ptrace(PTRACE_CONT, child, NULL, NULL));
	while (!is_asleep(child))
		usleep(1000);
	kill(child, SIGURG);
	wait_for_stop(child, SIGURG);
	ck_assert_ok(prof_process_registers(child, registers));
}

START_TEST(a_wait_that_is_left_cut_short_fails)
{
	struct prof_registers registers;
	pid_t child = start_waiting(60000);

	stop_in_wait(child, &registers);
	ck_assert_int_eq(finish(child, 0), EINTR);
}
END_TEST

START_TEST(a_wait_that_was_cut_short_goes_on)
{
	struct prof_registers registers;
	pid_t child = start_waiting(300);

	stop_in_wait(child, &registers);
	ck_assert(prof_process_retry(child, &registers));
	ck_assert_int_eq(finish(child, 0), 0);
}
END_TEST

START_TEST(a_handler_of_the_program_ends_its_wait)
{
	struct prof_registers registers;
	pid_t child = start_waiting(60000);

	stop_in_wait(child, &registers);
	kill(child, SIGUSR1);
	ck_assert(prof_process_retry(child, &registers));
	ck_assert(!ptrace(PTRACE_CONT, child, NULL, NULL));
	wait_for_stop(child, SIGUSR1);
	ck_assert_int_eq(finish(child, SIGUSR1), EINTR);
}
END_TEST

START_TEST(a_thread_that_is_in_no_wait_is_left_alone)
{
	struct prof_registers registers;
	pid_t child = start_waiting(0);

	wait_for_stop(child, SIGSTOP);
	ck_assert_ok(prof_process_registers(child, &registers));
	ck_assert(!prof_process_retry(child, &registers));
	ck_assert_int_eq(finish(child, 0), 0);
}
END_TEST

START_TEST(a_stop_for_a_signal_is_known)
{
	siginfo_t info;
	uint64_t mask = UINT64_C(1) << (SIGUSR2 - 1), blocked = 0;
	pid_t child = start_waiting(0);

	wait_for_stop(child, SIGSTOP);
	ck_assert(prof_process_signalled(child, &info));
	ck_assert_int_eq(info.si_signo, SIGSTOP);
	ck_assert(prof_process_block(child, mask));
	ck_assert(!ptrace(PTRACE_GETSIGMASK, child, sizeof blocked, &blocked));
	ck_assert_uint_eq(blocked, mask);
	ck_assert_int_eq(finish(child, 0), 0);
	ck_assert(!prof_process_signalled(child, &info));
}
END_TEST

START_TEST(memory_is_read_whole_or_not_at_all)
{
	int number = 7, there = 0;

	ck_assert(prof_process_read(getpid(), (uintptr_t)&number, &there, sizeof there));
	ck_assert_int_eq(there, 7);
	ck_assert(!prof_process_read(getpid(), 16, &there, sizeof there));
}
END_TEST

int main(void)
{
	const TTest *tests[] = {
		a_wait_that_is_left_cut_short_fails,
		a_wait_that_was_cut_short_goes_on,
		a_handler_of_the_program_ends_its_wait,
		a_thread_that_is_in_no_wait_is_left_alone,
		a_stop_for_a_signal_is_known,
		memory_is_read_whole_or_not_at_all,
	};

	if (!prof_arch_native() || !prof_arch_native()->retry_call) {
		printf("1..0 # SKIP this kernel does not tell what a call was that is cut short\n");
		return 0;
	}
	return run_tests("process", tests, sizeof tests / sizeof *tests);
}
