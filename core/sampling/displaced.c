/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/displaced.h"

#include "base/memory.h"
#include "sampling/perf_ring.h"
#include "sampling/walker.h"
#include "target/arch.h"
#include "target/unwind.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * Steps: GDB takes 0.1 ms and more for one, and samples are read some hundredths of a
	 * second after they were taken, and some tenths on a busy machine.
	 */
	KEPT = 4096,
	/* Bytes: neither an instruction nor what GDB executes in its place is longer. */
	LONGEST = 16,
	/* Places of breakpoints that threads were sampled at. */
	PLACES = 256,
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
	/* Where samples have found breakpoints; likewise. */
	uint64_t places[PLACES];
	size_t place_count;
	void (*undo)(struct prof_registers *registers);
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

/* The last step that THREAD began by TIME, or NULL.  The caller holds the lock. */
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
	displaced->place_count = 0;
	pthread_mutex_unlock(&displaced->lock);
}

void prof_displaced_set_undo(
	struct prof_displaced *displaced, void (*undo)(struct prof_registers *registers))
{
	pthread_mutex_lock(&displaced->lock);
	displaced->undo = undo;
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

/* Is there a breakpoint at ADDRESS, whether it is inserted at the moment or not? */
static bool has_breakpoint(
	struct prof_displaced *displaced, struct prof_walker *walker, uint64_t address)
{
	const struct prof_arch *arch = prof_arch_native();
	bool known = false;

	if (!arch || !arch->breakpoint)
		return false;
	bool inserted = prof_walker_broken(walker, address, arch->breakpoint);
	pthread_mutex_lock(&displaced->lock);
	for (size_t i = 0; i < displaced->place_count && i < PLACES && !known; i++)
		known = displaced->places[i] == address;
	if (inserted && !known)
		displaced->places[displaced->place_count++ % PLACES] = address;
	pthread_mutex_unlock(&displaced->lock);
	return inserted || known;
}

/*
 * A thread whose program counter is one behind a breakpoint has met it, and executes what is there
 * later, or has executed that and goes on.  A sample can be read before the host has learnt of
 * either.  If the instruction is executed where it is, the breakpoint is not inserted meanwhile.
 *
 * Changes the program counter in REGISTERS to the likelier one, and returns the other one.
 */
static uint64_t choose_side(struct prof_displaced *displaced, const struct step *last,
	struct prof_walker *walker, struct prof_registers *registers)
{
	uint64_t behind = registers->pc, place = behind - 1;

	if (!has_breakpoint(displaced, walker, place))
		return 0;
	/* It has passed the one that it met last. */
	if (place == last->from)
		return place;
	registers->pc = place;
	return behind;
}

uint64_t prof_displaced_undo(struct prof_displaced *displaced, pid_t thread, int64_t time,
	struct prof_walker *walker, const struct prof_copy *copy, struct prof_registers *registers)
{
	if (!displaced)
		return 0;
	pthread_mutex_lock(&displaced->lock);
	const struct step *found = find(displaced, thread, time);
	const struct step step = found ? *found : (struct step){0};
	void (*undo)(struct prof_registers *) = displaced->undo;
	pthread_mutex_unlock(&displaced->lock);
	if (undo)
		undo(registers);
	uint64_t pc = registers->pc;
	if (step.end > time && pc - step.to < (step.trap ? 1 : LONGEST)) {
		registers->pc += step.from - step.to;
		/* It may have gone on from the same place, and met the breakpoint only then. */
		return step.trap ? pc : 0;
	}
	if (copy && step.end <= time)
		return choose_side(displaced, &step, walker, registers);
	if (copy && !step.trap)
		go_back(&step, walker, copy, registers);
	return 0;
}

void prof_displaced_walk(struct prof_displaced *displaced, struct prof_walker *walker,
	struct prof_perf_record *record, struct prof_stack *stack)
{
	struct prof_registers *registers = &record->registers;
	uint64_t other = prof_displaced_undo(
		displaced, record->thread, record->time, walker, &record->stack, registers);

	uint64_t pcs[] = {registers->pc, other, registers->pc};
	size_t count = other ? PROF_COUNT(pcs) : 1;
	for (size_t i = 0; i < count; i++) {
		registers->pc = pcs[i];
		prof_walker_walk_copy(walker, registers, &record->stack, stack);
		if (stack->end != PROF_STACK_FAILED)
			return;
	}
}
