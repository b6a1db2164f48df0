/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GDB knows of a catchpoint: versions before 12 show none to scripts, so its table is read. */
#ifndef PROF_PLUGIN_BREAKS_CATCH_ROW_H
#define PROF_PLUGIN_BREAKS_CATCH_ROW_H

#include "base/error.h"

#include <stdbool.h>

struct catch_row {
	bool exists; /* if not, nothing else is filled in */
	bool enabled, temporary;
	bool silent;     /* its commands begin with "silent" */
	char *condition; /* "": none */
	unsigned long hits;
};

/* Reads what `info breakpoints` prints of the catchpoint NUMBER. */
struct prof_error *catch_row_read(long number, struct catch_row *ret) PROF_MUST_CHECK;
void catch_row_deinit(struct catch_row *row);

#endif
