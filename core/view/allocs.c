/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory that was allocated, by allocation site. */
#include "metric/items.h"
#include "model/contents.h"
#include "report/sheet.h"
#include "view/blocks.h"
#include "view/view.h"

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	static const struct prof_blocks_kind kind = {
		"allocs", "Allocation", "Allocations", "Bytes Allocated", "allocs", "bytes"};

	return prof_blocks_print(sheet, &kind, choice, text);
}

const struct prof_view prof_view_allocs = {
	.name = "allocs",
	.describe = "List allocation sites, the most bytes first.\n"
		    "A site is a stack with its number of blocks and bytes.  "
		    "Record with prof-start --heap.",
	.options = &prof_blocks_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_COSTS,
};
