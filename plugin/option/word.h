/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words that options and settings take, from the tables that they choose from. */
#ifndef PROF_PLUGIN_OPTION_WORD_H
#define PROF_PLUGIN_OPTION_WORD_H

#include <stddef.h>

/* The word number INDEX, or NULL after the last. */
const char *word_of_engine(size_t index); /* the first is "auto" */
const char *word_of_clock(size_t index);
const char *word_of_switch(size_t index);
const char *word_of_degree(size_t index); /* of collapse */

/* The names of this machine's counters, without its thousands of tracepoints.  Index 0 reads the
 * list again, which frees the earlier words. */
const char *word_of_counter(size_t index);

#endif
