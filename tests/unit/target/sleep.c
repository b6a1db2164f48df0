/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sleeping threads, walked without stopping them: from the stack pointer and the program counter
 * that /proc tells, and held against a walk of the same thread, stopped, with all registers.
 */
#include "target_child.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>

/* How compilers make code: what keeps a frame pointer, and what has none. */
#ifdef __clang__
#define UNOPTIMIZED __attribute__((noinline, optnone))
#define FRAMED KEPT
#else
#define UNOPTIMIZED __attribute__((noinline, optimize("O0")))
#define FRAMED __attribute__((noinline, optimize("no-omit-frame-pointer")))
#endif

/*
 * The frames of instrumented functions are full of what calls of the sanitizer's have left, and a
 * scan can be misled: with it, only what the walk does to memory is of interest.
 */
#ifdef __SANITIZE_ADDRESS__
enum { INSTRUMENTED = true };
#else
enum { INSTRUMENTED = false };
#endif

/* Functions need not be known here to be fallen asleep in. */
static void (*volatile fall_asleep)(void);

static KEPT void sleep_for_time(void)
{
	const struct timespec time = {.tv_sec = 1000};

	nanosleep(&time, NULL);
	sink++;
}

static KEPT void sleep_on_futex(void)
{
	static int word;

	syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
	sink++;
}

static KEPT void sleep_on_condition(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&mutex);
	pthread_cond_wait(&condition, &mutex);
	sink++;
}

static int open_pipe(void)
{
	int ends[2];

	return pipe(ends) ? -1 : ends[0];
}

static KEPT void sleep_in_read(void)
{
	char byte;

	sink += (int)read(open_pipe(), &byte, 1);
}

static KEPT void sleep_in_poll(void)
{
	struct pollfd file = {.fd = open_pipe(), .events = POLLIN};

	sink += poll(&file, 1, -1);
}

static KEPT void sleep_in_epoll(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int set = epoll_create1(0);

	epoll_ctl(set, EPOLL_CTL_ADD, open_pipe(), &event);
	sink += epoll_wait(set, &event, 1, -1);
}

static void (*const waits[])(void) = {sleep_for_time, sleep_on_futex, sleep_on_condition,
	sleep_in_read, sleep_in_poll, sleep_in_epoll};

static UNOPTIMIZED void wait_unoptimized(void)
{
	fall_asleep();
	sink++;
}

static FRAMED void wait_framed(void)
{
	fall_asleep();
	sink++;
}

static KEPT void wait_plain(void)
{
	fall_asleep();
	sink++;
}

/* A frame of any size takes a frame pointer whatever the options. */
static KEPT void wait_wide(void)
{
	size_t size = (size_t)sink % 100 + 300;
	char *bytes = __builtin_alloca(size);

	memset(bytes, 1, size);
	fall_asleep();
	sink += bytes[7];
}

static UNOPTIMIZED void wait_deeper(void)
{
	char bytes[5000];

	memset(bytes, 1, sizeof bytes);
	CALL(wait_wide);
	sink += bytes[17];
}

static FRAMED void wait_deep(void)
{
	CALL(wait_deeper);
	sink++;
}

static void (*const codes[])(void) = {
	wait_unoptimized, wait_framed, wait_plain, wait_wide, wait_deeper, wait_deep};

static volatile unsigned chosen_code;

static void wait_in_handler(int signal)
{
	(void)signal;
	codes[chosen_code]();
	sink++;
}

static KEPT void run_plain(void)
{
	codes[chosen_code]();
	sink++;
}

static KEPT void run_in_called_handler(void)
{
	struct sigaction action = {.sa_handler = wait_in_handler};

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	sink++;
}

/* The code itself is the handler: no call is before what it returns to. */
static void (*find_handler(void))(int)
{
	union {
		void (*code)(void);
		void (*handler)(int);
	} both = {codes[chosen_code]};

	return both.handler;
}

static KEPT void run_in_handler(void)
{
	struct sigaction action = {.sa_handler = find_handler()};

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	sink++;
}

static KEPT void run_on_other_stack(void)
{
	handle_elsewhere(SIGUSR1, find_handler());
	raise(SIGUSR1);
	sink++;
}

static KEPT void run_in_coroutine(void)
{
	switch_to(codes[chosen_code]);
}

