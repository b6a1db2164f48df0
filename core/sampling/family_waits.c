/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/family_waits.h"

#include "base/clock.h"
#include "model/state.h"
#include "recording/look.h"
#include "sampling/budget.h"
#include "sampling/family.h"
#include "sampling/layout.h"
#include "sampling/off_cpu.h"
#include "sampling/walker.h"
#include "target/arch.h"
#include "target/process.h"
#include "target/wait.h"

#include <stdlib.h>

/* ns between two looks, at least. */
static const int64_t LEAST = 20000000;

/*
 * Bytes of a stack: most sleeping threads need less than the first number, and few more than the
 * second.
 */
enum { COPY = 1 << 13, COPY_MOST = 1 << 18 };

struct prof_family_waits {
	struct prof_family_waits_options options;
	const struct prof_arch *arch;
	struct prof_stack stack;
	unsigned char *copy; /* room for COPY_MOST bytes */
	double due;          /* samples that waits stand for, and that were not reported */
	int64_t next;        /* when to look at the family again, ns of CLOCK_MONOTONIC */
	int64_t unseen;      /* ns */
	int64_t ahead; /* ns of CPU time of ended threads: how much more they had by samples than
			  they lived since the last look */
};

struct prof_error *prof_family_waits_create(
	const struct prof_family_waits_options *options, struct prof_family_waits **ret)
{
	struct prof_family_waits *waits = calloc(1, sizeof *waits);

	if (!waits)
		return prof_error_nomem();
	waits->options = *options;
	waits->arch = prof_arch_native();
	waits->copy = malloc(COPY_MOST);
	struct prof_error *error = waits->copy ? prof_stack_init(&waits->stack, options->max_depth)
					       : prof_error_nomem();
	if (error)
		prof_family_waits_destroy(waits);
	else
		*ret = waits;
	return error;
}

void prof_family_waits_destroy(struct prof_family_waits *waits)
{
	if (!waits)
		return;
	prof_stack_deinit(&waits->stack);
	free(waits->copy);
	free(waits);
}

int prof_family_waits_due(const struct prof_family_waits *waits)
{
	int64_t left = waits->next - prof_clock();

	return left > 0 ? (int)(left / PROF_NS_PER_MS) + 1 : 0;
}

int64_t prof_family_waits_unseen(const struct prof_family_waits *waits)
{
	return waits->unseen;
}

/*
 * Copies SIZE bytes of the stack of THREAD, or as many as there are, and walks it.  False: it needs
 * more.
 */
static bool walk_copy(struct prof_family_waits *waits, struct prof_member_thread *thread,
	struct prof_layout *layout, size_t size)
{
	const struct prof_wait *wait = &thread->off_cpu.wait;
	const struct prof_registers registers = prof_walker_asleep(wait->sp, wait->pc);
	struct prof_process process;

	prof_process_init(&process, thread->member->process);
	struct prof_target target = prof_process_target(&process);
	struct prof_copy copy = {.address = wait->sp, .bytes = waits->copy};
	copy.length = target.read_memory(target.context, wait->sp, waits->copy, size);
	prof_layout_walk(layout, &registers, &copy, &waits->stack);
	return !copy.exceeded || copy.length < size;
}

/* Walks the stack of THREAD, which sleeps.  A thread that woke up meanwhile has none. */
static void walk(struct prof_family_waits *waits, struct prof_member_thread *thread,
	struct prof_layout *layout)
{
	prof_stack_empty(&waits->stack);
	if (!layout || !thread->off_cpu.wait.sp)
		return;
	if (!walk_copy(waits, thread, layout, COPY))
		walk_copy(waits, thread, layout, COPY_MOST);
	if (!prof_off_cpu_stays(&thread->off_cpu, thread->member->process, thread->thread))
		prof_stack_empty(&waits->stack);
}

