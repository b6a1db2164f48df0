/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/notes.h"

#include "plugin/gdb/host.h"

#include <string.h>

/* There is one GDB, so one recording. */
static struct prof_text notes;

void notes_add(const char *sentence)
{
	PROF_AUTO(prof_text_deinit) struct prof_text line = {0};

	prof_text_name(&line, sentence);
	prof_text_print(&line, "\n");
	if (!strstr(prof_text_get(&notes), prof_text_get(&line)))
		prof_text_print(&notes, "%s", prof_text_get(&line));
}

void notes_error(struct prof_error *error)
{
	if (error && prof_error_code(error) != PROF_ERROR_INTERRUPTED)
		notes_add(prof_error_message(error));
	host_forget(error);
}

struct prof_text *notes_text(void)
{
	return &notes;
}

void notes_clear(void)
{
	prof_text_deinit(&notes);
}
