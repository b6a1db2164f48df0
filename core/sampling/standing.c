/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/standing.h"

#include "recording/look.h"
#include "recording/queue.h"
#include "sampling/look_builder.h"
#include "sampling/walker.h"
#include "sampling/watch.h"
#include "target/process.h"
#include "target/procfs.h"

/* A look that only brings a stack or, without one, says that none is known any more. */
static struct prof_look look_at(const struct prof_watch *watch)
{
	return (struct prof_look){
		.time = watch->last,
		.thread = watch->thread,
		.process = watch->process,
	};
}

/* Is ADDRESS where a function is entered, or behind its prologue, where breakpoints are set? */
static bool is_entry(struct prof_walker *walker, uint64_t address)
{
	uint64_t low, high;

	return prof_walker_bounds(walker, address, &low, &high) && address - low < PROF_PROLOGUE;
}

bool prof_standing_lacks(struct prof_watch *watch)
{
	return !watch->placed && prof_watch_schedstat(watch).run != watch->run;
}

void prof_standing_report(struct prof_look_builder *builder, struct prof_watch *watch,
	const uint64_t *frames, size_t depth, enum prof_stack_end end)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_LOOK,
		.size = (uint32_t)(depth * sizeof *frames),
		.look = look_at(watch),
	};

	message.look.depth = (uint32_t)depth;
	message.look.end = (uint8_t)end;
	watch->placed = prof_queue_put(builder->queue, &message, frames);
}

void prof_standing_take(
	struct prof_look_builder *builder, struct prof_watch *watch, struct prof_stack *room)
{
	struct prof_registers registers;

	if (!builder->walker || !prof_standing_lacks(watch))
		return;
	AUTO_ERROR struct prof_error *error = prof_process_registers(watch->thread, &registers);
	if (error)
		return;
	const struct prof_look look = look_at(watch);
	prof_walker_walk(builder->walker, &registers, room);
	struct prof_stack reported = *room;
	if (reported.depth > 1 && is_entry(builder->walker, reported.frames[0])) {
		reported.frames++;
		reported.depth--;
	}
	prof_walker_put(builder->walker, &look, &reported);
	watch->placed = true;
}

void prof_standing_forget(struct prof_look_builder *builder, struct prof_watch *watch)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK, .look = look_at(watch)};

	/* If the queue is full it is reported at the next tick. */
	if (watch->placed)
		watch->placed = !prof_queue_put(builder->queue, &message, NULL);
}
