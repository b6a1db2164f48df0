/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/files.h"

#include "formats/files.h"

struct prof_error *files_read(const struct prof_option_values *values, struct prof_experiment **ret)
{
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	struct prof_error *error =
		prof_files_add(&files, (const char *const *)values->arguments, values->count, NULL);

	return error ? error : prof_files_finish(&files, NULL, ret);
}
