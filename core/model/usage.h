/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What a whole process has used, and uses, at one time: the figures of marks.  They are of all
 * threads together, so they have no stack, and are no metrics.
 */
#ifndef PROF_MODEL_USAGE_H
#define PROF_MODEL_USAGE_H

#include <stdint.h>

enum prof_usage_figure {
	PROF_USAGE_RUNNING,     /* ns that it went on and was recorded: the marker knows */
	PROF_USAGE_USER,        /* ns on a CPU in the program's code */
	PROF_USAGE_SYSTEM,      /* ns on a CPU in system calls */
	PROF_USAGE_MINOR,       /* page faults without input */
	PROF_USAGE_MAJOR,       /* page faults that had to be read */
	PROF_USAGE_VOLUNTARY,   /* context switches of threads that went to sleep */
	PROF_USAGE_INVOLUNTARY, /* context switches of threads that wanted to go on */
	PROF_USAGE_BLOCKS_IN,   /* bytes from block devices */
	PROF_USAGE_BLOCKS_OUT,  /* bytes to block devices */
	PROF_USAGE_READ,        /* bytes that system calls have read, from wherever */
	PROF_USAGE_WRITTEN,     /* bytes that system calls have written */
	PROF_USAGE_RESIDENT,    /* bytes of memory */
	PROF_USAGE_PEAK,        /* the most of these so far */
	PROF_USAGE_THREADS,
	PROF_USAGES,
};

/* A figure that is not known. */
#define PROF_USAGE_UNKNOWN INT64_C(-1)

/* No figure is larger: any two can be subtracted. */
#define PROF_USAGE_LARGEST (INT64_MAX / 2)

struct prof_usage {
	int64_t figures[PROF_USAGES]; /* 0 to PROF_USAGE_LARGEST, or PROF_USAGE_UNKNOWN */
};

/* What becomes of a figure over an interval. */
enum prof_usage_kind {
	PROF_USAGE_GROWS, /* it counts up: the difference */
	PROF_USAGE_LEVEL, /* a state: that at the end */
	PROF_USAGE_MOST,  /* the largest so far: that at the end, and the largest of several */
};

/* The figures: one table. */
extern const struct prof_usage_row {
	const char *name;  /* in csv, json and the file: "user" */
	const char *title; /* "User CPU" */
	const char *unit;  /* of what is shown: "sec.", "bytes", or "" */
	int64_t units;     /* by which a figure is divided to show it */
	int places;        /* decimals that text shows */
	enum prof_usage_kind kind;
} prof_usage_table[PROF_USAGES];

/* USAGE with nothing known. */
void prof_usage_clear(struct prof_usage *usage);

#endif
