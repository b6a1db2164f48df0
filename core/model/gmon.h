/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The counts of a gmon.out: a histogram of the addresses where the program was, and the number of
 * calls from each address to each function.  They have no stacks, so only `prof-gprof` shows them.
 * The symbols of the program say which functions and lines the addresses are of.
 */
#ifndef PROF_MODEL_GMON_H
#define PROF_MODEL_GMON_H

#include "base/error.h"
#include "base/memory.h"
#include "model/image_symbols.h"

/* A range of addresses in equal parts: in each of them gmon counts how often the program was there.
 */
struct prof_histogram {
	uint64_t low, high; /* first byte, and the byte after the last */
	uint32_t parts;     /* at least one */
};

/* A part of a histogram in which the program was sampled. */
struct prof_bin {
	uint32_t histogram; /* its number */
	uint32_t part;      /* from 0 */
	uint32_t samples;   /* not 0; the experiment's file calls them ticks */
};

struct prof_gmon_arc {
	uint64_t from, to; /* the call's instruction, and the function that was called */
	uint32_t calls;
};

enum {
	PROF_GMON_DIMENSION = 16,
	PROF_GMON_HISTOGRAMS = 4096, /* at most: each is compared with each */
};

struct prof_gmon {
	uint32_t word;                       /* bytes of an address in the files: 4 or 8; */
					     /* 0: there is no gmon.out, and nothing follows */
	bool big_endian;                     /* the files are */
	uint32_t rate;                       /* samples of the histogram per DIMENSION */
	char dimension[PROF_GMON_DIMENSION]; /* "seconds" */
	char unit[2];                        /* how it is abbreviated: "s" */
	PROF_ARRAY(struct prof_histogram) histograms; /* none overlap */
	PROF_ARRAY(struct prof_bin) bins;             /* by histogram and part, each once */
	PROF_ARRAY(struct prof_gmon_arc) arcs;        /* in the order of the files */

	/* The program's; none: it is not known yet.  The experiment owns their strings. */
	struct prof_image_symbols functions;
	struct prof_image_symbols lines; /* the functions are among them too */
};

/* Frees what GMON holds. */
void prof_gmon_deinit(struct prof_gmon *gmon);

/*
 * Can UNIT abbreviate DIMENSION, and can RATE be the rate of its samples?  Without a histogram they
 * are 0 and "".
 */
bool prof_gmon_is_measure(uint32_t rate, const char *dimension, const char *unit);

/*
 * The number of the histogram from LOW to HIGH in so many PARTS.  A new one is added, without bins.
 * Where it does not fit the others, *WRONG says why, and else is NULL: "overlaps ...".
 */
struct prof_error *prof_gmon_histogram(struct prof_gmon *gmon, uint64_t low, uint64_t high,
	uint32_t parts, uint32_t *ret, const char **wrong) PROF_MUST_CHECK;

/* Adds SAMPLES, which may be 0, to a part of HISTOGRAM; prof_gmon_add_up() comes later. */
struct prof_error *prof_gmon_sample(struct prof_gmon *gmon, uint32_t histogram, uint32_t part,
	uint32_t samples) PROF_MUST_CHECK;

/* Makes one bin of those of the same part.  False: a sum is too large. */
bool prof_gmon_add_up(struct prof_gmon *gmon);

/* Bytes of code, in units of two, that each part of a histogram stands for. */
double prof_gmon_scale(const struct prof_gmon *gmon);

#endif
