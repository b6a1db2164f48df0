/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/mpi_settings.h"

#include "base/memory.h"
#include "plugin/option/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t most_bytes = UINT64_C(1) << 40;

enum { MOST_FLUSHES = 1000000000 };

const char *mpi_settings_stacks_word(size_t index)
{
	static const char *const words[] = {"0", "1"};

	return index < PROF_COUNT(words) ? words[index] : NULL;
}

const char *mpi_settings_verbose_word(size_t index)
{
	static const char *const words[] = {"0", "1", "2"};

	return index < PROF_COUNT(words) ? words[index] : NULL;
}

const char *mpi_settings_variable(const char *name)
{
	static const struct {
		const char *name, *variable;
	} variables[] = {
		{"mpi-stacks", "VT_STACKS"},
		{"mpi-buffer-size", "VT_BUFFER_SIZE"},
		{"mpi-max-flushes", "VT_MAX_FLUSHES"},
		{"mpi-verbose", "VT_VERBOSE"},
	};

	for (size_t i = 0; i < PROF_COUNT(variables); i++) {
		if (!strcmp(variables[i].name, name))
			return variables[i].variable;
	}
	return NULL;
}

/* Reads TEXT, a whole number without a sign.  Returns what follows it; NULL: it is not a number. */
static const char *read_number(const char *text, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 10);
	return *text < '0' || *text > '9' || errno ? NULL : end;
}

static struct prof_error *read_buffer(const char *text, uint64_t *ret)
{
	static const char units[] = "KMG";
	uint64_t number;
	const char *end = read_number(text, &number);
	const char *unit = end && *end ? strchr(units, *end) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (end && unit)
		end++;
	if (!end || *end || !number || number > most_bytes >> shift)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a size: give a number of bytes, or a number with K, M or G, up to 1024G.",
			text);
	*ret = number << shift;
	return NULL;
}

static struct prof_error *read_flushes(const char *text, uint64_t *ret)
{
	const char *end = read_number(text, ret);

	return !end || *end || *ret > MOST_FLUSHES
		? prof_error_create(PROF_ERROR_USAGE,
			  "\"%s\" is not a number of flushes: give 0 for no limit, or up to %d.",
			  text, MOST_FLUSHES)
		: NULL;
}

struct prof_error *mpi_settings_check_buffer(const char *text)
{
	uint64_t bytes;

	return read_buffer(text, &bytes);
}

struct prof_error *mpi_settings_check_flushes(const char *text)
{
	uint64_t flushes;

	return read_flushes(text, &flushes);
}

struct prof_error *mpi_settings_get(struct mpi_settings *ret)
{
	AUTO_FREE char *stacks = NULL;
	AUTO_FREE char *buffer = NULL;
	AUTO_FREE char *flushes = NULL;
	AUTO_FREE char *verbose = NULL;
	struct prof_error *error = settings_get("mpi-stacks", &stacks);

	if (!error)
		error = settings_get("mpi-buffer-size", &buffer);
	if (!error)
		error = read_buffer(buffer, &ret->buffer);
	if (!error)
		error = settings_get("mpi-max-flushes", &flushes);
	if (!error)
		error = read_flushes(flushes, &ret->flushes);
	if (!error)
		error = settings_get("mpi-verbose", &verbose);
	if (error)
		return error;
	ret->stacks = !strcmp(stacks, "1");
	ret->verbosity = (enum mpi_verbosity)(*verbose - '0');
	return NULL;
}
