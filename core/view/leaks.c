/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory that was not freed, by allocation site. */
#include "metric/items.h"
#include "model/contents.h"
#include "report/sheet.h"
#include "view/blocks.h"
#include "view/view.h"

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	static const struct prof_blocks_kind kind = {
		"leaks", "Leak", "Leaks", "Bytes Leaked", "leaks", "leaked"};

	return prof_blocks_print(sheet, &kind, choice, text);
}

const struct prof_view prof_view_leaks = {
	.name = "leaks",
	.describe =
		"List allocation sites of memory that was not freed.\n"
		"A site is a stack with its number of blocks and bytes, the most bytes first.  "
		"A block counts whether or not anything points to it; while the program runs, the list has the blocks that it has not freed yet.\n\n"
		"Record with prof-start --heap.",
	.options = &prof_blocks_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_COSTS,
};
