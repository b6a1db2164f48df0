/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The counts of a gmon.out: a histogram of the addresses where the program was, and the number of
 * calls from each address to each function.  They have no stacks, so only `prof-gprof` shows them.
 */
#ifndef PROF_MODEL_COUNTS_H
#define PROF_MODEL_COUNTS_H

#include "model/experiment.h"

struct prof_image; /* target/image.h */

/* How often the program was in each of the equal parts of a range of addresses. */
struct prof_histogram {
	uint64_t low, high;
	PROF_ARRAY(uint32_t) bins; /* at least one */
};

struct prof_counts_arc {
	uint64_t from, to; /* the call's instruction, and the function that was called */
	uint64_t calls;
};

enum { PROF_COUNTS_DIMENSION = 16 };

struct prof_counts {
	unsigned word;                                /* bytes of an address in the files: 4 or 8 */
	bool big_endian;                              /* the files are */
	uint32_t rate;                                /* ticks of the histogram per DIMENSION */
	char dimension[PROF_COUNTS_DIMENSION];        /* "seconds" */
	char unit;                                    /* how it is abbreviated: 's' */
	PROF_ARRAY(struct prof_histogram) histograms; /* none overlap */
	PROF_ARRAY(struct prof_counts_arc) arcs;      /* in the order of the files */

	/* The program, once it is known: see callgraph/program.h. */
	struct prof_image *image;
	void (*release)(struct prof_image *image); /* frees it; NULL: there is none */
	uint32_t *functions; /* by function of the image: that of the experiment */
};

/* NULL is fine. */
void prof_counts_destroy(struct prof_counts *counts);

/*
 * The histogram from LOW to HIGH with BINS bins.  A new one is added, with all bins 0.  *RET is
 * borrowed until the next one is added.  Where it does not fit the others, *RET is NULL, and *WRONG
 * says why: "overlaps ...".
 */
struct prof_error *prof_counts_histogram(struct prof_counts *counts, uint64_t low, uint64_t high,
	size_t bins, struct prof_histogram **ret, const char **wrong) PROF_MUST_CHECK;

/* Adds what FROM holds to INTO, whose program is not known yet.  PATH, of FROM, is for messages. */
struct prof_error *prof_counts_add(
	struct prof_counts *into, const struct prof_counts *from, const char *path) PROF_MUST_CHECK;

/* Bytes of code, in units of two, that each bin stands for. */
double prof_counts_scale(const struct prof_counts *counts);

#endif
