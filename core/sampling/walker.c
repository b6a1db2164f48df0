/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/walker.h"

#include "recording/look.h"
#include "recording/mappings.h"
#include "recording/queue.h"
#include "target/arch.h"
#include "target/maps.h"
#include "target/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct prof_walker {
	struct prof_process process;
	struct prof_target target;
	size_t max_depth;
	struct prof_queue *queue;
	bool kernel; /* stacks have kernel frames, too */

	pthread_mutex_t lock; /* of all fields below */
	struct prof_unwinder *unwinder;
	uint64_t generation; /* of the mappings that the recorder knows */
};

struct prof_error *prof_walker_create(
	pid_t process, size_t max_depth, struct prof_queue *queue, struct prof_walker **ret)
{
	struct prof_walker *walker = calloc(1, sizeof *walker);

	if (!walker)
		return prof_error_nomem();
	prof_process_init(&walker->process, process);
	walker->target = prof_process_target(&walker->process);
	walker->max_depth = max_depth;
	walker->queue = queue;
	walker->generation = UINT64_MAX;
	struct prof_error *error =
		prof_unwinder_create(process, &walker->target, &walker->unwinder);
	if (error) {
		free(walker);
		return error;
	}
	pthread_mutex_init(&walker->lock, NULL);
	*ret = walker;
	return NULL;
}

void prof_walker_destroy(struct prof_walker *walker)
{
	if (!walker)
		return;
	prof_unwinder_destroy(walker->unwinder);
	pthread_mutex_destroy(&walker->lock);
	free(walker);
}

void prof_walker_report_kernel(struct prof_walker *walker)
{
	walker->kernel = true;
}

size_t prof_walker_max_depth(const struct prof_walker *walker)
{
	return walker->max_depth;
}

struct prof_error *prof_stack_init(struct prof_stack *stack, size_t max_depth)
{
	*stack = (struct prof_stack){
		.frames = malloc(max_depth * sizeof *stack->frames),
		.room = max_depth,
	};
	return stack->frames ? NULL : prof_error_nomem();
}

void prof_stack_deinit(struct prof_stack *stack)
{
	free(stack->frames);
	*stack = (struct prof_stack){0};
}

void prof_stack_empty(struct prof_stack *stack)
{
	*stack = (struct prof_stack){.frames = stack->frames, .room = stack->room};
}

void prof_stack_copy(struct prof_stack *to, const struct prof_stack *from)
{
	uint64_t *frames = to->frames;
	size_t room = to->room;

	*to = *from;
	to->frames = frames;
	to->room = room;
	to->depth = from->depth < room ? from->depth : room;
	memcpy(frames, from->frames, to->depth * sizeof *frames);
}

void prof_stack_push(struct prof_stack *stack, const uint64_t *frames, size_t count)
{
	if (count > stack->room)
		count = stack->room;
	if (stack->depth > stack->room - count) {
		stack->depth = stack->room - count;
		stack->end = PROF_STACK_TRUNCATED;
	}
	memmove(stack->frames + count, stack->frames, stack->depth * sizeof *stack->frames);
	memcpy(stack->frames, frames, count * sizeof *frames);
	stack->depth += count;
}

void prof_stack_put(
	const struct prof_stack *stack, struct prof_queue *queue, const struct prof_look *look)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_LOOK,
		.size = (uint32_t)(stack->depth * sizeof *stack->frames),
		.look = *look,
	};

	message.look.end = (uint8_t)stack->end;
	message.look.depth = (uint32_t)stack->depth;
	prof_queue_put(queue, &message, stack->frames);
}

void prof_walker_walk(struct prof_walker *walker, const struct prof_registers *registers,
	struct prof_stack *stack)
{
	pthread_mutex_lock(&walker->lock);
	stack->depth = prof_unwinder_walk(
		walker->unwinder, registers, stack->frames, stack->room, &stack->end);
	stack->guessed = prof_unwinder_guessed(walker->unwinder);
	stack->within = registers->within;
	pthread_mutex_unlock(&walker->lock);
}

