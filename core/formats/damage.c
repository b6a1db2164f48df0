/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/damage.h"

#include "base/memory.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <stdio.h>
#include <stdlib.h>

struct prof_error *prof_damage(
	const char *path, const char *place, const char *format, va_list arguments)
{
	AUTO_FREE char *what = NULL;

	if (vasprintf(&what, format, arguments) < 0) {
		what = NULL;
		return prof_error_nomem();
	}
	return prof_error_create(
		PROF_ERROR_DAMAGED, "The file \"%s\" is damaged: %s %s.", path, place, what);
}

struct prof_error *prof_damage_without_samples(
	const struct prof_experiment *experiment, const char *path)
{
	return experiment->samples.count
		? NULL
		: prof_error_create(PROF_ERROR_DAMAGED,
			  "The file \"%s\" holds no samples.  Record longer, or at a higher rate.",
			  path);
}
