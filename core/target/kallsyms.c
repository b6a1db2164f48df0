/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/kallsyms.h"

#include "base/memory.h"
#include "base/ranges.h"
#include "base/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LIST[] = "/proc/kallsyms";

struct symbol {
	uint64_t low;
	size_t name;        /* offset of its name in names, which move as they grow */
	size_t underscores; /* with which the name begins */
};

struct prof_kallsyms {
	PROF_ARRAY(struct symbol) symbols; /* by address */
	PROF_ARRAY(char) names;
	uint32_t *by_name; /* places of all symbols; NULL: no index */
};

/* A line of the list: "ADDRESS KIND NAME", and for a module's symbol a tab and "[MODULE]". */
struct line {
	uint64_t address;
	char kind;
	const char *name;
	size_t length;
};

static bool cut(const char *text, struct line *ret)
{
	char *end;

	ret->address = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	ret->kind = end[1];
	ret->name = end + 3;
	ret->length = strcspn(ret->name, "\t\n");
	return ret->length;
}

/* Is it a symbol of code, and not one for the padding before a function? */
static bool is_function(const struct line *line)
{
	return strchr("tTwW", line->kind) && strncmp(line->name, "__pfx_", 6) != 0;
}

static struct prof_error *add(struct prof_kallsyms *symbols, const struct line *line)
{
	if (!prof_array_reserve(&symbols->names, line->length + 1) ||
		!prof_array_reserve(&symbols->symbols, 1))
		return prof_error_nomem();
	symbols->symbols.items[symbols->symbols.count++] =
		(struct symbol){line->address, symbols->names.count, strspn(line->name, "_")};
	memcpy(symbols->names.items + symbols->names.count, line->name, line->length);
	symbols->names.count += line->length;
	symbols->names.items[symbols->names.count++] = '\0';
	return NULL;
}

/*
 * The last of several symbols at one address is found.  As in perf, that is the one with the fewest
 * underscores: the others are often aliases for the linker.
 */
static int compare(const void *left, const void *right)
{
	const struct symbol *a = left;
	const struct symbol *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->underscores != b->underscores)
		return a->underscores > b->underscores ? -1 : 1;
	return a->name > b->name ? -1 : a->name < b->name;
}

static struct prof_error *read_lines(struct prof_kallsyms *symbols, FILE *file)
{
	AUTO_FREE char *text = NULL;
	struct prof_error *error = NULL;
	size_t room = 0;
	struct line line;

	while (!error && getline(&text, &room, file) > 0) {
		if (cut(text, &line) && is_function(&line))
			error = add(symbols, &line);
	}
	if (!error && symbols->symbols.count)
		qsort(symbols->symbols.items, symbols->symbols.count,
			sizeof *symbols->symbols.items, compare);
	return error;
}

bool prof_kallsyms_is_object(const char *path)
{
	return !strcmp(path, PROF_KERNEL_OBJECT);
}

struct prof_error *prof_kallsyms_read(const char *path, struct prof_kallsyms **ret)
{
	FILE *file = fopen(path ? path : LIST, "re");

	if (!file)
		return prof_error_create(PROF_ERROR_SYSTEM, "\"%s\" cannot be read: %s.",
			path ? path : LIST, strerror(errno));
	struct prof_kallsyms *symbols = calloc(1, sizeof *symbols);
	struct prof_error *error = symbols ? read_lines(symbols, file) : prof_error_nomem();
	fclose(file);
	if (error) {
		prof_kallsyms_destroy(symbols);
		return error;
	}
	*ret = symbols;
	return NULL;
}

void prof_kallsyms_destroy(struct prof_kallsyms *symbols)
{
	if (!symbols)
		return;
	free(symbols->symbols.items);
	free(symbols->names.items);
	free(symbols->by_name);
	free(symbols);
}

const char *prof_kallsyms_find(const struct prof_kallsyms *symbols, uint64_t address, uint64_t *low)
{
	size_t below = prof_ranges_below(symbols->symbols.items, symbols->symbols.count,
		sizeof *symbols->symbols.items, address);

	if (!below || !symbols->symbols.items[below - 1].low)
		return NULL;
	*low = symbols->symbols.items[below - 1].low;
	return symbols->names.items + symbols->symbols.items[below - 1].name;
}

static const char *name_of(const struct prof_kallsyms *symbols, uint32_t place)
{
	return symbols->names.items + symbols->symbols.items[place].name;
}

static int compare_names(const void *left, const void *right, void *symbols)
{
	return strcmp(name_of(symbols, *(const uint32_t *)left),
		name_of(symbols, *(const uint32_t *)right));
}

struct prof_error *prof_kallsyms_index(struct prof_kallsyms *symbols)
{
	size_t count = symbols->symbols.count;
	uint32_t *by_name = malloc((count + 1) * sizeof *by_name);

	if (!by_name)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		by_name[i] = i;
	qsort_r(by_name, count, sizeof *by_name, compare_names, symbols);
	free(symbols->by_name);
	symbols->by_name = by_name;
	return NULL;
}

/* Is the name of the symbol at PLACE before, equal to or after the LENGTH bytes of NAME? */
static int compare_to(
	const struct prof_kallsyms *symbols, uint32_t place, const char *name, size_t length)
{
	const char *own = name_of(symbols, place);
	int order = strncmp(own, name, length);

	return order ? order : own[length] != '\0';
}

/* How far the size of the symbol at PLACE is from SIZE: it ends where the next one begins. */
static uint64_t misfit(const struct prof_kallsyms *symbols, uint32_t place, uint64_t size)
{
	uint64_t low = symbols->symbols.items[place].low;
	size_t next = place + 1;

	while (next < symbols->symbols.count && symbols->symbols.items[next].low == low)
		next++;
	if (next == symbols->symbols.count)
		return UINT64_MAX;
	uint64_t own = symbols->symbols.items[next].low - low;
	return own > size ? own - size : size - own;
}

uint64_t prof_kallsyms_address(
	const struct prof_kallsyms *symbols, const char *name, size_t length, uint64_t size)
{
	size_t count = symbols->by_name ? symbols->symbols.count : 0, at;
	uint64_t address = 0, least = 0;

	PROF_SEARCH(at, count, i, compare_to(symbols, symbols->by_name[i], name, length) < 0);
	for (; at < count && !compare_to(symbols, symbols->by_name[at], name, length); at++) {
		uint32_t place = symbols->by_name[at];
		uint64_t distance = misfit(symbols, place, size);
		if (!address || distance < least) {
			address = symbols->symbols.items[place].low;
			least = distance;
		}
	}
	return address;
}

bool prof_kallsyms_shown(void)
{
	FILE *file = fopen(LIST, "re");
	AUTO_FREE char *text = NULL;
	struct line line;
	size_t room = 0;
	bool shown = false;

	if (!file)
		return false;
	while (!shown && getline(&text, &room, file) > 0)
		shown = cut(text, &line) && is_function(&line) && line.address;
	fclose(file);
	return shown;
}
