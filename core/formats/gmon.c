/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/gmon.h"

#include "base/file.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "model/experiment.h"
#include "model/gmon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEADER = 20, VERSION = 1, DIMENSION = 15 };

static const char magic[] = {'g', 'm', 'o', 'n'};

/* The file, as one of its possible word sizes and byte orders. */
struct gmon {
	const char *path;
	const unsigned char *bytes;
	size_t length, at;
	size_t record; /* where the current record begins */
	struct prof_gmon *to;
};

bool prof_gmon_probe(const char *bytes, size_t length)
{
	/* The version, in either byte order; without its zeroes it could be text. */
	return length >= HEADER && !memcmp(bytes, magic, sizeof magic) &&
		memchr(bytes + sizeof magic, '\0', 4);
}

/* The error that the file is damaged: the current record does what FORMAT says. */
static struct prof_error *PROF_PRINTF(2, 3)
	damaged(const struct gmon *gmon, const char *format, ...)
{
	char place[PROF_DAMAGE_PLACE];
	va_list arguments;

	snprintf(place, sizeof place, "the record at byte %zu", gmon->record);
	va_start(arguments, format);
	struct prof_error *error = prof_damage(gmon->path, place, format, arguments);
	va_end(arguments);
	return error;
}

static bool has_left(const struct gmon *gmon, size_t size)
{
	return size <= gmon->length - gmon->at;
}

/* The number in the next SIZE bytes, which must be there. */
static uint64_t take(struct gmon *gmon, size_t size)
{
	const unsigned char *bytes = gmon->bytes + gmon->at;
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++)
		number = number << 8 | bytes[gmon->to->big_endian ? i : size - 1 - i];
	gmon->at += size;
	return number;
}

/* Reads the dimension and unit of a histogram.  All histograms must agree in these and RATE. */
static struct prof_error *read_dimension(struct gmon *gmon, uint32_t rate)
{
	struct prof_gmon *to = gmon->to;
	char dimension[PROF_GMON_DIMENSION] = "", unit[2] = "";

	memcpy(dimension, gmon->bytes + gmon->at, DIMENSION);
	gmon->at += DIMENSION;
	*unit = (char)gmon->bytes[gmon->at++];
	if (!prof_gmon_is_measure(rate, dimension, unit))
		return damaged(gmon, "does not say what it counts");
	if (!to->histograms.count) {
		to->rate = rate;
		memcpy(to->unit, unit, sizeof unit);
		memcpy(to->dimension, dimension, sizeof dimension);
	}
	if (strcmp(unit, to->unit) != 0 || strcmp(dimension, to->dimension) != 0)
		return damaged(gmon, "counts something else than the records before it");
	return NULL;
}

static struct prof_error *read_histogram(struct gmon *gmon)
{
	size_t word = gmon->to->word;
	const char *wrong;
	uint32_t histogram;

	if (!has_left(gmon, 2 * word + 8 + DIMENSION + 1))
		return damaged(gmon, "is cut off");
	uint64_t low = take(gmon, word);
	uint64_t high = take(gmon, word);
	uint32_t bins = (uint32_t)take(gmon, 4);
	uint32_t rate = (uint32_t)take(gmon, 4);
	struct prof_error *error = read_dimension(gmon, rate);
	if (error)
		return error;
	if (low >= high || !bins)
		return damaged(gmon, "has an empty range of addresses");
	if (!has_left(gmon, 2 * (size_t)bins))
		return damaged(gmon, "is cut off");
	error = prof_gmon_histogram(gmon->to, low, high, bins, &histogram, &wrong);
	if (!error && wrong)
		error = damaged(gmon, "%s", wrong);
	for (uint32_t i = 0; !error && i < bins; i++)
		error = prof_gmon_sample(gmon->to, histogram, i, (uint32_t)take(gmon, 2));
	return error;
}

static struct prof_error *read_arc(struct gmon *gmon)
{
	size_t word = gmon->to->word;

	if (!has_left(gmon, 2 * word + 4))
		return damaged(gmon, "is cut off");
	struct prof_gmon_arc *arc = prof_array_push(&gmon->to->arcs);
	if (!arc)
		return prof_error_nomem();
	arc->from = take(gmon, word);
	arc->to = take(gmon, word);
	arc->calls = (uint32_t)take(gmon, 4);
	return NULL;
}

