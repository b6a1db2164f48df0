/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/displaced.h"

#include "target/arch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * Steps: GDB takes 0.1 ms and more for one, and samples are read some hundredths of a
	 * second after they were taken.
	 */
	KEPT = 1024,
	/* Bytes: neither an instruction nor what GDB executes in its place is longer. */
	LONGEST = 16,
};

/* During a step, the instruction at FROM is executed at TO. */
struct step {
	pid_t thread;
	uint64_t from, to;
	int64_t begin, end;
	bool trap; /* the step over a breakpoint, which ends at TO */
};

struct prof_displaced {
	pthread_mutex_t lock;
	struct step steps[KEPT]; /* the steps of a thread in order; number I is at I % KEPT */
	size_t count;            /* of all that ever were */
};

struct prof_error *prof_displaced_create(struct prof_displaced **ret)
{
	struct prof_displaced *displaced = calloc(1, sizeof *displaced);

	if (!displaced)
		return prof_error_nomem();
	pthread_mutex_init(&displaced->lock, NULL);
	*ret = displaced;
	return NULL;
}

void prof_displaced_destroy(struct prof_displaced *displaced)
{
	if (!displaced)
		return;
	pthread_mutex_destroy(&displaced->lock);
	free(displaced);
}

/* The last step that THREAD began before TIME, or NULL.  The caller holds the lock. */
static struct step *find(struct prof_displaced *displaced, pid_t thread, int64_t time)
{
	size_t last = displaced->count < KEPT ? 0 : displaced->count - KEPT;

	for (size_t i = displaced->count; i-- > last;) {
		struct step *step = &displaced->steps[i % KEPT];
		if (step->thread == thread && step->begin <= time)
			return step;
	}
	return NULL;
}

/* The caller holds the lock. */
static void add(struct prof_displaced *displaced, const struct step *step)
{
	displaced->steps[displaced->count++ % KEPT] = *step;
}

/* Ends the step of THREAD.  False: there is none.  The caller holds the lock. */
static bool end(struct prof_displaced *displaced, pid_t thread, int64_t time)
{
	struct step *step = find(displaced, thread, time);
	bool open = step && step->end > time;

	if (open)
		step->end = time;
	return open;
}

void prof_displaced_begin(
	struct prof_displaced *displaced, pid_t thread, uint64_t from, uint64_t to, int64_t time)
{
	const struct step step = {thread, from, to, time, INT64_MAX, false};

	pthread_mutex_lock(&displaced->lock);
	end(displaced, thread, time);
	add(displaced, &step);
	pthread_mutex_unlock(&displaced->lock);
}

void prof_displaced_trap(
	struct prof_displaced *displaced, pid_t thread, uint64_t from, uint64_t to, int64_t time)
{
	pthread_mutex_lock(&displaced->lock);
	end(displaced, thread, time);
	const struct step *last = find(displaced, thread, time);
	const struct step step = {thread, from, to, last ? last->end : 0, time, true};
	add(displaced, &step);
	pthread_mutex_unlock(&displaced->lock);
}

bool prof_displaced_end(struct prof_displaced *displaced, pid_t thread, int64_t time)
{
	pthread_mutex_lock(&displaced->lock);
	bool open = end(displaced, thread, time);
	pthread_mutex_unlock(&displaced->lock);
	return open;
}

void prof_displaced_forget(struct prof_displaced *displaced)
{
	if (!displaced)
		return;
	pthread_mutex_lock(&displaced->lock);
	displaced->count = 0;
	pthread_mutex_unlock(&displaced->lock);
}

/* Does the word at the stack pointer, in COPY, point behind the instruction at STEP's place? */
static bool has_called(const struct step *step, const struct prof_copy *copy)
{
	uint64_t word;

	if (copy->length < sizeof word)
		return false;
	memcpy(&word, copy->bytes, sizeof word);
	return word - step->to - 1 < LONGEST;
}

/* Is the instruction at STEP's breakpoint a return? */
static bool returns(
	const struct step *step, struct prof_walker *walker, const struct prof_arch *arch)
{
	unsigned char code[PROF_ARCH_RETURN];

	return prof_walker_code(walker, step->from, code, sizeof code) && arch->is_return(code);
}

/*
 * The thread has left the place of STEP.  The target of a relative jump is unknown without decoding
 * it, so the thread is shown as about to jump, or to call.  A return goes to its true target.
 */
static void go_back(const struct step *step, struct prof_walker *walker,
	const struct prof_copy *copy, struct prof_registers *registers)
{
	const struct prof_arch *arch = prof_arch_native();

	if (!arch || !arch->is_return || returns(step, walker, arch))
		return;
	registers->pc = step->from;
	if (has_called(step, copy))
		registers->value[arch->sp] += sizeof(uint64_t);
}

/*
 * A sample can be read before the host has learnt that its thread has met a breakpoint: its program
 * counter is one behind the breakpoint then.  Except for the breakpoint of LAST, which the thread
 * has passed.
 */
static void leave_breakpoint(
	const struct step *last, struct prof_walker *walker, struct prof_registers *registers)
{
	const struct prof_arch *arch = prof_arch_native();
	uint64_t place = registers->pc - 1;

	if (arch && arch->breakpoint && place != last->from &&
		prof_walker_broken(walker, place, arch->breakpoint))
		registers->pc = place;
}

void prof_displaced_undo(struct prof_displaced *displaced, pid_t thread, int64_t time,
	struct prof_walker *walker, const struct prof_copy *copy, struct prof_registers *registers)
{
	if (!displaced)
		return;
	pthread_mutex_lock(&displaced->lock);
	const struct step *found = find(displaced, thread, time);
	const struct step step = found ? *found : (struct step){0};
	pthread_mutex_unlock(&displaced->lock);
	if (step.end > time && registers->pc - step.to < (step.trap ? 1 : LONGEST))
		registers->pc += step.from - step.to;
	else if (copy && step.end <= time)
		leave_breakpoint(&step, walker, registers);
	else if (copy && !step.trap)
		go_back(&step, walker, copy, registers);
}
