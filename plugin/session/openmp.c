/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/openmp.h"

#include "model/call_target.h"
#include "parallel/openmp_calls.h"
#include "plugin/gdb/binary.h"
#include "target/callee.h"

struct prof_error *openmp_add_entries(struct prof_experiment *experiment, size_t first)
{
	size_t count = experiment->frames.count;
	struct prof_error *error = NULL;
	uint32_t entry;

	for (size_t i = first; i < count && !error; i++) {
		const struct prof_frame *frame = &experiment->frames.items[i];
		const struct prof_location *outer =
			&experiment->locations.items[frame->first_location + frame->locations - 1];
		if (frame->address && frame->locations && outer->offset > 0 &&
			prof_openmp_is_outlined(
				prof_experiment_function_name(experiment, outer->function)))
			error = prof_experiment_frame(experiment, frame->module,
				frame->address - (uint64_t)outer->offset, &entry);
	}
	return error;
}

/* Is FRAME code of a runtime's library? */
static bool is_runtime(const struct prof_experiment *experiment, uint32_t frame)
{
	uint32_t module = experiment->frames.items[frame].module;

	return prof_openmp_is_runtime(
		prof_experiment_text(experiment, experiment->modules.items[module].path));
}

/* Reads what FRAME calls: the last byte of the call is at its address. */
static struct prof_error *read_target(
	struct prof_experiment *experiment, struct binaries *binaries, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];
	const struct binary *binary = binaries_open(binaries, experiment, at->module, at->address);
	const char *name =
		binary ? prof_callee_name(binary->file, prof_arch_native(), at->address + 1) : NULL;

	return name && prof_openmp_construct(name) ? prof_call_target_add(experiment, frame, name)
						   : NULL;
}

struct prof_error *openmp_read_calls(struct prof_experiment *experiment, size_t first)
{
	struct binaries binaries = {0};
	struct prof_error *error = NULL;

	for (size_t i = first ? first : 1; i < experiment->paths.count && !error; i++) {
		const struct prof_path *path = &experiment->paths.items[i];
		uint32_t caller = experiment->paths.items[path->parent].frame;
		if (path->parent && experiment->frames.items[caller].address &&
			is_runtime(experiment, path->frame) && !is_runtime(experiment, caller) &&
			!prof_call_target_of(experiment, caller))
			error = read_target(experiment, &binaries, caller);
	}
	binaries_close(&binaries);
	return error;
}
