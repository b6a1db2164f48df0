/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of lines of source. */
#include "model/contents.h"
#include "view/print.h"

const struct prof_view prof_view_lines = {
	.name = "lines",
	.describe = "List the source lines with their exclusive and inclusive metrics.\n"
		    "Each row is a line of one function.  "
		    "All code of a function that has no line numbers is one row.",
	.options = &prof_items_options,
	.print = prof_print_items,
	.kind = PROF_KIND_LINES,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_COSTS,
};
