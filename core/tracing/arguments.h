/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values that traced calls got, or have returned, added up. */
#ifndef PROF_TRACING_ARGUMENTS_H
#define PROF_TRACING_ARGUMENTS_H

#include "base/value.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_argument_sum;

/*
 * What WORD, as the agent records it, of the type of LETTER is: within PROF_ARGUMENT_MOST of 0, 0
 * if it is no number.
 */
prof_value prof_argument_value(char letter, uint64_t word);

/* Adds VALUE to SUM; FIRST: it is the first one. */
void prof_argument_add(struct prof_argument_sum *sum, prof_value value, bool first);

#endif
