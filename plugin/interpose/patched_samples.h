/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What samples of a process with patches (patched_process.h) need: where a thread is without them,
 * and where its functions return.
 */
#ifndef PROF_PLUGIN_INTERPOSE_PATCHED_SAMPLES_H
#define PROF_PLUGIN_INTERPOSE_PATCHED_SAMPLES_H

#include "target/diversion.h"

/* Of the process with patches; while there is none, no return is diverted. */
extern const struct prof_diversion patched_samples_diversion;

/* From now on samplers learn where threads in islands would be without patches. */
void patched_samples_begin(void);

#endif