static KEPT void run_called_in_coroutine(void)
{
	switch_to(run_plain);
}

static void *run_thread(void *argument)
{
	run_plain();
	return argument;
}

static KEPT void run_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run_thread, NULL);
	pthread_join(thread, NULL);
}

static void (*const places[])(void) = {run_plain, run_in_called_handler, run_in_handler,
	run_on_other_stack, run_in_coroutine, run_called_in_coroutine, run_in_thread};

/*
 * What /proc tells of THREAD in REGISTERS.  False: it does not sleep in a system call, or it is one
 * that a process that was just forked makes, before it comes to the test.
 */
static bool read_sleeper(pid_t process, pid_t thread, struct prof_registers *registers)
{
	char path[64], text[256];
	unsigned long number, words[8];

	snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", (int)process, (int)thread);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	/* Its number, six arguments, the stack pointer and the program counter. */
	if (sscanf(text, "%lu %lx %lx %lx %lx %lx %lx %lx %lx", &number, words, words + 1,
		    words + 2, words + 3, words + 4, words + 5, words + 6, words + 7) != 9)
		return false;
	*registers = (struct prof_registers){.pc = words[7], .valid = UINT64_C(1) << RSP};
	registers->value[RSP] = words[6];
	registers->value[RBP] = 0x5555; /* not known */
	return true;
}

/* Waits until THREAD sleeps, and sleeps on. */
static void await_sleep(pid_t process, pid_t thread, struct prof_registers *registers)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct prof_registers before;

	for (unsigned i = 0; i < 20000; i++) {
		bool sleeps = read_sleeper(process, thread, &before);
		nanosleep(&moment, NULL);
		if (sleeps && read_sleeper(process, thread, registers) &&
			!memcmp(&before, registers, sizeof before))
			return;
	}
	ck_abort_msg("thread %d does not sleep", (int)thread);
}

/* Walks THREAD of CHILD both ways; WHAT is named if they are not the same. */
static void compare_walks(struct child *child, pid_t thread, const char *what)
{
	struct prof_registers sparse, full;
	struct stack asleep, stopped;
	int status;

	await_sleep(child->pid, thread, &sparse);
	walk_registers(child, &sparse, &asleep);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, thread, NULL, NULL), 0);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, thread, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(thread, &status, __WALL), thread);
	ck_assert_ok(prof_process_registers(thread, &full));
	walk_registers(child, &full, &stopped);
	ck_assert_int_eq(ptrace(PTRACE_DETACH, thread, NULL, NULL), 0);
	if (INSTRUMENTED)
		return;
	ck_assert_msg(stopped.end == PROF_STACK_WHOLE, "%s: stopped, the walk fails after %zu",
		what, stopped.count);
	ck_assert_msg(asleep.end == PROF_STACK_WHOLE, "%s: asleep, the walk fails after %zu of %zu",
		what, asleep.count, stopped.count);
	ck_assert_msg(asleep.count == stopped.count, "%s: %zu frames of %zu", what, asleep.count,
		stopped.count);
	for (size_t i = 0; i < asleep.count; i++)
		ck_assert_msg(asleep.frames[i] == stopped.frames[i], "%s: frame %zu of %zu", what,
			i, asleep.count);
}

/* The threads of PROCESS; at most COUNT. */
static size_t list_threads(pid_t process, pid_t *threads, size_t count)
{
	char command[64];
	size_t found = 0;
	int thread;

	snprintf(command, sizeof command, "ls /proc/%d/task", (int)process);
	FILE *list = popen(command, "r");
	while (list && found < count && fscanf(list, "%d", &thread) == 1)
		threads[found++] = thread;
	if (list)
		pclose(list);
	return found;
}

/* Falls asleep in each of the waits in turn, in code CODE at PLACE. */
static void check_place(size_t place, size_t code)
{
	for (size_t wait = 0; wait < PROF_COUNT(waits); wait++) {
		struct child child;
		pid_t threads[2];
		char what[64];
		bool threaded = places[place] == run_in_thread;

		child.pid = fork();
		if (!child.pid) {
			fall_asleep = waits[wait];
			chosen_code = (unsigned)code;
			CALL(places[place]);
			_exit(0);
		}
		prof_process_init(&child.process, child.pid);
		child.target = prof_process_target(&child.process);
		ck_assert_ok(prof_unwinder_create(child.pid, &child.target, &child.unwinder));
		snprintf(what, sizeof what, "place %zu, code %zu, wait %zu", place, code, wait);
		threads[0] = child.pid;
		while (threaded && list_threads(child.pid, threads, 2) < 2)
			;
		for (size_t i = 0; i <= threaded; i++)
			compare_walks(&child, threads[i], what);
		finish(&child);
	}
}

