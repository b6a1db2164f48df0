/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A connection to a target, which the test plays, and a clock that nobody waits for. */
#ifndef PROF_TESTS_TARGET_END_H
#define PROF_TESTS_TARGET_END_H

#include "suite.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The two ends: GDB's, and the target's. */
static struct {
	int gdb, target;
	const char *const *late; /* what the target sends while somebody waits; it ends with NULL */
	int interruptions;       /* how often a signal ends a wait */
} connection;

static inline void connect_target(void)
{
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	connection.gdb = ends[0];
	connection.target = ends[1];
}

static inline void target_sends_bytes(const char *bytes, size_t size)
{
	ck_assert_int_eq(send(connection.target, bytes, size, MSG_NOSIGNAL), size);
}

static inline void target_sends(const char *text)
{
	target_sends_bytes(text, strlen(text));
}

/* The target sends TEXTS, one whenever somebody waits, and nothing more. */
#define TARGET_SENDS_LATE(...)                                           \
	do {                                                             \
		static const char *const texts_[] = {__VA_ARGS__, NULL}; \
		connection.late = texts_;                                \
	} while (0)

static inline void target_hangs_up(void)
{
	ck_assert_int_eq(close(connection.target), 0);
}

/* What can be read from FILE now must be TEXT. */
static inline void check_readable(int file, const char *text)
{
	char data[1024];
	ssize_t got = recv(file, data, sizeof data - 1, MSG_DONTWAIT);

	ck_assert(got >= 0 || errno == EAGAIN);
	data[got > 0 ? got : 0] = '\0';
	ck_assert_str_eq(data, text);
}

/* The target must have got TEXT, and nothing else; "": nothing. */
static inline void check_target_got(const char *text)
{
	check_readable(connection.target, text);
}

/* GDB can read TEXT, which nobody has changed; "": nothing. */
static inline void check_left_for_gdb(const char *text)
{
	check_readable(connection.gdb, text);
}

/* The function in place of which this stands; a test may give it another name before. */
#ifndef TARGET_END_POLL
#define TARGET_END_POLL poll
#endif

/*
 * In place of the C library's, for what is linked into the test: who waits gets what comes late, or
 * has waited in vain, at once.  So nothing depends on how busy the machine is.
 */
int TARGET_END_POLL(struct pollfd *files, nfds_t count, int timeout)
{
	(void)timeout;
	if (connection.interruptions > 0) {
		connection.interruptions--;
		errno = EINTR;
		return -1;
	}
	if (connection.late && *connection.late)
		target_sends(*connection.late++);
	return ppoll(files, count, &(struct timespec){0}, NULL);
}

#endif
