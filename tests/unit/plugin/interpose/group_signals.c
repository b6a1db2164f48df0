/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals from this process, from its parent, and from a process that is neither. */
#include "plugin/interpose/group_signals.h"

#include "suite.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int handled;
static int notes;

static void on_signal(int signal)
{
	atomic_store(&handled, signal);
}

/* Handles SIGNAL as a host does, before its signals are ignored. */
static void begin(int signal)
{
	const struct sigaction action = {.sa_handler = on_signal};
	int ends[2];

	ck_assert_int_eq(sigaction(signal, &action, NULL), 0);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
	notes = ends[0];
	group_signals_ignore(ends[1]);
	ck_assert_int_eq(fcntl(ends[1], F_GETFD), FD_CLOEXEC);
}

/* A child of this process, and so not its parent, sends SIGNAL. */
static void send(int signal)
{
	pid_t host = getpid();
	pid_t other = fork();

	if (!other)
		_exit(kill(host, signal));
	ck_assert_int_eq(waitpid(other, NULL, 0), other);
}

/* The number of the signal that was noted; 0: none. */
static int noted(void)
{
	unsigned char note = 0;

	return read(notes, &note, sizeof note) == sizeof note ? note : 0;
}

START_TEST(signals_of_others_are_noted_and_ignored)
{
	begin(SIGTERM);
	send(SIGTERM);
	ck_assert_int_eq(noted(), SIGTERM);
	send(SIGUSR1);
	ck_assert_int_eq(noted(), SIGUSR1);
	ck_assert_int_eq(atomic_load(&handled), 0);
}
END_TEST

START_TEST(its_own_signals_are_handled_as_before)
{
	begin(SIGTERM);
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(atomic_load(&handled), SIGTERM);
	ck_assert_int_eq(noted(), 0);
	atomic_store(&handled, 0);
	raise(SIGTERM);
	ck_assert_int_eq(atomic_load(&handled), SIGTERM);
}
END_TEST

START_TEST(those_of_its_parent_are_too)
{
	int told[2];
	char byte = 0;

	ck_assert_int_eq(pipe(told), 0);
	pid_t host = fork();
	if (!host) {
		begin(SIGHUP);
		ck_assert_int_eq(write(told[1], &byte, 1), 1);
		while (!atomic_load(&handled))
			pause();
		_exit(atomic_load(&handled) == SIGHUP && !noted() ? 0 : 1);
	}
	int status = 0;
	ck_assert_int_eq(read(told[0], &byte, 1), 1);
	for (pid_t ended = 0; !ended; ended = waitpid(host, &status, WNOHANG)) {
		kill(host, SIGHUP);
		usleep(1000);
	}
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(interrupts_are_noted_and_ignored_while_they_are_blocked)
{
	sigset_t interrupt;
	int note = 0;

	begin(SIGINT);
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &interrupt, NULL), 0);
	send(SIGINT);
	while (!note) {
		usleep(1000);
		note = noted();
	}
	ck_assert_int_eq(note, SIGINT);
	ck_assert_int_eq(pthread_sigmask(SIG_UNBLOCK, &interrupt, NULL), 0);
	ck_assert_int_eq(atomic_load(&handled), 0);
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &interrupt, NULL), 0);
	kill(getpid(), SIGINT);
	ck_assert_int_eq(atomic_load(&handled), 0);
	ck_assert_int_eq(pthread_sigmask(SIG_UNBLOCK, &interrupt, NULL), 0);
	while (!atomic_load(&handled))
		usleep(1000);
	ck_assert_int_eq(atomic_load(&handled), SIGINT);
	ck_assert_int_eq(noted(), 0);
}
END_TEST

RUN_TESTS("group_signals", signals_of_others_are_noted_and_ignored,
	its_own_signals_are_handled_as_before, those_of_its_parent_are_too,
	interrupts_are_noted_and_ignored_while_they_are_blocked)
