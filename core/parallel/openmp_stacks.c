/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_stacks.h"

#include "model/call_target.h"
#include "model/experiment.h"
#include "parallel/class.h"
#include "parallel/openmp_calls.h"

#include <stdlib.h>
#include <string.h>

/* The kind of a frame. */
struct kind {
	uint8_t called;    /* enum prof_construct: of the function that it calls, as far as that is
			      known */
	uint8_t construct; /* enum prof_construct; unless NONE, it is a frame of the runtime */
	bool system;    /* the runtime may have called it, or it has started the runtime's thread */
	bool microtask; /* it only calls functions of regions */
};

/* Is NAME where the C library begins a thread?  Imported stacks may lack its file. */
static bool begins_thread(const char *name)
{
	return !strcmp(name, "start_thread") || !strcmp(name, "clone3") || !strcmp(name, "clone") ||
		!strcmp(name, "__clone");
}

static struct kind kind_of(const struct prof_experiment *experiment, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];
	uint32_t module = at->module;
	struct kind kind = {0};
	const char *name = "";

	if (at->locations) {
		const struct prof_location *outer =
			&experiment->locations.items[at->first_location + at->locations - 1];
		name = prof_experiment_function_name(experiment, outer->function);
		module = prof_experiment_function_row(experiment, outer->function).module;
	}
	const char *path = prof_experiment_text(experiment, experiment->modules.items[module].path);
	const char *called = prof_call_target_of(experiment, frame);
	kind.called = (uint8_t)(called ? prof_openmp_construct(called) : 0);
	kind.construct = (uint8_t)prof_openmp_construct(name);
	if (!kind.construct && prof_openmp_is_runtime(path))
		kind.construct = PROF_CONSTRUCT_INSIDE;
	/* An artificial function, such as <No-stack>, is not code of the program. */
	kind.system = prof_openmp_is_system(path) || begins_thread(name) ||
		(*name == '<' && !at->address && !module);
	kind.microtask = !strcmp(name, "__kmp_invoke_microtask");
	return kind;
}

/*
 * The construct of a frame without a name that CALLER has called.  The function that opens a region
 * has a frame inside of it, so a frame without a name waits for the region's end.
 */
static uint8_t nameless(const struct kind *caller)
{
	switch ((enum prof_construct)caller->called) {
	case PROF_CONSTRUCT_NONE:
	case PROF_CONSTRUCT_INSIDE:
		return PROF_CONSTRUCT_UNKNOWN;
	case PROF_CONSTRUCT_FORK:
		return PROF_CONSTRUCT_JOIN;
	default:
		return caller->called;
	}
}

/* What a frame of KIND, which has a name, is called for by one of CALLER. */
static uint8_t named(const struct kind *caller, const struct kind *kind)
{
	bool known = caller->called == PROF_CONSTRUCT_EXPLICIT ||
		caller->called == PROF_CONSTRUCT_IMPLICIT;

	return kind->construct == PROF_CONSTRUCT_BARRIER && known ? caller->called
								  : kind->construct;
}

/* STACK, of path NUMBER that ends with CALLER, enters the runtime with a frame of KIND. */
static void enter_runtime(struct prof_openmp_stack *stack, uint32_t number,
	const struct kind *caller, const struct kind *kind)
{
	bool first = !stack->construct;

	if (first) {
		stack->caller = number;
		stack->worker |= !stack->user;
		stack->construct = kind->construct == PROF_CONSTRUCT_INSIDE ? nameless(caller)
									    : named(caller, kind);
	} else if (stack->microtask && kind->construct != PROF_CONSTRUCT_INSIDE) {
		/* The region's function has jumped away, and has no frame. */
		stack->jumped = true;
		stack->depth++;
		stack->opener = stack->worker && !stack->region ? 0 : stack->caller;
		stack->construct = kind->construct;
	} else if (stack->construct == PROF_CONSTRUCT_REGION)
		stack->construct = kind->construct == PROF_CONSTRUCT_FORK ? PROF_CONSTRUCT_FORK
									  : PROF_CONSTRUCT_JOIN;
	else if (stack->construct == PROF_CONSTRUCT_UNKNOWN &&
		kind->construct != PROF_CONSTRUCT_INSIDE)
		stack->construct = kind->construct;
	else if (stack->construct == PROF_CONSTRUCT_CREATION &&
		kind->construct == PROF_CONSTRUCT_TASKS)
		stack->construct = PROF_CONSTRUCT_TASKS; /* at the end of a taskloop */
	stack->microtask = kind->microtask;
	stack->starts = kind->microtask ||
		(first && (kind->construct == PROF_CONSTRUCT_FORK || !stack->user));
}

