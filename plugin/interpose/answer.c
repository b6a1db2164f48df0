/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/answer.h"

#include "plugin/interpose/packet.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

/* ms: for how long to wait for the target's answer, and for the rest of a packet. */
enum { PATIENCE = 1000 };
enum { PEEK_ROOM = 65536 };

/* GDB has one connection that is sampled, so there is only one of these. */
static struct {
	bool is_owed;
	size_t length; /* bytes of the answer, unless it is an error, or empty: the target does not
			  know the command */
} owed;

bool answer_is_readable(int file)
{
	struct pollfd wanted = {.fd = file, .events = POLLIN};
	int count;

	/* A Ctrl-C that comes here is GDB's, which has noted it. */
	do
		count = poll(&wanted, 1, PATIENCE);
	while (count < 0 && errno == EINTR);
	return count == 1;
}

/* Finds the first answer in DATA, and the offset behind it; notifications may precede it. */
static bool find(const char *data, size_t size, struct packet *answer, size_t *end)
{
	for (*end = 0; packet_find(data + *end, size - *end, answer);) {
		*end += answer->end;
		if (!answer->is_notification)
			return true;
	}
	return false;
}

/* Copies ANSWER, as far as there is room. */
static void copy(const struct packet *answer, char *text, size_t room)
{
	size_t length = answer->length < room ? answer->length : room - 1;

	memcpy(text, answer->body, length);
	text[length] = '\0';
}

bool answer_await(int file, size_t length, char *text, size_t room)
{
	char data[PEEK_ROOM];
	struct packet answer;
	size_t end;

	owed.is_owed = true;
	owed.length = length;
	for (int i = 0; i < PATIENCE && answer_is_readable(file); i++) {
		ssize_t got = recv(file, data, sizeof data, MSG_PEEK | MSG_DONTWAIT);
		if (got <= 0 || got == sizeof data)
			return false;
		if (!find(data, (size_t)got, &answer, &end)) {
			poll(NULL, 0, 1); /* for the rest of it */
			continue;
		}
		copy(&answer, text, room);
		/* Takes it out of the socket if nothing precedes it. */
		if (answer.end == end)
			owed.is_owed = recv(file, data, end, 0) != (ssize_t)end;
		return true;
	}
	return false;
}

bool answer_is_owed(void)
{
	return owed.is_owed;
}

void answer_hide(char *data, const struct packet *packet)
{
	bool fits = !packet->length || packet->length == owed.length || *packet->body == 'E';

	if (!owed.is_owed || packet->is_notification || !fits)
		return;
	memset(data, '+', packet->end);
	owed.is_owed = false;
}

void answer_forget(void)
{
	owed.is_owed = false;
}
