/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/damage.h"

#include "base/file.h"
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
	return prof_file_damaged("file", path, "%s %s", place, what);
}

struct prof_error *prof_damage_without(const char *path, const char *what, const char *cure)
{
	return prof_error_create(
		PROF_ERROR_DAMAGED, "The file \"%s\" has no %s.  %s.", path, what, cure);
}

struct prof_error *prof_damage_without_samples(
	const struct prof_experiment *experiment, const char *path)
{
	return experiment->samples.count
		? NULL
		: prof_damage_without(path, "samples", "Record longer, or at a higher rate");
}
