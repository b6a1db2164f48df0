/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tracer with nothing around it: what a silent stop costs at the least, and what its parts cost.
 *
 *	floor bare RATE PROGRAM ARGUMENT...	resumes the program at each stop, and does no more
 *	floor sample RATE PROGRAM ARGUMENT...	samples it as the engine does, with a clock at hand
 *
 * Both print how often it was stopped; the second the medians, in ns, of what it did at a stop, and
 * what a frame takes in the walk: a line "NAME VALUE" for each.
 */
#include "base/clock.h"
#include "recording/queue.h"
#include "sampling/watch.h"
#include "target/maps.h"
#include "target/process.h"
#include "target/unwind.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	SECOND = 1000000000,
	MOST = 65536, /* stops */
	DEPTH = 256,
	ROUNDS = 2000, /* walks of the same stack */
	COLD = 20,     /* first walks of it */
	STEP = 61,     /* bytes from one address of code to the next */
	ROWS = 20000,  /* addresses at most */
	SETTLED = 50,  /* stops, before the walk is looked at */
};

enum { SCHEDSTAT, SIGINFO, REGISTERS, MEMORY, WALK, RESUME, QUEUE, STEPS };

static const char *const step_names[STEPS] = {
	[SCHEDSTAT] = "schedstat",
	[SIGINFO] = "getsiginfo",
	[REGISTERS] = "registers",
	[MEMORY] = "memory",
	[WALK] = "walk",
	[RESUME] = "resume",
	[QUEUE] = "queue",
};

static pid_t child;
static long rate;
static atomic_bool outstanding, quit;

/* What was measured. */
static long steps[STEPS][MOST];
static size_t stops;

/* The program's memory, with a clock. */
static struct {
	struct prof_process process;
	struct prof_target target;
	int64_t spent; /* ns */
} memory;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "floor: %s\n", what);
	exit(1);
}

static void check(struct prof_error *error)
{
	if (error)
		fail(prof_error_message(error));
}

static size_t read_memory(void *context, uint64_t address, void *buffer, size_t length)
{
	int64_t begin = prof_clock();
	size_t got = memory.target.read_memory(memory.target.context, address, buffer, length);

	(void)context;
	memory.spent += prof_clock() - begin;
	return got;
}

static const struct prof_target clocked = {.read_memory = read_memory};

static void *tick(void *context)
{
	int64_t due = prof_clock();

	while (!quit) {
		due += SECOND / rate;
		if (due < prof_clock())
			due = prof_clock();
		const struct timespec until = {due / SECOND, due % SECOND};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		if (atomic_exchange(&outstanding, true))
			continue;
		if (syscall(SYS_tgkill, child, child, SIGURG))
			break;
	}
	return context;
}

static int compare(const void *a, const void *b)
{
	long x = *(const long *)a;
	long y = *(const long *)b;

	return (x > y) - (x < y);
}

static double median(long *values, size_t count)
{
	qsort(values, count, sizeof *values, compare);
	return count ? (double)values[count / 2] : 0;
}

/* The first walk of a stack by an unwinder that knows nothing yet, and its frames. */
static void walk_cold(const struct prof_registers *registers)
{
	uint64_t frames[DEPTH];
	enum prof_stack_end end;
	long took[COLD];

	for (size_t i = 0; i < COLD; i++) {
		struct prof_unwinder *unwinder;
		int64_t begin = prof_clock();
		check(prof_unwinder_create(child, &clocked, &unwinder));
		prof_unwinder_walk(unwinder, registers, frames, DEPTH, &end);
		took[i] = prof_clock() - begin;
		prof_unwinder_destroy(unwinder);
	}
	printf("first-walk %.0f\n", median(took, COLD));
}

/* Rules for addresses that were never seen, all over the program's code. */
static void compile_rows(const struct prof_registers *registers)
{
	struct prof_unwinder *unwinder;
	struct prof_registers at = *registers;
	enum prof_stack_end end;
	uint64_t frames[1];
	size_t rows = 0;

	check(prof_unwinder_create(child, &clocked, &unwinder));
	prof_unwinder_walk(unwinder, registers, frames, 1, &end);
	const struct prof_maps *maps = prof_unwinder_maps(unwinder);
	int64_t begin = prof_clock();
	for (size_t i = 0; i < maps->mappings.count && rows < ROWS; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		if (mapping->path[0] != '/')
			continue;
		for (at.pc = mapping->low; at.pc < mapping->high && rows < ROWS; at.pc += STEP) {
			prof_unwinder_walk(unwinder, &at, frames, 0, &end);
			rows++;
		}
	}
	printf("cold-row %.0f\n", (double)(prof_clock() - begin) / (double)rows);
	prof_unwinder_destroy(unwinder);
}

