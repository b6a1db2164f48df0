/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work that is counted rather than timed: ROUNDS times the same, for a tool that counts
 * instructions.  The difference of two runs, divided by that of their rounds, is what one takes.
 *
 *	count walk ROUNDS	walks a stack of some 20 frames, with all rules known
 *	count queue ROUNDS	puts a sample of it into the queue, and takes it out
 *	count record ROUNDS	adds it to an experiment
 *
 * Prints how often memory was asked for in all of them, "allocations NUMBER".
 */
#include "model/experiment.h"
#include "recording/queue.h"
#include "recording/experiment_builder.h"
#include "target/process.h"
#include "target/unwind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { LEVELS = 18, DEPTH = 64, WARM = 100 };

static size_t allocations;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	allocations++;
	return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	allocations++;
	return __libc_realloc(memory, size);
}

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "count: %s\n", what);
	exit(1);
}

static void check(struct prof_error *error)
{
	if (error)
		fail(prof_error_message(error));
}

/* What the unwinder takes for the registers of a thread that is in CONTEXT. */
static struct prof_registers from_context(const ucontext_t *context)
{
	struct prof_registers ret = {0};
#if defined(__x86_64__)
	static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP,
		REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		ret.value[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
	ret.valid = (UINT64_C(1) << sizeof order / sizeof *order) - 1;
	ret.pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	memcpy(ret.value, context->uc_mcontext.regs, 31 * sizeof *ret.value);
	ret.value[31] = context->uc_mcontext.sp;
	ret.valid = (UINT64_C(1) << 32) - 1;
	ret.pc = context->uc_mcontext.pc;
#else
	(void)context;
	fail("the registers of this machine are not known here");
#endif
	return ret;
}

struct count {
	long rounds;
	void (*once)(struct count *count);
	struct prof_process process;
	struct prof_target target;
	struct prof_unwinder *unwinder;
	struct prof_registers registers;
	uint64_t frames[DEPTH];
	size_t depth;
	struct prof_queue *queue;
	struct prof_experiment_builder builder;
	int64_t time;
};

static void walk(struct count *count)
{
	enum prof_stack_end end;

	count->depth =
		prof_unwinder_walk(count->unwinder, &count->registers, count->frames, DEPTH, &end);
	if (end != PROF_STACK_WHOLE || count->depth < LEVELS)
		fail("the stack was not walked to its end");
}

static struct prof_message next_record(struct count *count)
{
	count->time += 1000000;
	return (struct prof_message){
		.kind = PROF_MESSAGE_LOOK,
		.size = (uint32_t)(count->depth * sizeof *count->frames),
		.look = {.time = count->time,
			.thread = 1,
			.spent = {[PROF_STATE_USER] = 1000000},
			.samples = 1,
			.depth = (uint32_t)count->depth},
	};
}

static void queue(struct count *count)
{
	struct prof_message message = next_record(count);
	const void *data;

	if (!prof_queue_put(count->queue, &message, count->frames) ||
		!prof_queue_take(count->queue, &message, &data))
		fail("the queue lost a message");
}

static void record(struct count *count)
{
	struct prof_message message = next_record(count);

	check(prof_experiment_builder_add(&count->builder, &message, count->frames));
}

__attribute__((noinline)) static void repeat(struct count *count, long rounds)
{
	for (long i = 0; i < rounds; i++)
		count->once(count);
}

/* At the innermost of LEVELS calls: its context stays true as long as it has not returned. */
__attribute__((noinline)) static int measure(struct count *count)
{
	ucontext_t context;

	if (getcontext(&context))
		fail("there is no context");
	count->registers = from_context(&context);
	walk(count);
	repeat(count, WARM);
	size_t before = allocations;
	repeat(count, count->rounds);
	printf("allocations %zu\n", allocations - before);
	return 0;
}

__attribute__((noinline)) static int descend(struct count *count, int level)
{
	int result = level < LEVELS ? descend(count, level + 1) : measure(count);

	__asm__ volatile("" : "+r"(result));
	return result + 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*once)(struct count *count);
	} kinds[] = {{"walk", walk}, {"queue", queue}, {"record", record}};
	struct count count = {.rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && count.rounds > 0; i++) {
		if (!strcmp(argv[1], kinds[i].name))
			count.once = kinds[i].once;
	}
	if (!count.once) {
		fprintf(stderr, "usage: count walk|queue|record ROUNDS\n");
		return 1;
	}
	prof_process_init(&count.process, getpid());
	count.target = prof_process_target(&count.process);
	check(prof_unwinder_create(getpid(), &count.target, &count.unwinder));
	check(prof_queue_create(1 << 20, &count.queue));
	check(prof_experiment_create(&count.builder.experiment));
	descend(&count, 1);
	prof_unwinder_destroy(count.unwinder);
	prof_queue_destroy(count.queue);
	struct prof_experiment *experiment = count.builder.experiment;
	prof_experiment_builder_deinit(&count.builder);
	prof_experiment_destroy(experiment);
	return 0;
}
