/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/*
 * A few hundred bytes can stand for a name of gigabytes: each part may repeat the one before twice.
 * Names of real programs are some ten times as long as when mangled.
 */
enum { TIMES = 64, EXTRA = 1024 };

struct output {
	char *text;
	size_t length, most;
	jmp_buf too_long;
};

/* The library cannot be asked to stop; it holds no memory while it calls here. */
static void collect(const char *text, size_t length, void *context)
{
	struct output *output = context;

	if (length > output->most - output->length)
		longjmp(output->too_long, 1);
	memcpy(output->text + output->length, text, length);
	output->length += length;
}

static int demangle(const char *name, struct output *output)
{
	const int options = DMGL_ANSI | DMGL_PARAMS;

	if (setjmp(output->too_long))
		return 0;
	if (rust_demangle_callback(name, options, collect, output))
		return 1;
	/* Drop the part of a Rust name that was demangled before the library gave up. */
	output->length = 0;
	return cplus_demangle_v3_callback(name, options, collect, output);
}

char *prof_demangle(const char *name)
{
	struct output output = {.most = strlen(name) * TIMES + EXTRA};

	/* All mangled names begin with this prefix, or with more underscores. */
	if (name[0] != '_')
		return NULL;
	output.text = malloc(output.most + 1);
	if (!output.text)
		return NULL;
	char *found = NULL;
	if (demangle(name, &output)) {
		output.text[output.length] = '\0';
		found = strdup(output.text);
	}
	free(output.text);
	return found;
}
