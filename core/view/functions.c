/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of functions. */
#include "model/contents.h"
#include "view/print.h"

const struct prof_view prof_view_functions = {
	.name = "functions",
	.describe =
		"List the functions with their exclusive and inclusive metrics.\n"
		"Exclusive is what was spent in the function itself.  "
		"Inclusive is what was spent in the function and in everything that it called; a sample counts once, however often the function recurs in its stack.",
	.options = &prof_items_options,
	.print = prof_print_items,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_COSTS,
};