static void check_all(size_t place)
{
	for (size_t code = 0; code < PROF_COUNT(codes); code++)
		check_place(place, code);
}

START_TEST(a_sleeping_program_is_walked_without_stopping_it)
{
	check_all(0);
}
END_TEST

START_TEST(so_is_one_that_sleeps_in_a_signal_handler)
{
	check_all(1);
	check_all(2);
}
END_TEST

START_TEST(so_is_one_on_an_alternate_stack)
{
	check_all(3);
}
END_TEST

START_TEST(so_is_one_in_a_coroutine)
{
	check_all(4);
	check_all(5);
}
END_TEST

START_TEST(so_is_one_in_a_thread)
{
	check_all(6);
}
END_TEST

enum { PYTHONS = 5 };

/* Does THREAD of PROCESS sleep?  TEXT gets its schedstat, which changes whenever it has a CPU. */
static bool read_rest(pid_t process, pid_t thread, char text[64])
{
	struct prof_registers registers;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)process, (int)thread);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	memset(text, 0, 64);
	ck_assert_int_gt(read(fd, text, 63), 0);
	close(fd);
	return read_sleeper(process, thread, &registers);
}

/*
 * Waits until all THREADS of PROCESS rest where they were sent to: one that waits for Python's own
 * lock asks for it every 5 ms.
 */
static void await_rest(pid_t process, const pid_t *threads)
{
	const struct timespec moment = {.tv_nsec = 20000000};
	char before[PYTHONS][64], after[PYTHONS][64];
	bool rest;

	do {
		rest = true;
		for (size_t i = 0; i < PYTHONS; i++)
			rest &= read_rest(process, threads[i], before[i]);
		nanosleep(&moment, NULL);
		for (size_t i = 0; i < PYTHONS; i++)
			rest &= read_rest(process, threads[i], after[i]) &&
				!strcmp(before[i], after[i]);
	} while (!rest);
}

/* Code of others: threads of Python, which wait for locks, for time and for input. */
START_TEST(so_is_a_program_of_the_distribution)
{
	static char script[] = "import threading, time, os, select\n"
			       "lock = threading.Lock()\n"
			       "lock.acquire()\n"
			       "ends = os.pipe()\n"
			       "for run in (lambda: time.sleep(1000), lambda: lock.acquire(),\n"
			       "            lambda: os.read(ends[0], 1),\n"
			       "            lambda: select.select([ends[0]], [], [])):\n"
			       "    threading.Thread(target=run, daemon=True).start()\n"
			       "time.sleep(1000)\n";
	static char path[] = "/usr/bin/python3";
	static char option[] = "-c";
	static char *const arguments[] = {path, option, script, NULL};
	struct child child;
	pid_t threads[PYTHONS];

	if (access(path, X_OK))
		return;
	child.pid = fork();
	if (!child.pid) {
		execv(path, arguments);
		_exit(127);
	}
	prof_process_init(&child.process, child.pid);
	child.target = prof_process_target(&child.process);
	while (list_threads(child.pid, threads, PYTHONS) < PYTHONS)
		ck_assert_int_eq(waitpid(child.pid, NULL, WNOHANG), 0);
	await_rest(child.pid, threads);
	ck_assert_ok(prof_unwinder_create(child.pid, &child.target, &child.unwinder));
	for (size_t i = 0; i < PYTHONS; i++)
		compare_walks(&child, threads[i], "a thread of Python");
	finish(&child);
}
END_TEST

RUN_TESTS("sleep", a_sleeping_program_is_walked_without_stopping_it,
	so_is_one_that_sleeps_in_a_signal_handler, so_is_one_on_an_alternate_stack,
	so_is_one_in_a_coroutine, so_is_one_in_a_thread, so_is_a_program_of_the_distribution)