/* The runtime calls code of the program: the last frame of STACK, of path NUMBER. */
static void leave_runtime(struct prof_openmp_stack *stack, uint32_t number)
{
	stack->task = !stack->starts;
	if (!stack->task || !stack->depth) {
		bool own = stack->worker && !stack->region;
		stack->depth++;
		stack->opener = own ? 0 : stack->caller;
	}
	stack->region = number;
	stack->construct = PROF_CONSTRUCT_NONE;
	stack->starts = stack->microtask = stack->jumped = false;
	stack->caller = 0;
}

/*
 * Describes path NUMBER, which extends PARENT, described by BEFORE, whose last frame is CALLER, by
 * a frame of KIND.
 */
static struct prof_openmp_stack follow(const struct prof_openmp_stack *before, uint32_t parent,
	uint32_t number, const struct kind *caller, const struct kind *kind)
{
	struct prof_openmp_stack stack = *before;

	if (kind->construct)
		enter_runtime(&stack, parent, caller, kind);
	else if (stack.construct && !kind->system)
		leave_runtime(&stack, number);
	if (!kind->construct && !kind->system)
		stack.user = true;
	return stack;
}

struct prof_error *prof_openmp_stacks_init(
	struct prof_openmp_stacks *stacks, const struct prof_experiment *experiment)
{
	static const struct kind none;
	size_t frames = experiment->frames.count;
	AUTO_FREE struct kind *kinds = malloc((frames + 1) * sizeof *kinds);

	*stacks = (struct prof_openmp_stacks){0};
	if (!kinds)
		return prof_error_nomem();
	for (size_t i = 0; i < frames; i++) {
		kinds[i] = kind_of(experiment, (uint32_t)i);
		stacks->used |= kinds[i].construct;
	}
	if (!stacks->used)
		return NULL;
	stacks->items = calloc(experiment->paths.count, sizeof *stacks->items);
	if (!stacks->items)
		return prof_error_nomem();
	for (uint32_t i = 1; i < experiment->paths.count; i++) {
		const struct prof_path *path = &experiment->paths.items[i];
		const struct kind *caller =
			path->parent ? &kinds[experiment->paths.items[path->parent].frame] : &none;
		stacks->items[i] = follow(
			&stacks->items[path->parent], path->parent, i, caller, &kinds[path->frame]);
	}
	return NULL;
}

void prof_openmp_stacks_deinit(struct prof_openmp_stacks *stacks)
{
	free(stacks->items);
	*stacks = (struct prof_openmp_stacks){0};
}

unsigned prof_openmp_class(const struct prof_openmp_stack *stack)
{
	bool waits = stack->construct > PROF_CONSTRUCT_REDUCTION;

	if (prof_openmp_is_idle(stack))
		return PROF_CLASS_OMP_IDLE;
	if (stack->depth)
		return waits ? PROF_CLASS_OMP_WAIT : PROF_CLASS_OMP_WORK;
	switch ((enum prof_construct)stack->construct) {
	case PROF_CONSTRUCT_REGION:
	case PROF_CONSTRUCT_FORK:
		return PROF_CLASS_OMP_WORK;
	case PROF_CONSTRUCT_JOIN:
	case PROF_CONSTRUCT_UNKNOWN:
		return PROF_CLASS_OMP_WAIT;
	default:
		return PROF_CLASS_OMP_SERIAL;
	}
}

struct prof_error *prof_openmp_classify(const struct prof_experiment *experiment, uint8_t *classes)
{
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	struct prof_error *error = prof_openmp_stacks_init(&stacks, experiment);

	for (size_t i = 0; i < experiment->paths.count && !error && stacks.used; i++)
		classes[i] |= (uint8_t)prof_openmp_class(&stacks.items[i]);
	return error;
}