/* How many samples NS of waits stand for; the fraction is kept for the next ones. */
static uint32_t take_samples(struct prof_family_waits *waits, int64_t ns)
{
	if (!waits->options.wall)
		return 0;
	waits->due += (double)ns * waits->options.rate / PROF_NS_PER_SECOND;
	uint32_t samples = (uint32_t)waits->due;
	waits->due -= samples;
	return samples;
}

/*
 * Reports NS that THREAD spent in WHAT, a state; with STATE, it has the last stack of that state.
 * STACK: it has that.
 */
static void put(struct prof_family_waits *waits, struct prof_member_thread *thread,
	enum prof_state state, enum prof_state what, int64_t ns, const struct prof_stack *stack)
{
	struct prof_stack none = {0};
	struct prof_look look = {
		.time = prof_clock(),
		.thread = thread->thread,
		.process = thread->member->process,
		.state = (uint8_t)state,
		.samples = take_samples(waits, ns),
	};

	look.spent[what] = ns;
	if (ns || stack)
		prof_stack_put(stack ? stack : &none, waits->options.queue, &look);
}

static void look_at(struct prof_family_waits *waits, struct prof_member_thread *thread)
{
	struct prof_off_cpu *off_cpu = &thread->off_cpu;
	struct prof_off_cpu_stretch did;
	const pid_t process = thread->member->process;

	if (!off_cpu->until)
		prof_off_cpu_restart(off_cpu, process, thread->thread, prof_clock());
	if (!prof_off_cpu_look(off_cpu, process, thread->thread, waits->arch, &did))
		return;
	thread->since = 0;
	if (!did.delay && !did.slept && !did.moved)
		return;
	struct prof_layout *layout = waits->options.introduce(waits->options.context, thread);
	put(waits, thread, PROF_STATE_USER, PROF_STATE_RUNQUEUE, did.delay, NULL);
	/* It may have mapped what it sleeps in just now, and no record of that was read yet. */
	bool walked = did.moved || (thread->unwalked && off_cpu->asleep);
	if (walked)
		walk(waits, thread, layout);
	thread->unwalked = did.moved && waits->stack.end == PROF_STACK_FAILED;
	if (off_cpu->known)
		put(waits, thread, off_cpu->wait.state, off_cpu->wait.state, did.slept,
			walked ? &waits->stack : NULL);
	else
		put(waits, thread, PROF_STATE_USER, PROF_STATE_OTHER, did.slept, NULL);
}

void prof_family_waits_look(struct prof_family_waits *waits, struct prof_family *family)
{
	int64_t used = prof_clock_used();

	for (size_t i = 0; i < family->threads.count; i++) {
		struct prof_member_thread *thread = family->threads.items[i];
		if (!thread->ended && !thread->member->apart)
			look_at(waits, thread);
	}
	waits->next = prof_clock() + prof_budget_rest(prof_clock_used() - used, LEAST);
}

void prof_family_waits_restart(struct prof_family_waits *waits, struct prof_family *family)
{
	for (size_t i = 0; i < family->threads.count; i++)
		family->threads.items[i]->off_cpu.until = 0;
	waits->next = 0;
}

void prof_family_waits_end(struct prof_family_waits *waits, struct prof_member_thread *thread)
{
	struct prof_off_cpu *off_cpu = &thread->off_cpu;
	int64_t rest = thread->end - off_cpu->until - thread->since;

	if (!off_cpu->until || !thread->end || thread->member->apart)
		return;
	/* If samples are rare, a short-lived thread has none, or one that stands for several. */
	rest -= waits->ahead;
	waits->ahead = rest < 0 ? -rest : 0;
	if (rest <= 0)
		return;
	waits->options.introduce(waits->options.context, thread);
	if (off_cpu->known) {
		put(waits, thread, off_cpu->wait.state, off_cpu->wait.state, rest, NULL);
	} else {
		waits->unseen += rest;
		put(waits, thread, PROF_STATE_USER, PROF_STATE_OTHER, rest, NULL);
	}
}
