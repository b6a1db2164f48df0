/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/wire.h"

#include "base/clock.h"
#include "plugin/interpose/answer.h"
#include "plugin/interpose/packet.h"
#include "plugin/interpose/slot.h"
#include "plugin/interpose/stops.h"
#include "plugin/interpose/stub.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef int poll_function(struct pollfd *files, nfds_t count, int timeout);
typedef ssize_t send_function(int file, const void *data, size_t size, int flags);
typedef ssize_t write_function(int file, const void *data, size_t size);
typedef ssize_t recv_function(int file, void *data, size_t size, int flags);
typedef ssize_t read_function(int file, void *data, size_t size);

enum { POLL, SEND, WRITE, RECV, READ, HOOKS };

static const char INTERRUPT = '\003';

/* GDB calls the functions in its slots without a context, so there is only one of these. */
static struct {
	struct slot slots[HOOKS];
	poll_function *next_poll;             /* the functions that ours replace */
	const struct wire_listener *listener; /* NULL: the slots are unchanged */
	pthread_t host;
	int file; /* on which wire a target was last continued; negative: unknown */
	int stub; /* the program at its other end, see stub.h; negative: another one */
	bool is_socket;
	bool acknowledges; /* GDB acknowledges each packet, and the other end waits for that */
} wire = {.file = -1, .stub = -1};

static bool is_heard(void)
{
	return wire.listener && pthread_equal(pthread_self(), wire.host);
}

/* The ms for poll() until TIME, at most TIMEOUT; negative: for ever. */
static int limit(int timeout, int64_t time, int64_t begin)
{
	int64_t left = time - begin;

	if (left < 0)
		left = 0;
	left = left / PROF_NS_PER_MS + (left % PROF_NS_PER_MS != 0);
	return timeout >= 0 && timeout < left ? timeout : left > 60000 ? 60000 : (int)left;
}

void wire_forget(void)
{
	if (wire.stub >= 0)
		close(wire.stub);
	wire.file = -1;
	wire.stub = -1;
	wire.acknowledges = false;
	stops_forget();
}

static bool is_stream(int file)
{
	int type;
	socklen_t size = sizeof type;

	return !getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_STREAM;
}

static void learn(int file)
{
	if (file == wire.file)
		return;
	wire_forget();
	wire.file = file;
	wire.stub = stub_open(file);
	wire.is_socket = is_stream(file);
}

/*
 * A target that was already running: of the FILES that GDB waits for, the only connection leads to
 * it.
 */
static void guess(const struct pollfd *files, nfds_t count)
{
	union {
		struct sockaddr any;
		struct sockaddr_storage all;
	} other;
	int found = -1;
	int connections = 0;

	for (nfds_t i = 0; i < count; i++) {
		socklen_t size = sizeof other;
		if (files[i].fd <= STDERR_FILENO || !is_stream(files[i].fd) ||
			getpeername(files[i].fd, &other.any, &size))
			continue;
		found = files[i].fd;
		connections++;
	}
	if (connections == 1)
		learn(found);
}

static int hooked_poll(struct pollfd *files, nfds_t count, int timeout)
{
	poll_function *original = wire.next_poll;

	while (is_heard()) {
		if (wire.file < 0)
			guess(files, count);
		int64_t next = wire.listener->wait(timeout != 0);
		int64_t begin = prof_clock();
		if (next < 0)
			return 0; /* FILES may be missing: GDB removes them and adds them again */
		if (!timeout || next == INT64_MAX)
			break;
		int result = original(files, count, limit(timeout, next, begin));
		if (result)
			return result;
		if (timeout > 0) {
			int64_t spent = (prof_clock() - begin) / PROF_NS_PER_MS;
			if (spent >= timeout)
				return 0;
			timeout -= (int)spent;
		}
	}
	return original(files, count, timeout);
}

/*
 * GDB detaches, if DATA says so.  A tick under way would end the program, once it has no debugger.
 */
static void hear_detach(int file, const char *data, size_t size)
{
	int64_t process;

	if (packet_detaches(data, size, &process) && wire.listener->detach(process) &&
		wire.is_socket && !wire.acknowledges)
		stops_await(file);
}

