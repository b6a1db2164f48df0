/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/compare_side.h"

#include "formats/import.h"
#include "model/experiment.h"
#include "plugin/command/command.h"
#include "plugin/gdb/symbols_line.h"
#include "plugin/session/openmp.h"
#include "plugin/session/symbols.h"

#include <stdlib.h>

struct prof_error *compare_side_read(const struct option_values *values, size_t number,
	enum prof_stacks stacks, const struct prof_progress *progress, struct compare_side *ret)
{
	PROF_AUTO(symbols_lines_deinit) struct symbols_lines lines = {0};
	struct prof_error *error = command_file(values, number, &ret->file);

	if (!error)
		error = prof_import_read(ret->file, progress, &ret->experiment);
	if (!error)
		error = symbols_resolve(ret->experiment, 0, &lines, NULL, NULL, false, progress);
	if (!error)
		error = openmp_read_calls(ret->experiment, 0);
	return error ? error : prof_user_stacks_apply(&ret->experiment, stacks, progress);
}

void compare_side_deinit(struct compare_side *side)
{
	prof_experiment_destroy(side->experiment);
	free(side->file);
	*side = (struct compare_side){0};
}
