/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The fields of struct prof_recording: one table, which all follow that create, write, read, check,
 * add up and dump them.
 */
#ifndef PROF_MODEL_RECORDING_FIELDS_H
#define PROF_MODEL_RECORDING_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct prof_recording;

enum prof_field_type {
	PROF_FIELD_TEXT,   /* char *, never NULL */
	PROF_FIELD_TIME,   /* int64_t, 0 or more, at most PROF_TIME_MOST */
	PROF_FIELD_NUMBER, /* uint64_t */
	PROF_FIELD_RATE,   /* double, finite, 0 or more */
};

/* What the field of a sum is, when one recording is added to another. */
enum prof_field_sum {
	PROF_SUM_LIST,        /* a list of both texts, "one, other" */
	PROF_SUM_TOTAL,       /* their sum, or the most that the type can hold */
	PROF_SUM_EXPERIMENTS, /* the same, where 0 stands for 1 */
	PROF_SUM_MEAN,        /* their mean over the durations; a rate that is 0 does not count */
	PROF_SUM_LARGEST,
	PROF_SUM_EARLIEST, /* the smaller one of those that are not 0 */
	PROF_SUM_KNOWN,    /* that of the sum, unless it is 0 */
	PROF_SUM_FIRST,    /* that of the sum: what it has describes its first part only */
	PROF_SUM_BITS,     /* what is set in either */
};

extern const struct prof_recording_field {
	const char *name; /* in the file and in what is exported */
	enum prof_field_type type;
	size_t offset; /* bytes: of the field in struct prof_recording */
	enum prof_field_sum sum;
	int version; /* of the file: the first that has it, see store/schema.h */
} prof_recording_fields[];
extern const size_t prof_recording_field_count;

/* The address of FIELD in RECORDING, to read or to change; borrowed. */
static inline const void *prof_recording_get(
	const struct prof_recording *recording, const struct prof_recording_field *field)
{
	return (const char *)recording + field->offset;
}

static inline void *prof_recording_at(
	struct prof_recording *recording, const struct prof_recording_field *field)
{
	return (char *)recording + field->offset;
}

/* Does RECORDING have anything but 0 or "" there? */
bool prof_recording_has(
	const struct prof_recording *recording, const struct prof_recording_field *field);

/* Makes RECORDING, all zeroes, one of which nothing is known.  False: no memory. */
bool prof_recording_init(struct prof_recording *recording);

void prof_recording_deinit(struct prof_recording *recording);

/* Asserts what the types promise. */
void prof_recording_check(const struct prof_recording *recording);

#endif
