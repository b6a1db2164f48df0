/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/annotate.h"

#include "plugin/command/convenience.h"
#include "plugin/gdb/frame_filter.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/place.h"
#include "plugin/option/settings.h"
#include "report/sheet.h"

#include <stdlib.h>
#include <string.h>

/* Adds the share of FUNCTION.  No command waits for an error: what is not known is not shown. */
static void add_share(const char *function, struct prof_text *text)
{
	double all = 0, own = 0;
	struct prof_error *error = convenience_measure(PROF_SHEET_TOTAL, NULL, true, &all);

	if (!error)
		error = convenience_measure(function, NULL, true, &own);
	host_forget(error);
	if (error || !(all > 0) || !(own > 0))
		return;
	double percent = 100 * own / all;
	if (percent < 1)
		prof_text_print(text, "<1 %%");
	else
		prof_text_print(text, "%.0f %%", percent);
}

static struct prof_error *change(const char *value)
{
	bool on = !strcmp(value, "on");

	return (on ? frame_filter_add(add_share) : frame_filter_remove()) ? NULL : host_error();
}

void annotate_register(void)
{
	settings_notify("annotate", change);
}

struct prof_error *annotate_function(char **ret)
{
	AUTO_FREE char *wanted = NULL;
	struct prof_error *error = settings_get("annotate", &wanted);

	*ret = !error && !strcmp(wanted, "on") ? place_function() : NULL;
	return error;
}
