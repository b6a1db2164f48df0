/* One of the experiments that are compared: what a file holds. */
#ifndef PROF_PLUGIN_COMMAND_SIDE_H
#define PROF_PLUGIN_COMMAND_SIDE_H

#include "base/progress.h"
#include "model/experiment.h"
#include "plugin/option/option.h"

/* All zeroes is none. */
struct side {
	struct prof_experiment *experiment;
	char *file;
};

/* Reads the file that argument NUMBER of VALUES names, and finds its symbols, into RET. */
struct prof_error *side_read(const struct option_values *values, size_t number,
	const struct prof_progress *progress, struct side *ret) PROF_MUST_CHECK;

/* Frees what SIDE holds. */
void side_deinit(struct side *side);

#endif
