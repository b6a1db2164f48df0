/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A server's own account of its CPU time: this library is preloaded, and adds up what the main
 * thread needs in read(), write(), epoll_wait(), and between them.  The file that the environment
 * variable ACCOUNT names gets the sums, see struct account, and has them while the server runs.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { CALIBRATION = 10000 };

enum call { OTHER, READ, WRITE, EPOLL, CALLS };

struct account {
	uint64_t cost; /* ps that one look at the clock takes */
	struct {
		uint64_t times, ns;
	} calls[CALLS]; /* each with one look at the clock */
};

static struct account *account;
static uint64_t last;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("ACCOUNT");
	int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (file < 0 || ftruncate(file, sizeof *account))
		return;
	void *map = mmap(NULL, sizeof *account, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (map == MAP_FAILED)
		return;
	uint64_t before = now();
	for (int i = 0; i < CALIBRATION; i++)
		now();
	last = now();
	account = map;
	account->cost = (last - before) * 1000 / CALIBRATION;
}

static bool is_main(void)
{
	static _Thread_local bool asked, main;

	if (!asked)
		main = gettid() == getpid();
	asked = true;
	return main;
}

/* What the calling thread did until now was CALL. */
static void add(enum call call)
{
	if (!account || !is_main())
		return;
	uint64_t time = now();
	account->calls[call].times++;
	account->calls[call].ns += time - last;
	last = time;
}

#define WRAP(call, result, name, parameters, arguments)                       \
	result name parameters                                                \
	{                                                                     \
		static result(*next) parameters;                              \
		if (!next)                                                    \
			next = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
		add(OTHER);                                                   \
		result done = next arguments;                                 \
		add(call);                                                    \
		return done;                                                  \
	}

WRAP(READ, ssize_t, read, (int file, void *bytes, size_t size), (file, bytes, size))
WRAP(WRITE, ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size))
WRAP(EPOLL, int, epoll_wait, (int epoll, struct epoll_event *events, int most, int timeout),
	(epoll, events, most, timeout))
