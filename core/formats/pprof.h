/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Profiles of pprof: formats/pprof.proto, gzip'd or not.
 *
 * What a sample counts is its value "samples", or else that of the default type, which is the last
 * one where the file names none.  Values of the types user, system, runqueue, lock, fault and
 * other, cpu, delay (lock) and wall are times, if their unit is one.  cpu is user time, or system
 * time where the label "state" is "system"; it is ignored where there are user and system.  The
 * rest of wall belongs to the state in that label.  The labels "thread" and "thread_id" name the
 * thread.
 *
 * A location with an address is a frame there.  If another process had other code there, or the
 * location has no address, each of its lines is a frame.
 */
#ifndef PROF_FORMATS_PPROF_H
#define PROF_FORMATS_PPROF_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/* Rows of prof_imports[], see there. */
bool prof_pprof_probe(const char *bytes, size_t length);
struct prof_error *prof_pprof_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
