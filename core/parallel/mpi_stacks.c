/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/mpi_stacks.h"

#include "base/memory.h"
#include "model/experiment.h"
#include "parallel/class.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The part of NAME behind MPI_, of the length *LENGTH; NULL: NAME is no function of MPI. */
static const char *name_in_mpi(const char *name, size_t *length)
{
	const char *at = name + (*name == 'P' || *name == 'p');
	size_t whole = strlen(at);

	if (!strncmp(at, "MPI_", 4) && isupper((unsigned char)at[4])) {
		*length = whole - 4;
		return at + 4;
	}
	/* Compilers of Fortran add an underscore. */
	if (!strncmp(at, "mpi_", 4) && whole > 5 && at[whole - 1] == '_') {
		*length = whole - 5;
		return at + 4;
	}
	return NULL;
}

/* Does the function wait for messages, or do programs call it until one has come? */
static bool is_blocking(const char *name, size_t length)
{
	static const char *const names[] = {"Wait", "Waitall", "Waitany", "Waitsome", "Test",
		"Testall", "Testany", "Testsome", "Recv", "Probe", "Iprobe", "Barrier"};

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		if (strlen(names[i]) == length && !strncasecmp(names[i], name, length))
			return true;
	}
	return false;
}

/* Does NAME look like a function in which libraries poll for messages, or wait in the kernel? */
static bool is_polling(const char *name)
{
	static const char *const parts[] = {"progress", "request_default_wait", "request_wait",
		"sync_wait", "sched_yield", "epoll_wait", "nanosleep"};
	static const char *const whole[] = {"poll", "__poll", "select", "__select", "syscall"};

	for (size_t i = 0; i < PROF_COUNT(parts); i++) {
		if (strstr(name, parts[i]))
			return true;
	}
	for (size_t i = 0; i < PROF_COUNT(whole); i++) {
		if (!strcmp(name, whole[i]))
			return true;
	}
	return false;
}

unsigned prof_mpi_kinds(const char *name)
{
	size_t length;
	const char *in_mpi = name_in_mpi(name, &length);

	if (in_mpi)
		return PROF_MPI_KIND_CALL |
			(is_blocking(in_mpi, length) ? PROF_MPI_KIND_BLOCKING : 0);
	if (!*name || *name == '<')
		return PROF_MPI_KIND_NAMELESS;
	return is_polling(name) ? PROF_MPI_KIND_POLLING : 0;
}

static unsigned kinds_of(const struct prof_experiment *experiment, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];

	if (!at->locations)
		return PROF_MPI_KIND_NAMELESS;
	const struct prof_location *outer =
		&experiment->locations.items[at->first_location + at->locations - 1];
	return prof_mpi_kinds(prof_experiment_function_name(experiment, outer->function));
}

/* The kinds of a path's last frame, and of its calls of MPI. */
struct stack {
	uint8_t last, calls;
};

/* The class of a stack inside MPI; BEFORE is its path without the last frame. */
static unsigned class_of(const struct stack *stack, const struct stack *before)
{
	bool polls = (stack->last | (before->calls ? before->last : 0)) & PROF_MPI_KIND_POLLING;
	/* A frame without a name can be any function of the library: the MPI call decides. */
	bool unknown = stack->last & (PROF_MPI_KIND_NAMELESS | PROF_MPI_KIND_CALL);

	return polls || (unknown && stack->calls & PROF_MPI_KIND_BLOCKING) ? PROF_CLASS_MPI_WAIT
									   : PROF_CLASS_MPI_WORK;
}

static void classify(const struct prof_experiment *experiment, const uint8_t *kinds,
	struct stack *stacks, uint8_t *classes)
{
	for (size_t i = 1; i < experiment->paths.count; i++) {
		const struct prof_path *path = &experiment->paths.items[i];
		const struct stack *before = &stacks[path->parent];
		struct stack *stack = &stacks[i];
		*stack = (struct stack){.last = kinds[path->frame], .calls = before->calls};
		if (stack->last & PROF_MPI_KIND_CALL)
			stack->calls |= stack->last;
		if (stack->calls)
			classes[i] |= (uint8_t)class_of(stack, before);
	}
}

struct prof_error *prof_mpi_classify(const struct prof_experiment *experiment, uint8_t *classes)
{
	size_t frames = experiment->frames.count;
	AUTO_FREE uint8_t *kinds = malloc(frames + 1);
	unsigned used = 0;

	if (!kinds)
		return prof_error_nomem();
	for (size_t i = 0; i < frames; i++)
		used |= kinds[i] = (uint8_t)kinds_of(experiment, (uint32_t)i);
	if (!(used & PROF_MPI_KIND_CALL))
		return NULL;
	AUTO_FREE struct stack *stacks = calloc(experiment->paths.count, sizeof *stacks);
	if (!stacks)
		return prof_error_nomem();
	classify(experiment, kinds, stacks, classes);
	return NULL;
}
