/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/breaks/catch_row.h"

#include "base/memory.h"
#include "base/text.h"
#include "plugin/gdb/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rest of the line of TEXT that has WORDS, in a new string; "" if there is none. */
static char *rest_of_line(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	at = at ? at + strlen(words) : "";
	return strndup(at, strcspn(at, "\n"));
}

/*
 * "2       catchpoint     keep y                      signals "SIGURG SIGWINCH"", below a heading;
 * then lines that begin with tabs, and commands.
 */
struct prof_error *catch_row_read(long number, struct catch_row *ret)
{
	AUTO_TEXT struct prof_text text = {0};
	char command[40], kept[8], enabled = 'n';

	snprintf(command, sizeof command, "info breakpoints %ld", number);
	struct prof_error *error = host_execute(command, &text);
	if (error)
		return error;
	const char *row = strchr(prof_text_get(&text), '\n');
	if (!row || sscanf(row, "%*d catchpoint %7s %c", kept, &enabled) != 2)
		return NULL;
	AUTO_FREE char *condition = rest_of_line(row, "\n\tstop only if ");
	AUTO_FREE char *hits = rest_of_line(row, "point already hit ");
	if (!condition || !hits)
		return prof_error_nomem();
	*ret = (struct catch_row){
		.exists = true,
		.enabled = enabled == 'y',
		.temporary = !strcmp(kept, "del"),
		.silent = strstr(row, "\n        silent\n"),
		.condition = steal(&condition),
		.hits = strtoul(hits, NULL, 10),
	};
	return NULL;
}

void catch_row_deinit(struct catch_row *row)
{
	free(row->condition);
	*row = (struct catch_row){0};
}
