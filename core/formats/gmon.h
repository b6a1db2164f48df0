/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Reads gmon.out, which a program writes that was built with -pg: histograms of where it was, and
 * counts of its calls.  See <sys/gmon_out.h> of the C library.
 *
 *	"gmon" VERSION SPARE[12]
 *	00 LOW HIGH BINS RATE DIMENSION[15] UNIT BIN...		a histogram
 *	01 FROM TO CALLS					a call
 *	02 BLOCKS (ADDRESS RUNS)...				counts of basic blocks
 *
 * Addresses and RUNS have the program's word size, bins have 2 bytes, other numbers 4; all are in
 * the program's byte order.  The reader tries both word sizes, and takes the one with which the
 * file makes sense up to its end.  Counts of basic blocks are checked and left out, because gprof
 * shows them only in listings of source.
 */
#ifndef PROF_FORMATS_GMON_H
#define PROF_FORMATS_GMON_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;
struct prof_gmon;

/* Rows of prof_imports[], see there.  The experiment does not know its program yet. */
bool prof_gmon_probe(const char *bytes, size_t length);
struct prof_error *prof_gmon_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

/* The same of LENGTH BYTES in memory; PATH is for messages. */
struct prof_error *prof_gmon_parse(
	const char *bytes, size_t length, const char *path, struct prof_gmon *ret) PROF_MUST_CHECK;

#endif
