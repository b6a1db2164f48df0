/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/call_targets.h"

#include "model/call_target.h"
#include "parallel/openmp_calls.h"
#include "plugin/gdb/binary.h"
#include "target/callee.h"

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

struct prof_error *call_targets_read(struct prof_experiment *experiment, size_t first)
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