/* The same stack again and again, less the time to read its memory. */
static void walk_warm(struct prof_unwinder *unwinder, const struct prof_registers *registers)
{
	uint64_t frames[DEPTH];
	enum prof_stack_end end;
	size_t depth = 0;
	long pure[ROUNDS];
	long all[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		int64_t begin = prof_clock();
		memory.spent = 0;
		depth = prof_unwinder_walk(unwinder, registers, frames, DEPTH, &end);
		all[i] = prof_clock() - begin;
		pure[i] = all[i] - memory.spent;
	}
	if (end != PROF_STACK_WHOLE)
		fail("a stack was not walked to its end");
	printf("frames %zu\n", depth);
	printf("warm-walk %.0f\n", median(all, ROUNDS));
	printf("warm-frame %.1f\n", median(pure, ROUNDS) / (double)depth);
}

/* Samples the program, which is stopped, and resumes it. */
static void sample(
	struct prof_unwinder *unwinder, struct prof_watch *watch, struct prof_queue *queue)
{
	struct prof_registers registers;
	uint64_t frames[DEPTH];
	enum prof_stack_end end;
	int64_t clock[STEPS + 1];
	siginfo_t info;

	memory.spent = 0;
	clock[SCHEDSTAT] = prof_clock();
	struct prof_schedstat schedstat = prof_watch_schedstat(watch);
	clock[SIGINFO] = prof_clock();
	ptrace(PTRACE_GETSIGINFO, child, NULL, &info);
	clock[REGISTERS] = prof_clock();
	check(prof_process_registers(child, &registers));
	clock[MEMORY] = clock[WALK] = prof_clock();
	size_t depth = prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end);
	clock[RESUME] = prof_clock();
	if (stops == SETTLED) {
		walk_warm(unwinder, &registers);
		walk_cold(&registers);
		compile_rows(&registers);
		clock[RESUME] = prof_clock();
	}
	ptrace(PTRACE_CONT, child, NULL, NULL);
	clock[QUEUE] = prof_clock();
	struct prof_message message = {
		.kind = PROF_MESSAGE_LOOK,
		.size = (uint32_t)(depth * sizeof *frames),
		.look = {.time = clock[SCHEDSTAT],
			.thread = child,
			.spent = {[PROF_STATE_USER] = schedstat.run},
			.depth = (uint32_t)depth},
	};
	const void *data;
	prof_queue_put(queue, &message, frames);
	clock[STEPS] = prof_clock();
	prof_queue_take(queue, &message, &data);
	for (size_t i = 0; i < STEPS; i++)
		steps[i][stops] = clock[i + 1] - clock[i];
	steps[MEMORY][stops] = memory.spent;
	steps[WALK][stops] -= memory.spent;
}

/* Meets every stop of the program until it ends. */
static void trace(bool sampling)
{
	struct prof_unwinder *unwinder = NULL;
	struct prof_queue *queue = NULL;
	struct prof_watch watch;
	pthread_t ticker;
	sigset_t all, before;
	int status;

	if (sampling) {
		prof_process_init(&memory.process, child);
		memory.target = prof_process_target(&memory.process);
		check(prof_unwinder_create(child, &clocked, &unwinder));
		check(prof_queue_create(1 << 20, &queue));
		prof_watch_init(&watch, child, child, prof_clock());
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&ticker, NULL, tick, NULL))
		fail("no thread can be started");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	ptrace(PTRACE_CONT, child, NULL, NULL);
	while (waitpid(child, &status, __WALL) == child && WIFSTOPPED(status)) {
		if (WSTOPSIG(status) != SIGURG || stops == MOST) {
			ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)WSTOPSIG(status));
			continue;
		}
		if (sampling)
			sample(unwinder, &watch, queue);
		else
			ptrace(PTRACE_CONT, child, NULL, NULL);
		stops++;
		outstanding = false;
	}
	quit = true;
	pthread_join(ticker, NULL);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail("the program failed");
	if (sampling) {
		prof_watch_deinit(&watch);
		prof_queue_destroy(queue);
		prof_unwinder_destroy(unwinder);
	}
}

int main(int argc, char **argv)
{
	bool sampling = argc > 1 && !strcmp(argv[1], "sample");
	int status;

	rate = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
	if (rate < 1 || (!sampling && strcmp(argv[1], "bare") != 0)) {
		fprintf(stderr, "usage: floor bare|sample RATE PROGRAM ARGUMENT...\n");
		return 1;
	}
	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[3], argv + 3);
		_exit(127);
	}
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		fail("the program cannot be traced");
	trace(sampling);
	if (stops <= SETTLED)
		fail("the program was hardly stopped");
	printf("stops %zu\n", stops);
	for (size_t i = 0; i < STEPS && sampling; i++)
		printf("%s %.0f\n", step_names[i], median(steps[i], stops));
	return 0;
}
