/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The profiles that an action works on. */
#ifndef PROF_SHELL_FILES_H
#define PROF_SHELL_FILES_H

#include "base/error.h"
#include "base/option_values.h"

struct prof_experiment;

/* The sum of the files that VALUES name, the caller's; they name one at least. */
struct prof_error *files_read(
	const struct prof_option_values *values, struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
