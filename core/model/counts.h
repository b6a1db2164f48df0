/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What a program has counted itself, as gmon.out has it: how often it was met at which address, and
 * how often each call was made.  There are no stacks, so that of an experiment with counts
 * `prof-gprof` alone can be shown.
 */
#ifndef PROF_MODEL_COUNTS_H
#define PROF_MODEL_COUNTS_H

#include "model/experiment.h"

struct prof_image; /* target/image.h */

/* How often the program was met in each of the equal parts of a range of addresses. */
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
	unsigned word;                         /* bytes of an address in the files: 4 or 8 */
	bool big_endian;                       /* the files are */
	uint32_t rate;                         /* so many times what it met make one of DIMENSION */
	char dimension[PROF_COUNTS_DIMENSION]; /* "seconds" */
	char unit;                             /* how it is abbreviated: 's' */
	PROF_ARRAY(struct prof_histogram) histograms; /* none overlap */
	PROF_ARRAY(struct prof_counts_arc) arcs;      /* in the order of the files */

	/* What the addresses are, once the program is known: see callgraph/program.h. */
	struct prof_image *image;
	void (*release)(struct prof_image *image); /* frees it; NULL: there is none */
	uint32_t *functions; /* by function of the image: that of the experiment */
};

/* NULL is fine. */
void prof_counts_destroy(struct prof_counts *counts);

/*
 * The histogram from LOW to HIGH with BINS bins, added with all of them 0 if it is new; borrowed
 * until the next is added.  *WRONG says what is wrong with it, "overlaps ...", where it can't stand
 * beside the others; it is then NULL.
 */
struct prof_error *prof_counts_histogram(struct prof_counts *counts, uint64_t low, uint64_t high,
	size_t bins, struct prof_histogram **ret, const char **wrong) PROF_MUST_CHECK;

/* Adds what FROM holds to INTO, whose program is not known yet.  PATH, of FROM, is for messages. */
struct prof_error *prof_counts_add(
	struct prof_counts *into, const struct prof_counts *from, const char *path) PROF_MUST_CHECK;

/* Bytes of code, in units of two, that each bin stands for. */
double prof_counts_scale(const struct prof_counts *counts);

#endif
