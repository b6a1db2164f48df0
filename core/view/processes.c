/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of processes. */
#include "metric/items.h"
#include "model/contents.h"
#include "report/sheet.h"
#include "view/threads.h"
#include "view/view.h"

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	return prof_print_threads(sheet, choice, PROF_LIST_PROCESSES, text);
}

const struct prof_view prof_view_processes = {
	.name = "processes",
	.describe = "List the processes with their metrics.\n"
		    "A process has the name that its main thread had last.",
	.options = &prof_threads_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
