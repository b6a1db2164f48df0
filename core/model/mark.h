/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marks that divide a run: what each of them is there for. */
#ifndef PROF_MODEL_MARK_H
#define PROF_MODEL_MARK_H

enum prof_mark_kind {
	PROF_MARK_START,    /* the recording begins */
	PROF_MARK_END,      /* it ends */
	PROF_MARK_PAUSE,    /* just before sampling pauses */
	PROF_MARK_RESUME,   /* just after it goes on */
	PROF_MARK_ASKED,    /* by the user's command */
	PROF_MARK_STOP,     /* the program stopped for its user */
	PROF_MARK_PERIOD,   /* a period is over */
	PROF_MARK_SIGNAL,   /* a signal came that stands for a mark */
	PROF_MARK_PROGRAM,  /* by the program itself */
	PROF_MARK_LOCATION, /* a place in the program was reached */
	PROF_MARK_FORK,     /* before and after a process was made */
	PROF_MARK_EXIT,     /* a process has ended */
	PROF_MARK_KINDS,
};

/* The words for them: "start", "end". */
extern const char *const prof_mark_names[PROF_MARK_KINDS];

/*
 * For qsort() of pointers to marks of one experiment: the earlier first; those of one time in the
 * order in which they were made.
 */
int prof_mark_compare(const void *left, const void *right);

#endif
