/* Functions as the user names them: one or several, by words that may be parts of names. */
#ifndef PROF_VIEW_NAMED_H
#define PROF_VIEW_NAMED_H

#include "experiment/experiment.h"

/* The names, as strings of the experiment.  All zeroes is none. */
struct prof_named {
	PROF_ARRAY(uint32_t) names;
};

/* Frees what NAMED holds. */
void prof_named_deinit(struct prof_named *named);
#define AUTO_NAMED PROF_AUTO(prof_named_deinit)

/*
 * Finds in TEXT, from its begin on, the longest names of functions of EXPERIMENT that are SEEN,
 * which is by function; so a function whose name is the whole text is that one.  Where there is
 * none the error tells names that are similar.
 */
struct prof_error *prof_named_read(struct prof_named *named,
	const struct prof_experiment *experiment, const bool *seen,
	const char *text) PROF_MUST_CHECK;

/*
 * The error that NAME, WHAT it could be, is in no stack, with names of functions that are SEEN, by
 * function or NULL for all, and similar.
 */
struct prof_error *prof_named_unknown(const struct prof_experiment *experiment, const bool *seen,
	const char *what, const char *name) PROF_MUST_CHECK;

#endif
