/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/stranded.h"

#include "plugin/collect/collector.h"
#include "plugin/gdb/host.h"

void stranded_say(struct prof_text *text)
{
	bool any = false;

	if (!host_has_attached())
		return;
	for (size_t i = collectors_count(); i > 0; i--) {
		const struct collector *row = collectors[i - 1];
		const char *what = row->breakpoints ? row->breakpoints() : NULL;
		if (!what)
			continue;
		prof_text_print(text, "%s%s", any ? " and for " : "Breakpoints for ", what);
		any = true;
	}
	if (any)
		prof_text_print(text,
			" stand in a process that GDB has attached to: if GDB is\n"
			"killed, the process ends by SIGTRAP at the next one.\n");
}
