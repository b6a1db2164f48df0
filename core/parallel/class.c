/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/class.h"

#include "model/experiment.h"
#include "parallel/mpi_stacks.h"
#include "parallel/openmp_stacks.h"

#include <string.h>

/*
 * The classifiers: each sets bits of its own in CLASSES, which has a byte for each path, all zeroes
 * at first.
 */
static struct prof_error *(*const classifiers[])(
	const struct prof_experiment *experiment, uint8_t *classes) = {
	prof_openmp_classify,
	prof_mpi_classify,
};

struct prof_error *prof_classes_update(struct prof_experiment *experiment)
{
	size_t count = experiment->paths.count;
	struct prof_error *error = NULL;
	unsigned used = 0;

	experiment->classes.count = 0;
	experiment->classes_used = 0;
	if (!prof_array_reserve(&experiment->classes, count))
		return prof_error_nomem();
	memset(experiment->classes.items, 0, count);
	for (size_t i = 0; i < PROF_COUNT(classifiers) && !error; i++)
		error = classifiers[i](experiment, experiment->classes.items);
	for (size_t i = 0; i < count && !error; i++)
		used |= experiment->classes.items[i];
	if (!error && used) {
		experiment->classes.count = count;
		experiment->classes_used = used;
	}
	return error;
}
