/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/files.h"

#include "formats/files.h"

struct prof_error *files_read(const struct prof_option_values *values, struct prof_experiment **ret)
{
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < values->count; i++)
		error = prof_files_add(&files, values->arguments[i], NULL);
	return error ? error : prof_files_finish(&files, NULL, ret);
}
