/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the calls of functions are counted: by patches, or at breakpoints, and why. */
#ifndef PROF_PLUGIN_CALLS_COUNTING_WAYS_H
#define PROF_PLUGIN_CALLS_COUNTING_WAYS_H

#include "base/text.h"

/* Adds that, in sentences, for what is counted now. */
void counting_ways_say(struct prof_text *text);

#endif
