/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/packet.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static unsigned int checksum(const char *bytes, size_t size)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += (unsigned char)bytes[i];
	return sum & 0xff;
}

bool packet_find(const char *data, size_t size, struct packet *ret)
{
	size_t begin = 0;

	while (begin < size && data[begin] != '$' && data[begin] != '%')
		begin++;
	if (begin == size)
		return false;
	const char *end = memchr(data + begin, '#', size - begin);
	if (!end || (size_t)(end - data) + 3 > size)
		return false;
	*ret = (struct packet){
		.body = data + begin + 1,
		.length = (size_t)(end - data) - begin - 1,
		.is_notification = data[begin] == '%',
		.end = (size_t)(end - data) + 3,
	};
	return true;
}

/* The text of PACKET's stop report, "T00...", which follows "Stop:" in a notification. */
static const char *report(const struct packet *packet, size_t *length)
{
	static const char name[] = "Stop:";
	size_t skip = packet->is_notification ? sizeof name - 1 : 0;

	if (packet->length < skip || memcmp(packet->body, name, skip) != 0)
		return NULL;
	*length = packet->length - skip;
	return packet->body + skip;
}

/*
 * Expands the repetitions of TEXT, "0*!" for "00000", into COPY, as far as there is room; adds a
 * NUL.
 */
static void expand(const char *text, size_t length, char *copy, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < length && count + 1 < room; i++) {
		if (text[i] != '*' || !count || i + 1 == length) {
			copy[count++] = text[i];
			continue;
		}
		for (int n = text[++i] - 29; n > 0 && count + 1 < room; n--, count++)
			copy[count] = copy[count - 1];
	}
	copy[count] = '\0';
}

bool packet_is_stop(const struct packet *packet, struct packet_thread *ret)
{
	size_t length;
	const char *text = report(packet, &length);
	char copy[1024];

	if (!text || length < 3 || *text != 'T')
		return false;
	expand(text, length, copy, sizeof copy);
	/* It is the first field, which follows the signal's two digits, or follows others. */
	const char *thread = strstr(copy, "thread:p");
	return thread && (thread == copy + 3 || (thread > copy && thread[-1] == ';')) &&
		sscanf(thread, "thread:p%" SCNx64 ".%" SCNx64, &ret->process, &ret->thread) == 2;
}

bool packet_is_quiet(const struct packet *packet)
{
	size_t length;
	const char *text = report(packet, &length);

	return text && length >= 3 && !memcmp(text, "T00", 3);
}

size_t packet_find_thread(const char *text, size_t size, struct packet_thread *ret)
{
	char copy[PACKET_THREAD];

	for (size_t i = 0; i + 2 < size; i++) {
		size_t left = size - i;
		if (memcmp(text + i, ":p", 2) != 0)
			continue;
		left = left < sizeof copy ? left : sizeof copy - 1;
		memcpy(copy, text + i, left);
		copy[left] = '\0';
		if (sscanf(copy, ":p%" SCNx64 ".%" SCNx64, &ret->process, &ret->thread) == 2)
			return i + 2;
	}
	return 0;
}

void packet_set_signal(char *data, const struct packet *packet, unsigned int signal)
{
	size_t length;
	size_t at = (size_t)(report(packet, &length) - data);
	size_t body = (size_t)(packet->body - data);
	char digits[3];

	snprintf(digits, sizeof digits, "%02x", signal & 0xff);
	memcpy(data + at + 1, digits, 2);
	snprintf(digits, sizeof digits, "%02x", checksum(packet->body, packet->length));
	memcpy(data + body + packet->length + 1, digits, 2);
}

/* Is LETTER, which may be NUL, one of LETTERS? */
static bool is_one_of(char letter, const char *letters)
{
	return letter && strchr(letters, letter);
}

/* Does DATA, a packet of GDB's, begin with NAME? */
static bool begins(const char *data, size_t size, const char *name)
{
	return size > strlen(name) && !memcmp(data, name, strlen(name));
}

bool packet_resumes(const char *data, size_t size)
{
	if (begins(data, size, "$vCont;"))
		return !begins(data, size, "$vCont;t");
	if (size < 5 || data[0] != '$' || data[size - 3] != '#')
		return false;
	/* For targets without vCont: $c#63, $s#73, $C02#a5, $S02#b5. */
	return (size == 5 && is_one_of(data[1], "cs")) || (size == 7 && is_one_of(data[1], "CS"));
}

bool packet_stops(const char *data, size_t size)
{
	return begins(data, size, "$vCont;t");
}

/* Is the action TEXT for THREAD?  One that names no thread is for all. */
static bool is_for(const char *text, size_t size, const struct packet_thread *thread)
{
	struct packet_thread named;

	if (!memchr(text, ':', size))
		return true;
	return packet_find_thread(text, size, &named) && named.process == thread->process &&
		(named.thread == thread->thread || named.thread == -1);
}

char packet_action(const char *data, size_t size, const struct packet_thread *thread)
{
	const char *end = begins(data, size, "$vCont;") ? memchr(data, '#', size) : NULL;
	const char *action = end ? memchr(data, ';', (size_t)(end - data)) : NULL;

	while (action) {
		const char *next = memchr(action + 1, ';', (size_t)(end - action - 1));
		if (is_for(action, (size_t)((next ? next : end) - action), thread))
			return action[1];
		action = next;
	}
	return 0;
}

bool packet_detaches(const char *data, size_t size, int64_t *process)
{
	char copy[PACKET_THREAD] = "";

	if (!begins(data, size, "$D") || (data[2] != ';' && data[2] != '#'))
		return false;
	memcpy(copy, data, size < sizeof copy ? size : sizeof copy - 1);
	if (sscanf(copy, "$D;%" SCNx64, process) != 1)
		*process = 0;
	return true;
}

bool packet_is_report(const struct packet *packet)
{
	return !packet->is_notification && packet->length >= 3 && is_one_of(*packet->body, "TSWXN");
}

size_t packet_stop(char *data, const struct packet_thread *thread)
{
	int length = snprintf(data, PACKET_THREAD + 10, "$vCont;t:p%" PRIx64 ".%" PRIx64,
		thread->process, thread->thread);

	return (size_t)(length +
		snprintf(data + length, 4, "#%02x", checksum(data + 1, (size_t)length - 1)));
}

size_t packet_read(char *data, uint64_t address, size_t size)
{
	int length = snprintf(data, PACKET_READ - 4, "$m%" PRIx64 ",%zx", address, size);

	return (size_t)(length +
		snprintf(data + length, 4, "#%02x", checksum(data + 1, (size_t)length - 1)));
}

bool packet_bytes(const char *text, unsigned char *bytes, size_t size)
{
	unsigned int byte;

	if (strlen(text) != 2 * size || text[strspn(text, "0123456789abcdefABCDEF")])
		return false;
	for (size_t i = 0; i < size; i++) {
		if (sscanf(text + 2 * i, "%2x", &byte) != 1)
			return false;
		bytes[i] = (unsigned char)byte;
	}
	return true;
}