static struct prof_error *read_blocks(struct gmon *gmon)
{
	if (!has_left(gmon, 4))
		return damaged(gmon, "is cut off");
	uint64_t count = take(gmon, 4);
	size_t size = 2 * gmon->to->word;
	if (count > (gmon->length - gmon->at) / size)
		return damaged(gmon, "is cut off");
	gmon->at += count * size;
	return NULL;
}

static struct prof_error *read_records(struct gmon *gmon)
{
	static struct prof_error *(*const kinds[])(struct gmon * gmon) = {
		read_histogram, read_arc, read_blocks};
	struct prof_error *error = NULL;

	while (!error && gmon->at < gmon->length) {
		gmon->record = gmon->at;
		unsigned char kind = gmon->bytes[gmon->at++];
		error = kind < PROF_COUNT(kinds) ? kinds[kind](gmon)
						 : damaged(gmon, "is of an unknown kind");
	}
	if (!error && !prof_gmon_add_up(gmon->to))
		error = damaged(gmon, "has too many samples with those before it");
	return error;
}

/*
 * Reads the file in words of WORD and in BIG_ENDIAN or little endian order; *AT becomes the record
 * where reading stopped.
 */
static struct prof_error *read_as(
	const struct gmon *file, unsigned word, bool big_endian, size_t *at, struct prof_gmon *ret)
{
	struct prof_gmon to = {.word = word, .big_endian = big_endian};
	struct gmon gmon = *file;

	gmon.at = HEADER;
	gmon.to = &to;
	struct prof_error *error = read_records(&gmon);
	*at = gmon.record;
	if (error)
		prof_gmon_deinit(&to);
	else
		*ret = to;
	return error;
}

/*
 * Reports the damage that was found last in the file: its word size is more likely the right one.
 */
static struct prof_error *read_words(
	const struct gmon *file, bool big_endian, struct prof_gmon *ret)
{
	size_t at, other_at;
	struct prof_error *error = read_as(file, 8, big_endian, &at, ret);

	if (!error || prof_error_code(error) != PROF_ERROR_DAMAGED)
		return error;
	struct prof_error *other = read_as(file, 4, big_endian, &other_at, ret);
	bool better = !other || other_at > at;
	prof_error_destroy(better ? error : other);
	return better ? other : error;
}

struct prof_error *prof_gmon_parse(
	const char *bytes, size_t length, const char *path, struct prof_gmon *ret)
{
	struct gmon gmon = {.path = path, .bytes = (const unsigned char *)bytes, .length = length};
	static const unsigned char little[4] = {VERSION}, big[4] = {[3] = VERSION};

	if (!prof_gmon_probe(bytes, length))
		return prof_file_mistaken(path, "a gmon.out", "it does not begin as one");
	if (!memcmp(bytes + sizeof magic, little, sizeof little))
		return read_words(&gmon, false, ret);
	if (!memcmp(bytes + sizeof magic, big, sizeof big))
		return read_words(&gmon, true, ret);
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The file \"%s\" is a gmon.out of an unknown version: gdbprof reads version %d.",
		path, VERSION);
}

/* Reads the file PATH into a new array. */
static struct prof_error *read_file(const char *path, char **ret, size_t *length)
{
	struct stat status;
	size_t size = stat(path, &status) ? 0 : (size_t)status.st_size;
	AUTO_FREE char *bytes = malloc(size + 1);
	struct prof_error *error =
		bytes ? prof_import_fill(path, bytes, size, length) : prof_error_nomem();

	if (!error)
		*ret = steal(&bytes);
	return error;
}

struct prof_error *prof_gmon_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_FREE char *bytes = NULL;
	size_t length = 0;
	struct prof_error *error = prof_import_create(path, &experiment);

	(void)progress;
	if (!error)
		error = read_file(path, &bytes, &length);
	if (!error)
		error = prof_gmon_parse(bytes, length, path, &experiment->gmon);
	if (!error)
		*ret = steal(&experiment);
	return error;
}
