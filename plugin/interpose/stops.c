/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/stops.h"

#include "base/memory.h"
#include "plugin/interpose/answer.h"
#include "plugin/interpose/packet.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { PACKET_ROOM = 4096 };

struct stop {
	struct packet_thread thread;
	bool is_reported; /* GDB has read that it was met */
};

/* GDB has one connection that is sampled, so there is only one of these. */
static struct {
	PROF_ARRAY(struct stop) items; /* stops that were asked for, and not met yet */
	PROF_ARRAY(struct packet_thread)
	theirs; /* stops that GDB has asked for, and that did not come */
	bool all_theirs;
	unsigned int signal;
} stops;

/* Sends DATA, and waits for the answer.  False: it is not OK. */
static bool send_all(int file, const char *data, size_t size)
{
	char answer[8];

	return send(file, data, size, MSG_NOSIGNAL) == (ssize_t)size &&
		answer_await(file, strlen("OK"), answer, sizeof answer) && !strcmp(answer, "OK");
}

static bool is_same(const struct packet_thread *a, const struct packet_thread *b)
{
	return a->process == b->process && a->thread == b->thread;
}

static struct stop *find(const struct packet_thread *thread)
{
	for (size_t i = 0; i < stops.items.count; i++) {
		struct stop *stop = &stops.items.items[i];
		if (is_same(&stop->thread, thread))
			return stop;
	}
	return NULL;
}

static bool is_theirs(const struct packet_thread *thread)
{
	bool found = stops.all_theirs;

	for (size_t i = 0; i < stops.theirs.count && !found; i++)
		found = is_same(&stops.theirs.items[i], thread);
	return found;
}

/* GDB does not wait for a stop of THREAD, or no longer does. */
static void give_up(const struct packet_thread *thread)
{
	for (size_t i = stops.theirs.count; i-- > 0;) {
		if (is_same(&stops.theirs.items[i], thread))
			stops.theirs.items[i] = stops.theirs.items[--stops.theirs.count];
	}
}

bool stops_ask(int file, const struct packet_thread *thread, unsigned int signal)
{
	char data[2 * PACKET_THREAD];

	stops.signal = signal;
	if (is_theirs(thread))
		return true;
	if (answer_is_owed() || !prof_array_reserve(&stops.items, 1))
		return false;
	struct stop *stop = find(thread);
	if (!stop)
		stop = &stops.items.items[stops.items.count++];
	*stop = (struct stop){.thread = *thread};
	return send_all(file, data, packet_stop(data, thread));
}

static void drop(struct stop *stop)
{
	*stop = stops.items.items[--stops.items.count];
}

/* Lets GDB stop THREAD: a stop that was asked for before becomes GDB's. */
static void heed_stop(const struct packet_thread *thread)
{
	struct stop *stop = find(thread);

	if (stop && !stop->is_reported)
		drop(stop);
	give_up(thread);
	if (prof_array_reserve(&stops.theirs, 1))
		stops.theirs.items[stops.theirs.count++] = *thread;
}

static void heed_stop_of_all(void)
{
	for (size_t i = stops.items.count; i-- > 0;) {
		if (!stops.items.items[i].is_reported)
			drop(&stops.items.items[i]);
	}
	stops.all_theirs = true;
}

void stops_heed(const char *data, size_t size)
{
	bool resumes = packet_resumes(data, size);
	struct packet_thread thread;
	bool named = false;

	if (!resumes && !packet_stops(data, size))
		return;
	if (resumes)
		stops.all_theirs = false;
	for (size_t at = 0, next; (next = packet_find_thread(data + at, size - at, &thread));
		at += next) {
		named = thread.thread != -1;
		if (named && resumes)
			give_up(&thread);
		else if (named)
			heed_stop(&thread);
	}
	if (!resumes && !named)
		heed_stop_of_all();
}

bool stops_owes(const struct packet_thread *thread)
{
	return find(thread);
}

void stops_met(const struct packet_thread *thread)
{
	struct stop *stop = find(thread);

	if (stop)
		drop(stop);
}

bool stops_expected(void)
{
	return stops.items.count || stops.theirs.count || answer_is_owed();
}

/*
 * Is GDB about to read, for the first time, the report of a stop of THREAD that was asked for?
 * Notes that it has.
 */
static bool report(const struct packet_thread *thread)
{
	struct stop *stop = find(thread);

	if (!stop || stop->is_reported)
		return false;
	stop->is_reported = true;
	return true;
}

/* Changes what GDB is about to read.  Returns the size of the whole packets in it. */
static size_t disguise(char *data, size_t size)
{
	struct packet packet;
	struct packet_thread thread;
	size_t end = 0;

	for (; packet_find(data + end, size - end, &packet); end += packet.end) {
		if (packet_is_stop(&packet, &thread)) {
			if (packet_is_quiet(&packet) && report(&thread))
				packet_set_signal(data + end, &packet, stops.signal);
			give_up(&thread);
		} else {
			answer_hide(data + end, &packet);
		}
	}
	return end;
}

/* The number of bytes that can be read from FILE up to the end of a packet, if there is one. */
static ssize_t measure(int file, char *data, size_t size, int flags)
{
	struct packet packet;
	ssize_t got, before = -1;

	/* What comes too slowly stays unchanged. */
	while ((got = recv(file, data, size, flags | MSG_PEEK)) > 0 && got != before) {
		size_t end = 0;
		while (packet_find(data + end, (size_t)got - end, &packet))
			end += packet.end;
		if (end)
			return (ssize_t)end;
		bool begun = memchr(data, '$', (size_t)got) || memchr(data, '%', (size_t)got);
		if (!begun || (size_t)got == size)
			break;
		poll(NULL, 0, 10);
		before = got;
	}
	return got;
}

ssize_t stops_receive(int file, char *data, size_t size, int flags)
{
	ssize_t length = measure(file, data, size, flags);

	if (length <= 0)
		return length;
	length = recv(file, data, (size_t)length, flags);
	if (length > 0)
		disguise(data, (size_t)length);
	return length;
}

/* Reads the report of a stop.  False: it does not come. */
static bool read_report(int file, struct packet *report, char *data, size_t room)
{
	size_t size = 0;

	while (size < room && answer_is_readable(file)) {
		ssize_t got = recv(file, data + size, room - size, MSG_DONTWAIT);
		if (got <= 0)
			return false;
		size += (size_t)got;
		for (size_t end = 0; packet_find(data + end, size - end, report);
			end += report->end) {
			if (packet_is_report(report))
				return true;
		}
	}
	return false;
}

void stops_await(int file)
{
	static const char go_on[] = "$vCont;c#a8";
	static const char interrupt[] = "\003";
	char data[PACKET_ROOM];
	struct packet report;
	size_t size = sizeof go_on - 1;

	if (send(file, go_on, size, MSG_NOSIGNAL) != (ssize_t)size)
		return;
	/* It has been lost: the target must be stopped, if it still exists. */
	if (!read_report(file, &report, data, sizeof data) &&
		send(file, interrupt, 1, MSG_NOSIGNAL) == 1)
		read_report(file, &report, data, sizeof data);
}

void stops_forget(void)
{
	free(stops.items.items);
	free(stops.theirs.items);
	memset(&stops, 0, sizeof stops);
	answer_forget();
}
