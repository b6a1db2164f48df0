/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/alarm.h"

#include "sample_child.h"

#include <sys/ptrace.h>

static const int64_t MS = 1000000;

/* A spinning child under ptrace(), and an alarm for it after PERIOD, which stands still.  0: none
 * is to be had here. */
static pid_t start(struct prof_alarm *alarm, int64_t period)
{
	pid_t child = child_start(child_spin);

	ck_assert_int_eq(
		ptrace(PTRACE_SEIZE, child, NULL, (void *)(uintptr_t)PTRACE_O_EXITKILL), 0);
	if (prof_alarm_open(alarm, child, SIGURG, period))
		return child;
	ck_assert_int_lt(alarm->fd, 0);
	children_end();
	return 0;
}

/* Waits for CHILD, which ran when it BEGAN, to stop, which must be by ALARM alone. */
static void meet(pid_t child, const struct prof_alarm *alarm, int64_t began)
{
	siginfo_t info;
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(WSTOPSIG(status), alarm->signal);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &info), 0);
	/* That is known when the alarm is gone, too. */
	ck_assert(prof_alarm_is_one(&info));
	ck_assert_int_eq(info.si_fd, alarm->fd);
	int64_t rung = prof_alarm_rung(alarm);
	ck_assert_int_gt(rung, began);
	ck_assert_int_lt(rung, prof_clock());
}

/* Lets CHILD run for NS more: it must not stop. */
static void assert_silent(pid_t child, int64_t ns)
{
	int64_t until = thread_schedstat(child, child).run + ns;

	while (thread_schedstat(child, child).run < until) {
		ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
		pause_ms(1);
	}
}

START_TEST(it_rings_once_when_its_thread_has_run_for_a_period)
{
	struct prof_alarm alarm;
	pid_t child = start(&alarm, 5 * MS);
	int64_t longest = 0;

	if (!child)
		return;
	assert_silent(child, 20 * MS);
	for (int i = 0; i < 5; i++) {
		int64_t run = thread_schedstat(child, child).run, began = prof_clock();
		prof_alarm_switch(&alarm, true);
		if (i)
			ptrace(PTRACE_CONT, child, NULL, NULL);
		meet(child, &alarm, began);
		/* Not before its time; later, if the machine itself stands still. */
		ck_assert_int_ge(prof_alarm_late(&alarm), -50000);
		ck_assert_int_lt(prof_alarm_late(&alarm), prof_clock() - began);
		int64_t did = thread_schedstat(child, child).run - run;
		longest = did > longest ? did : longest;
		prof_alarm_set(&alarm, 5 * MS);
		ck_assert(!prof_alarm_rung(&alarm));
		ck_assert_int_eq(prof_alarm_late(&alarm), 0);
	}
	/* Where a host takes the CPU away, the alarm's clock goes on and the account does not. */
	ck_assert_int_ge(longest, 4 * MS);
	ptrace(PTRACE_CONT, child, NULL, NULL);
	assert_silent(child, 30 * MS);
	prof_alarm_close(&alarm);
	prof_alarm_close(&alarm);
	children_end();
}
END_TEST

START_TEST(one_that_has_rung_is_silent_until_it_is_set)
{
	struct prof_alarm alarm;
	pid_t child = start(&alarm, 5 * MS);

	if (!child)
		return;
	int64_t began = prof_clock();
	prof_alarm_switch(&alarm, true);
	meet(child, &alarm, began);
	prof_alarm_switch(&alarm, false);
	prof_alarm_switch(&alarm, true);
	ck_assert(!alarm.on);
	ptrace(PTRACE_CONT, child, NULL, NULL);
	assert_silent(child, 30 * MS);
	began = prof_clock();
	prof_alarm_set(&alarm, 5 * MS);
	prof_alarm_switch(&alarm, true);
	meet(child, &alarm, began);
	prof_alarm_close(&alarm);
	children_end();
}
END_TEST

START_TEST(one_that_stands_still_keeps_what_is_left)
{
	struct prof_alarm alarm;
	pid_t child = start(&alarm, 200 * MS);

	if (!child)
		return;
	prof_alarm_switch(&alarm, true);
	assert_silent(child, 20 * MS);
	prof_alarm_switch(&alarm, false);
	ck_assert(!prof_alarm_rung(&alarm));
	assert_silent(child, 300 * MS);
	int64_t run = thread_schedstat(child, child).run;
	int64_t began = prof_clock();
	prof_alarm_switch(&alarm, true);
	meet(child, &alarm, began);
	ck_assert_int_lt(thread_schedstat(child, child).run - run, 195 * MS);
	prof_alarm_close(&alarm);
	children_end();
}
END_TEST

START_TEST(its_signal_can_be_another_one)
{
	struct prof_alarm alarm;
	pid_t child = start(&alarm, MS);

	if (!child)
		return;
	ck_assert(prof_alarm_use(&alarm, SIGWINCH));
	int64_t began = prof_clock();
	prof_alarm_switch(&alarm, true);
	meet(child, &alarm, began);
	prof_alarm_close(&alarm);
	children_end();
}
END_TEST

START_TEST(a_signal_of_another_origin_is_not_of_an_alarm)
{
	siginfo_t info = {.si_signo = SIGURG, .si_code = POLL_HUP};

	/* A descriptor of the program's, which has asked for SIGURG itself. */
	info.si_fd = 5;
	ck_assert(!prof_alarm_is_one(&info));
	info.si_fd = 5000;
	ck_assert(prof_alarm_is_one(&info));
	info.si_code = SI_TKILL;
	ck_assert(!prof_alarm_is_one(&info));
}
END_TEST

START_TEST(no_alarm_is_to_be_had_for_a_thread_that_is_gone)
{
	struct prof_alarm alarm;
	pid_t child = child_start(child_sleep);

	children_end();
	ck_assert(!prof_alarm_open(&alarm, child, SIGURG, MS));
	ck_assert_int_lt(alarm.fd, 0);
	prof_alarm_switch(&alarm, true);
	ck_assert(!alarm.on);
	ck_assert(!prof_alarm_rung(&alarm));
}
END_TEST

RUN_TESTS("alarm", it_rings_once_when_its_thread_has_run_for_a_period,
	one_that_has_rung_is_silent_until_it_is_set, one_that_stands_still_keeps_what_is_left,
	its_signal_can_be_another_one, a_signal_of_another_origin_is_not_of_an_alarm,
	no_alarm_is_to_be_had_for_a_thread_that_is_gone)