/* GDB sends DATA.  False: it must not be sent. */
static bool hear(int file, const char *data, size_t size)
{
	if (size == 1 && file == wire.file && *data == INTERRUPT) {
		if (!wire.listener->interrupt())
			return false;
		return wire.stub < 0 || !stub_interrupt(wire.stub);
	}
	if (size == 1 && file == wire.file && *data == '+')
		wire.acknowledges = true;
	if (file == wire.file) {
		stops_heed(data, size);
		hear_detach(file, data, size);
	}
	if (packet_resumes(data, size)) {
		learn(file);
		wire.listener->resume(data, size);
	}
	return true;
}

static ssize_t hooked_send(int file, const void *data, size_t size, int flags)
{
	send_function *original = (send_function *)wire.slots[SEND].function;

	if (is_heard() && !hear(file, data, size))
		return (ssize_t)size;
	return original(file, data, size, flags);
}

/* Pipes and serial lines use write(). */
static ssize_t hooked_write(int file, const void *data, size_t size)
{
	write_function *original = (write_function *)wire.slots[WRITE].function;

	if (is_heard() && file > STDERR_FILENO && !hear(file, data, size))
		return (ssize_t)size;
	return original(file, data, size);
}

static ssize_t hooked_recv(int file, void *data, size_t size, int flags)
{
	recv_function *original = (recv_function *)wire.slots[RECV].function;

	if (is_heard() && file == wire.file && stops_expected())
		return stops_receive(file, data, size, flags);
	return original(file, data, size, flags);
}

/* Pipes are sockets, too. */
static ssize_t hooked_read(int file, void *data, size_t size)
{
	read_function *original = (read_function *)wire.slots[READ].function;

	if (is_heard() && file == wire.file && wire.is_socket && stops_expected())
		return stops_receive(file, data, size, 0);
	return original(file, data, size);
}

static const struct hook hooks[HOOKS] = {
	[POLL] = {"poll", (void *)hooked_poll},
	[SEND] = {"send", (void *)hooked_send},
	[WRITE] = {"write", (void *)hooked_write},
	[RECV] = {"recv", (void *)hooked_recv},
	[READ] = {"read", (void *)hooked_read},
};

struct prof_error *wire_available(void)
{
	return slots_check(hooks, HOOKS);
}

struct prof_error *wire_open(const struct wire_listener *listener)
{
	wire_close();
	wire.host = pthread_self();
	struct prof_error *error = slots_open(hooks, wire.slots, HOOKS);
	if (!error) {
		wire.next_poll = (poll_function *)slot_next(&wire.slots[POLL]);
		wire.listener = listener;
	}
	return error;
}

void wire_close(void)
{
	if (!wire.listener)
		return;
	slots_close(wire.slots, HOOKS);
	wire.listener = NULL;
	wire_forget();
}

bool wire_interrupt(void)
{
	if (wire.file < 0)
		return false;
	if (wire.stub >= 0)
		return stub_interrupt(wire.stub);
	if (send(wire.file, &INTERRUPT, 1, MSG_NOSIGNAL) == 1)
		return true;
	return errno == ENOTSOCK && write(wire.file, &INTERRUPT, 1) == 1;
}

bool wire_read(uint64_t address, unsigned char *bytes, size_t size)
{
	char data[PACKET_READ], answer[2 * WIRE_READ + 1];
	bool asked = wire.file >= 0 && wire.is_socket && !wire.acknowledges && !answer_is_owed();
	size_t length = packet_read(data, address, size);

	return asked && send(wire.file, data, length, MSG_NOSIGNAL) == (ssize_t)length &&
		answer_await(wire.file, 2 * size, answer, sizeof answer) &&
		packet_bytes(answer, bytes, size);
}

bool wire_owes(void)
{
	return answer_is_owed();
}

bool wire_stop(const struct packet_thread *thread, unsigned int signal)
{
	return wire.file >= 0 && wire.is_socket && !wire.acknowledges &&
		stops_ask(wire.file, thread, signal);
}
