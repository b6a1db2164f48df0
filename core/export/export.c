/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/export.h"

#include "base/list.h"
#include "export/callgrind.h"
#include "export/dump.h"
#include "export/firefox.h"
#include "export/folded.h"
#include "export/gprofng.h"
#include "export/pprof.h"
#include "export/speedscope.h"
#include "model/contents.h"

#include <string.h>

static struct prof_error *print_folded(const struct prof_sheet *sheet, struct prof_text *text)
{
	return prof_folded_print(sheet->profiles[0], text);
}

const struct prof_export prof_exports[] = {
	{"folded", "Folded stacks, a line a stack, as flame graph tools read them.",
		PROF_KIND_FUNCTIONS, PROF_WANT_ONE, PROF_HAS_STACKS, false, PROF_EXPORT_ONE,
		print_folded},
	{"pprof", "Profiles for \"go tool pprof\" and similar tools, packed by gzip.",
		PROF_KIND_LINES, PROF_WANT_NOTHING, PROF_HAS_STACKS, true, PROF_EXPORT_SEVERAL,
		prof_pprof_print},
	{"speedscope", "The JSON of speedscope, stacks of each thread in the order of time.",
		PROF_KIND_FUNCTIONS, PROF_WANT_NOTHING, PROF_HAS_STACKS, false, PROF_EXPORT_ONE,
		prof_speedscope_print},
	{"callgrind", "Costs of lines, functions and calls, as callgrind_annotate reads them.",
		PROF_KIND_LINES, PROF_WANT_ALL, PROF_HAS_COSTS, false, PROF_EXPORT_SEVERAL,
		prof_callgrind_print},
	{"firefox", "Stacks of each thread in time, as profiler.firefox.com reads them.",
		PROF_KIND_LINES, PROF_WANT_NOTHING, PROF_HAS_STACKS, false, PROF_EXPORT_ONE,
		prof_firefox_print},
	{"gprofng-text", "Functions and the call tree, as gprofng displays them.",
		PROF_KIND_FUNCTIONS, PROF_WANT_ONE, PROF_HAS_STACKS, false, PROF_EXPORT_ONE,
		prof_gprofng_print},
	{"json", "All that the experiment holds, as doc/reference/json.md describes it.",
		PROF_KIND_FUNCTIONS, PROF_WANT_NOTHING, PROF_HAS_COSTS | PROF_HAS_GMON, false,
		PROF_EXPORT_ALL, prof_dump_print},
	{0},
};

struct prof_error *prof_export_find(const char *name, const struct prof_export **ret)
{
	AUTO_TEXT struct prof_text names = {0};

	for (const struct prof_export *format = prof_exports; format->name; format++) {
		if (!strcmp(format->name, name)) {
			*ret = format;
			return NULL;
		}
		prof_list_add(&names, format->name);
	}
	return prof_list_lacks(&names, PROF_ERROR_USAGE, "format", name, strlen(name));
}
