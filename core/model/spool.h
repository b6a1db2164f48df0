/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A spool: a temporary file that holds the packed samples of a large sum, so that memory does not.
 */
#ifndef PROF_MODEL_SPOOL_H
#define PROF_MODEL_SPOOL_H

#include <stdint.h>

struct prof_samples;

/* Bytes of samples of a large sum that memory holds. */
enum { PROF_SPOOL_HELD = 64 << 20 };

/*
 * If more than MOST bytes of the blocks of SAMPLES are in memory, puts all of these into a file
 * without a name in the folder that TMPDIR names, or in /tmp, and has SAMPLES read them from there.
 * Where that cannot be written they stay in memory.
 */
void prof_spool_blocks(struct prof_samples *samples, uint64_t most);

/* The same with PROF_SPOOL_HELD, for code that has added a row: most rows cost nothing. */
void prof_spool_added(struct prof_samples *samples);

#endif
