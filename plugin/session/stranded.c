/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/stranded.h"

#include "plugin/calls/counting.h"
#include "plugin/marks/mark_breakpoints.h"
#include "plugin/marks/probes.h"
#include "plugin/gdb/host.h"

void stranded_say(struct prof_text *text)
{
	const struct {
		bool there;
		const char *what;
	} rows[] = {
		{counting_has_breakpoints(), "counted calls"},
		{mark_breakpoints_have_breakpoints(), "prof-mark-at"},
		{probes_have_breakpoints(), "the program's own marks"},
	};
	bool any = false;

	if (!host_has_attached())
		return;
	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		if (!rows[i].there)
			continue;
		prof_text_print(text, "%s%s", any ? " and for " : "Breakpoints for ", rows[i].what);
		any = true;
	}
	if (any)
		prof_text_print(text,
			" stand in a process that GDB has attached to: if GDB is\n"
			"killed, the process ends by SIGTRAP at the next one.\n");
}
