/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of addresses. */
#include "model/contents.h"
#include "view/print.h"

const struct prof_view prof_view_pcs = {
	.name = "pcs",
	.describe = "List the addresses with their exclusive and inclusive metrics.\n"
		    "An address is shown as its function and the offset from where that begins.  "
		    "A call is listed at the last byte of its instruction.",
	.options = &prof_items_options,
	.print = prof_print_items,
	.kind = PROF_KIND_PCS,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_COSTS,
};
