/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/again.h"

#include "base/memory.h"
#include "plugin/gdb/host.h"

#include <stdlib.h>
#include <string.h>

/* The last command: a line that is typed has a number of its own in GDB's history. */
static struct {
	const void *owner;
	char *text;
	long number;
} last;

/* The number of the last line in the history; 0: there is none. */
static long find_number(void)
{
	AUTO_TEXT struct prof_text shown = {0};
	struct prof_error *error = host_execute("show commands", &shown);
	const char *text = prof_text_get(&shown);
	size_t length = shown.length;

	if (error || !length) {
		host_forget(error);
		return 0;
	}
	while (length > 1 && text[length - 2] != '\n')
		length--;
	return strtol(text + length - 1, NULL, 10);
}

bool again_is_one(const void *owner, const char *text, bool typed)
{
	long number = typed ? find_number() : 0;
	bool same = number && last.owner == owner && last.number == number && last.text &&
		!strcmp(last.text, text);

	free(last.text);
	last.text = strdup(text);
	last.owner = owner;
	last.number = number;
	return same;
}
