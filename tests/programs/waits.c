/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that fall asleep in all the ways that a signal may cut short: short bursts of work, so
 * that a sampler often comes in the moment of falling asleep, and calls that wait a little.
 *
 *	waits [CALLS]	until each way has been gone so often; prints each way's name, its calls,
 *			how many of them failed with EINTR, and with what should not be, or
 *			"unavailable" where the kernel has no io_uring for us
 *
 * SIGTERM ends it before.
 */
#include <errno.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct message {
	long type;
	char text[8];
};

static const struct timespec soon = {.tv_nsec = 200000};
static volatile sig_atomic_t over;
static volatile unsigned long sink;
static int events, semaphore, messages, sockets[2], pipes[2], ring;

static long wait_epoll(void)
{
	struct epoll_event event;

	return epoll_wait(events, &event, 1, 1);
}

static long wait_semaphore(void)
{
	struct sembuf take = {.sem_op = -1};

	return syscall(SYS_semtimedop, semaphore, &take, 1, &soon);
}

static long wait_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return sigtimedwait(&set, NULL, &soon);
}

static long wait_socket(void)
{
	char byte;

	return recv(sockets[0], &byte, 1, 0);
}

static long wait_poll(void)
{
	return poll(NULL, 0, 1);
}

static long wait_time(void)
{
	return nanosleep(&soon, NULL);
}

static long wait_pipe(void)
{
	char byte;

	return read(pipes[0], &byte, 1);
}

static long wait_message(void)
{
	struct message message;

	return msgrcv(messages, &message, sizeof message.text, 0, 0);
}

static long wait_ring(void)
{
	struct io_uring_getevents_arg argument = {.ts = (uintptr_t)&soon};

	return syscall(SYS_io_uring_enter, ring, 0, 1,
		IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &argument, sizeof argument);
}

static struct way {
	const char *name;
	long (*wait)(void);
	unsigned long calls, interrupted, failed;
} ways[] = {
	{"epoll_wait", wait_epoll, 0, 0, 0},
	{"semtimedop", wait_semaphore, 0, 0, 0},
	{"sigtimedwait", wait_signal, 0, 0, 0},
	{"recv", wait_socket, 0, 0, 0},
	{"poll", wait_poll, 0, 0, 0},
	{"nanosleep", wait_time, 0, 0, 0},
	{"read", wait_pipe, 0, 0, 0},
	{"msgrcv", wait_message, 0, 0, 0},
	{"io_uring_enter", wait_ring, 0, 0, 0},
};
enum { WAYS = sizeof ways / sizeof *ways };

static bool is_there(const struct way *way)
{
	return way->wait != wait_ring || ring >= 0;
}

static void *work(void *argument)
{
	struct way *way = argument;
	unsigned seed = (unsigned)(way - ways) + 1;

	while (!over) {
		for (int i = rand_r(&seed) % 20000; i; i--)
			sink++;
		if (way->wait() < 0) {
			way->interrupted += errno == EINTR;
			way->failed += errno != EINTR && errno != EAGAIN && errno != ETIME;
		}
		__atomic_fetch_add(&way->calls, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* Killed, it would leave its semaphores and messages behind. */
static void end(int number)
{
	over = number;
}

/* Gives those who wait for input some. */
static void feed(void)
{
	struct message message = {.type = 1};

	if (write(pipes[1], "", 1) < 0 ||
		msgsnd(messages, &message, sizeof message.text, IPC_NOWAIT) < 0)
		perror("feed");
	nanosleep(&soon, NULL);
}

static void prepare(void)
{
	struct io_uring_params params = {0};
	struct timeval timeout = {.tv_usec = 1000};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	events = epoll_create1(0);
	semaphore = semget(IPC_PRIVATE, 1, 0600);
	messages = msgget(IPC_PRIVATE, 0600);
	ring = (int)syscall(SYS_io_uring_setup, 1, &params);
	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) ||
		setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout))
		perror("prepare");
}

int main(int argc, char **argv)
{
	unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	pthread_t threads[WAYS];

	signal(SIGTERM, end);
	prepare();
	for (int i = 0; i < WAYS; i++) {
		if (is_there(&ways[i]))
			pthread_create(&threads[i], NULL, work, &ways[i]);
	}
	for (int i = 0; i < WAYS; i++) {
		while (is_there(&ways[i]) && !over &&
			__atomic_load_n(&ways[i].calls, __ATOMIC_RELAXED) < calls)
			feed();
	}
	over = 1;
	feed();
	for (int i = 0; i < WAYS; i++) {
		if (!is_there(&ways[i])) {
			printf("%s unavailable\n", ways[i].name);
			continue;
		}
		pthread_join(threads[i], NULL);
		printf("%s %lu %lu %lu\n", ways[i].name, ways[i].calls, ways[i].interrupted,
			ways[i].failed);
	}
	semctl(semaphore, 0, IPC_RMID);
	msgctl(messages, IPC_RMID, NULL);
	return 0;
}
