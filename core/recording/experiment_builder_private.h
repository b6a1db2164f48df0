/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the builder share. */
#ifndef PROF_RECORDING_EXPERIMENT_BUILDER_PRIVATE_H
#define PROF_RECORDING_EXPERIMENT_BUILDER_PRIVATE_H

#include "model/sample_row.h"
#include "recording/experiment_builder.h"
#include "recording/queue.h"

/*
 * The thread with the kernel's ID, whose name is NAME from now on; NULL: it keeps its name.  A
 * thread of another name is a new one, whose id was used before, unless it was RENAMED: then it has
 * its last name for all that it did.  Borrowed until the next call.
 */
struct prof_error *prof_experiment_builder_thread(struct prof_experiment_builder *builder,
	int64_t id, const char *name, bool renamed,
	struct prof_experiment_builder_thread **ret) PROF_MUST_CHECK;

/*
 * THREAD belongs to PROCESS, or 0 if that is not known.  The experiment learns that once there are
 * several processes.
 */
struct prof_error *prof_experiment_builder_own(struct prof_experiment_builder *builder,
	struct prof_experiment_builder_thread *thread, int64_t process) PROF_MUST_CHECK;

/* The path of FRAMES, as many as LOOK has, of its process, with LOOK's end of the stack. */
struct prof_error *prof_experiment_builder_path(struct prof_experiment_builder *builder,
	const struct prof_look *look, const uint64_t *frames, uint32_t *ret) PROF_MUST_CHECK;

/* The path of a call from the path PARENT of the function at ADDRESS of PROCESS, which is as in
 * struct prof_look. */
struct prof_error *prof_experiment_builder_called(struct prof_experiment_builder *builder,
	int64_t process, uint32_t parent, uint64_t address, uint32_t *ret) PROF_MUST_CHECK;

/* A message of calls that begin and end. */
struct prof_error *prof_experiment_builder_calls(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_call_message *calls) PROF_MUST_CHECK;

/* The path of the function NAME, which is not the program's, called from the path PARENT. */
struct prof_error *prof_experiment_builder_artificial(struct prof_experiment_builder *builder,
	uint32_t parent, const char *name, uint32_t *ret) PROF_MUST_CHECK;

/*
 * Adds SAMPLE with its VALUES, which stands for the LENGTH ns before its time, or adds it to one of
 * its thread, stack, state, CPU and counter, if both are not longer than a recording is resolved.
 */
struct prof_error *prof_experiment_builder_sample(struct prof_experiment_builder *builder,
	const struct prof_sample *sample, int64_t length,
	const prof_value values[PROF_QUANTITIES]) PROF_MUST_CHECK;

/* The same for a wait: nothing but samples, and LENGTH ns in the state of SAMPLE. */
struct prof_error *prof_experiment_builder_wait(struct prof_experiment_builder *builder,
	const struct prof_sample *sample, int64_t length,
	const prof_value values[PROF_QUANTITIES]) PROF_MUST_CHECK;

/* Samples before now have nothing added. */
void prof_experiment_builder_divide(struct prof_experiment_builder *builder);

/* TIME, ns of CLOCK_MONOTONIC, in ns since the experiment's start. */
int64_t prof_experiment_builder_time(const struct prof_experiment_builder *builder, int64_t time);

/* Adds the sampling's own figures since the last message of them. */
struct prof_error *prof_experiment_builder_figures(struct prof_experiment_builder *builder,
	const struct prof_figures *figures) PROF_MUST_CHECK;

/* Messages of counters: one announces it, others are looks at the thread TRACKED, or overflows. */
struct prof_error *prof_experiment_builder_counter(struct prof_experiment_builder *builder,
	const struct prof_message *message, const char *name) PROF_MUST_CHECK;
struct prof_error *prof_experiment_builder_overflow(struct prof_experiment_builder *builder,
	const struct prof_experiment_builder_thread *tracked, const struct prof_look *look,
	const uint64_t *frames) PROF_MUST_CHECK;
struct prof_error *prof_experiment_builder_overflows(struct prof_experiment_builder *builder,
	const struct prof_message *message) PROF_MUST_CHECK;

/* Messages of what was traced: of totals, of what they held at a mark, of operations, and of heaps.
 */
struct prof_error *prof_experiment_builder_total(struct prof_experiment_builder *builder,
	const struct prof_message *message, const void *data) PROF_MUST_CHECK;
struct prof_error *prof_experiment_builder_held(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_held_message *held) PROF_MUST_CHECK;
struct prof_error *prof_experiment_builder_operations(struct prof_experiment_builder *builder,
	const struct prof_message *message,
	const struct prof_operation_message *operations) PROF_MUST_CHECK;
struct prof_error *prof_experiment_builder_heap(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_heap *heap) PROF_MUST_CHECK;

/* READER adds nothing to its totals any more. */
void prof_experiment_builder_reader_end(struct prof_experiment_builder *builder, uint64_t reader);

#endif