void prof_walker_walk_copy(struct prof_walker *walker, const struct prof_registers *registers,
	struct prof_copy *copy, struct prof_stack *stack)
{
	pthread_mutex_lock(&walker->lock);
	stack->depth = prof_unwinder_walk_copy(
		walker->unwinder, registers, copy, stack->frames, stack->room, &stack->end);
	stack->guessed = prof_unwinder_guessed(walker->unwinder);
	stack->within = registers->within;
	pthread_mutex_unlock(&walker->lock);
}

struct prof_registers prof_walker_asleep(uint64_t sp, uint64_t pc)
{
	const struct prof_arch *arch = prof_arch_native();
	struct prof_registers registers = {.pc = pc};

	if (arch) {
		registers.valid = UINT64_C(1) << arch->sp;
		registers.value[arch->sp] = sp;
	}
	return registers;
}

void prof_walker_put(
	struct prof_walker *walker, const struct prof_look *look, const struct prof_stack *stack)
{
	pthread_mutex_lock(&walker->lock);
	uint64_t generation = prof_unwinder_generation(walker->unwinder);
	if (generation != walker->generation) {
		walker->generation = generation;
		prof_mappings_put(walker->queue, walker->process.pid, &walker->target,
			prof_unwinder_maps(walker->unwinder));
		if (walker->kernel)
			prof_mappings_put_kernel(walker->queue);
	}
	prof_stack_put(stack, walker->queue, look);
	pthread_mutex_unlock(&walker->lock);
}

void prof_walker_flush(struct prof_walker *walker)
{
	pthread_mutex_lock(&walker->lock);
	prof_unwinder_flush(walker->unwinder);
	pthread_mutex_unlock(&walker->lock);
}

void prof_walker_freeze(struct prof_walker *walker)
{
	pthread_mutex_lock(&walker->lock);
	prof_unwinder_freeze(walker->unwinder);
	pthread_mutex_unlock(&walker->lock);
}

void prof_walker_read(struct prof_walker *walker)
{
	pthread_mutex_lock(&walker->lock);
	prof_unwinder_read(walker->unwinder);
	pthread_mutex_unlock(&walker->lock);
}

bool prof_walker_bounds(struct prof_walker *walker, uint64_t address, uint64_t *low, uint64_t *high)
{
	pthread_mutex_lock(&walker->lock);
	bool known = prof_unwinder_bounds(walker->unwinder, address, low, high);
	pthread_mutex_unlock(&walker->lock);
	return known;
}

bool prof_walker_code(struct prof_walker *walker, uint64_t address, void *buffer, size_t length)
{
	pthread_mutex_lock(&walker->lock);
	bool known = prof_unwinder_code(walker->unwinder, address, buffer, length);
	pthread_mutex_unlock(&walker->lock);
	return known;
}

bool prof_walker_broken(struct prof_walker *walker, uint64_t address, unsigned char breakpoint)
{
	const struct prof_target *target = &walker->target;
	unsigned char code, now;

	/* Most samples are at no breakpoint: then the file need not be read. */
	return prof_target_read(target, address, &now, sizeof now) && now == breakpoint &&
		prof_walker_code(walker, address, &code, sizeof code) && code != breakpoint;
}

uint64_t prof_walker_generation(struct prof_walker *walker)
{
	pthread_mutex_lock(&walker->lock);
	uint64_t generation = prof_unwinder_generation(walker->unwinder);
	pthread_mutex_unlock(&walker->lock);
	return generation;
}

bool prof_walker_maps(struct prof_walker *walker, uint64_t address, const char *path)
{
	pthread_mutex_lock(&walker->lock);
	bool mapped = prof_maps_has(prof_unwinder_maps(walker->unwinder), address, path);
	pthread_mutex_unlock(&walker->lock);
	return mapped;
}

bool prof_walker_generated(struct prof_walker *walker, const struct prof_stack *stack)
{
	pthread_mutex_lock(&walker->lock);
	bool generated = prof_maps_generated(
		prof_unwinder_maps(walker->unwinder), stack->frames, stack->depth);
	pthread_mutex_unlock(&walker->lock);
	return generated;
}
