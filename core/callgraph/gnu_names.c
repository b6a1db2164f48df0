/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Functions as the user names them, in GNU gprof's way: NAME, FILE:NAME, FILE:LINE, or FILE alone
 * if it contains a '.' or ends in ':'.  An empty text names every function.
 */
#include "callgraph/gnu.h"

#include "base/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A symbol must match all fields that are set. */
struct spec {
	const char *readable; /* the name as users write it, unless it is mangled */
	const char *name;     /* as in the symbol table */
	const char *file;     /* without folders */
	uint32_t line;
};

static const char *name_of(const struct prof_gnu *gnu, uint32_t symbol)
{
	return prof_gnu_text(gnu, gnu->symbols.items[symbol].place->name);
}

static bool is_readable(const char *text, const char *name)
{
	AUTO_FREE char *demangled = prof_demangle(name);

	return demangled && !strcmp(demangled, text);
}

/* Is the whole of TEXT a symbol's name?  It may contain ':' or '.' then. */
static bool find_name(const struct prof_gnu *gnu, const char *text, struct spec *spec)
{
	bool plain = !strpbrk(text, "(<:~ ");

	for (uint32_t i = 0; i < gnu->places; i++) {
		const char *name = name_of(gnu, i);
		if (!strcmp(name, text)) {
			*spec = (struct spec){.name = text};
			return true;
		}
		if (!plain && is_readable(text, name)) {
			*spec = (struct spec){.readable = text};
			return true;
		}
	}
	return false;
}

/* Splits TEXT as gprof does; TEXT is changed. */
static struct spec parse(char *text)
{
	struct spec spec = {0};
	char *colon = strrchr(text, ':');
	char *rest = colon ? colon + 1 : text;

	if (colon)
		*colon = '\0';
	if ((colon && colon > text) || (!colon && strchr(text, '.')))
		spec.file = text;
	if (!colon && spec.file)
		return spec;
	if (isdigit((unsigned char)*rest))
		spec.line = (uint32_t)strtoul(rest, NULL, 10);
	else if (*rest)
		spec.name = rest;
	return spec;
}

static bool fits(const struct prof_gnu *gnu, const struct spec *spec, uint32_t symbol)
{
	const struct prof_image_symbol *place = gnu->symbols.items[symbol].place;

	if (spec->file) {
		const char *path = place->file == PROF_NONE ? "" : prof_gnu_text(gnu, place->file);
		const char *slash = strrchr(path, '/');
		if (strcmp(spec->file, slash ? slash + 1 : path) != 0)
			return false;
	}
	if (spec->line && spec->line != place->line)
		return false;
	if (spec->readable && !is_readable(spec->readable, name_of(gnu, symbol)))
		return false;
	return !spec->name || !strcmp(spec->name, name_of(gnu, symbol));
}

/* Adjacent symbols become one stretch, up to the end of the last one. */
static bool add_stretches(
	const struct prof_gnu *gnu, const struct spec *spec, struct prof_gnu_stretches *stretches)
{
	bool goes_on = false;

	for (uint32_t i = 0; i < gnu->places; i++) {
		const struct prof_image_symbol *place = gnu->symbols.items[i].place;
		bool fit = fits(gnu, spec, i);
		if (fit && !goes_on) {
			struct prof_gnu_stretch *added = prof_array_push(stretches);
			if (!added)
				return false;
			added->low = place->low;
		}
		if (fit)
			stretches->items[stretches->count - 1].high = place->high;
		goes_on = fit;
	}
	return true;
}

struct prof_error *prof_gnu_find(
	const struct prof_gnu *gnu, const char *text, struct prof_gnu_stretches *stretches)
{
	AUTO_FREE char *copy = strdup(text);
	size_t before = stretches->count;
	struct spec spec;

	if (!copy)
		return prof_error_nomem();
	if (!*text || !find_name(gnu, text, &spec))
		spec = parse(copy);
	if (!add_stretches(gnu, &spec, stretches))
		return prof_error_nomem();
	if (stretches->count > before)
		return NULL;
	return prof_error_create(PROF_ERROR_MISSING,
		"The program \"%s\" has no function \"%s\": prof-gprof --style=gnu --flat --all lists its functions.",
		gnu->experiment->recording.program, text);
}
