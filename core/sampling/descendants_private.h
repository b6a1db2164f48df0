/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of descendants share: descendants.c samples them, descendants_members.c finds
 * them. */
#ifndef PROF_SAMPLING_DESCENDANTS_PRIVATE_H
#define PROF_SAMPLING_DESCENDANTS_PRIVATE_H

#include "recording/look.h"
#include "sampling/descendants.h"
#include "sampling/family.h"
#include "sampling/family_events.h"
#include "sampling/family_waits.h"
#include "sampling/layout.h"
#include "sampling/walker.h"

#include <pthread.h>

/* ms: what there is is read so often at least. */
enum { PROF_DESCENDANTS_SOON = 100 };

struct prof_descendants {
	struct prof_descendants_options options;
	struct prof_family_events *events;
	struct prof_layouts *layouts;
	struct prof_family family;
	struct prof_family_waits *waits;
	char *group;     /* folder of the control group that is followed, or NULL */
	int64_t regroup; /* ns of CLOCK_MONOTONIC: when it is to be read again */
	struct prof_stack stack;
	struct prof_figures figures;
	struct prof_descendants_figures said;
	double due;      /* samples that what was reported stands for, and that were not reported */
	double rounds;   /* periods of the time that processes went on, that were not reported */
	int64_t counted; /* until when the duration was */
	int64_t used;    /* ns of CPU time of the thread that were reported */
	bool paused;
	pthread_mutex_t mutex; /* of all this */
	pthread_t thread;
	int wake; /* ends the thread */
};

/* All below is called under the mutex. */

/* Reports what the kernel has told before UNTIL, ns of CLOCK_MONOTONIC. */
void prof_descendants_read(struct prof_descendants *descendants, int64_t until);

/* Takes in what has come into the control group; the error is that of the first process that was
 * refused. */
struct prof_error *prof_descendants_read_group(
	struct prof_descendants *descendants) PROF_MUST_CHECK;

#endif
