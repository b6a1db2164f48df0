/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Profiles of pprof: formats/pprof.proto, gzip'd or not.
 *
 * What a sample counts is its value "samples", or else that of the default type, which is the last
 * one where the file names none.  Values of the types user, system, runqueue, lock, fault and
 * other, cpu, delay (lock) and wall are times, where their unit is one; cpu is user time unless the
 * label "state" tells of system, and left out where there are user and system; what is left of wall
 * is of the state that the label tells.  The labels "thread" and "thread_id" tell the thread.
 *
 * A location with an address is a frame there; where another process had other code there, or where
 * there is no address, each of its lines is a frame.
 */
#ifndef PROF_FORMATS_PPROF_H
#define PROF_FORMATS_PPROF_H

#include "base/progress.h"
#include "model/experiment.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows of prof_imports[], see there. */
bool prof_pprof_probe(const char *bytes, size_t length);
struct prof_error *prof_pprof_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
