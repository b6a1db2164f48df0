/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GDB's styles.  See host.h. */
#include "plugin/gdb/host.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool host_is_styled(void)
{
	AUTO_FREE char *enabled = NULL;
	const char *refused = getenv("NO_COLOR");
	struct prof_error *error = host_parameter("style enabled", &enabled);
	bool is_on = !error && (!strcmp(enabled, "True") || !strcmp(enabled, "on"));

	host_forget(error);
	return is_on && !(refused && *refused) && host_obeys_escapes();
}

/* The number of the word that the PART of style NAME is, among WORDS of COUNT; or -1. */
static int find_word(const char *name, const char *part, const char *const *words, size_t count)
{
	AUTO_FREE char *value = NULL;
	char parameter[64];

	snprintf(parameter, sizeof parameter, "style %s %s", name, part);
	struct prof_error *error = host_parameter(parameter, &value);
	for (size_t i = 0; i < count && !error; i++) {
		if (!strcmp(value, words[i]))
			return (int)i;
	}
	host_forget(error);
	return -1;
}

void host_style(const char *name, char *buffer, size_t size)
{
	static const char *const colors[] = {
		"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"};
	static const char *const intensities[] = {"bold", "dim"};
	int foreground = find_word(name, "foreground", colors, PROF_COUNT(colors));
	int background = find_word(name, "background", colors, PROF_COUNT(colors));
	int intensity = find_word(name, "intensity", intensities, PROF_COUNT(intensities));
	char codes[16] = "";
	size_t length = 0;

	if (intensity >= 0)
		length += (size_t)snprintf(
			codes + length, sizeof codes - length, ";%d", intensity + 1);
	if (foreground >= 0)
		length += (size_t)snprintf(
			codes + length, sizeof codes - length, ";%d", 30 + foreground);
	if (background >= 0)
		snprintf(codes + length, sizeof codes - length, ";%d", 40 + background);
	snprintf(buffer, size, *codes ? "\033[%sm" : "%s", *codes ? codes + 1 : "");
}
