/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of load objects. */
#include "model/contents.h"
#include "view/print.h"

const struct prof_view prof_view_objects = {
	.name = "objects",
	.describe =
		"List load objects with their exclusive and inclusive metrics.\n"
		"A load object is the program or a shared library.  "
		"Its exclusive metric is the sum over its functions.  "
		"Its inclusive metric counts each sample once if any function of the stack is in the object.",
	.options = &prof_items_options,
	.print = prof_print_items,
	.kind = PROF_KIND_OBJECTS,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_COSTS,
};
