/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program of a gmon.out, which has its functions and lines. */
#ifndef PROF_FORMATS_PROGRAM_H
#define PROF_FORMATS_PROGRAM_H

#include "base/progress.h"

struct prof_experiment;

/*
 * Reads the program in the file PATH, of which the gmon.out of EXPERIMENT is: its symbols become
 * those of that, and its functions the experiment's.  Where these are known already, they
 * stay, and another program is an error.  So is one that cannot be read, or is of another word size
 * or byte order.
 */
struct prof_error *prof_program_resolve(struct prof_experiment *experiment, const char *path,
	const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
