/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The session: the experiment at hand, and the recording that goes on. */
#ifndef PROF_PLUGIN_SESSION_SESSION_H
#define PROF_PLUGIN_SESSION_SESSION_H

#include "base/progress.h"
#include "base/text.h"
#include "parallel/user_stacks.h"

#include <stdbool.h>

struct prof_archive_figures;
struct prof_experiment;
struct session_request;

/* Begins to record, and forgets the last recording, or what was loaded. */
struct prof_error *session_start(
	const struct session_request *request, struct prof_text *text) PROF_MUST_CHECK;

/*
 * Ends the recording, and puts everything back; TEXT gets a report of it.  If nothing is being
 * recorded, this and the next three report that in TEXT, which is no error.
 */
struct prof_error *session_stop(struct prof_text *text) PROF_MUST_CHECK;

/*
 * As dbx's collector pause and resume: each leaves a mark, and reports in TEXT what it did; a
 * second time changes nothing.
 */
struct prof_error *session_pause(struct prof_text *text) PROF_MUST_CHECK;
struct prof_error *session_resume(struct prof_text *text) PROF_MUST_CHECK;

/* Makes a mark now, with LABEL, and reports it in TEXT. */
struct prof_error *session_mark(const char *label, struct prof_text *text) PROF_MUST_CHECK;

/* Is a recording going on?  session_check(): an error if none is. */
bool session_records(void);
struct prof_error *session_check(void) PROF_MUST_CHECK;

/*
 * Has NOTIFY called before GDB's prompt if the program has stopped since the last one, while
 * something is recorded.
 */
void session_notify_stops(void (*notify)(void));

/* Adds what is going on to TEXT. */
struct prof_error *session_status(struct prof_text *text) PROF_MUST_CHECK;

/*
 * Saves the experiment at hand, all its frames resolved, to PATH: with an archive, unless ARCHIVE,
 * which says what is in it then, is NULL.
 */
struct prof_error *session_save(const char *path, struct prof_archive_figures *archive,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Puts EXPERIMENT, which it takes, in the place of the one at hand. */
struct prof_error *session_load(struct prof_experiment *experiment) PROF_MUST_CHECK;

/*
 * The experiment at hand with all its frames resolved, for a view: nobody changes it until
 * session_return().  An error if there is none.
 */
struct prof_error *session_borrow(
	const struct prof_progress *progress, const struct prof_experiment **ret) PROF_MUST_CHECK;
void session_return(void);

/* The same, with the stacks as MODE says: what it gives may be made of the one at hand. */
struct prof_error *session_borrow_stacks(enum prof_stacks mode,
	const struct prof_progress *progress, const struct prof_experiment **ret) PROF_MUST_CHECK;

/*
 * The number of the experiment that was made for MODE; another one that is made has another number.
 * 0: session_borrow_stacks() gives the one at hand.
 */
uint64_t session_stacks_version(enum prof_stacks mode);

/* The experiment at hand or NULL, not resolved, until session_return(), which is called always. */
const struct prof_experiment *session_peek(void);

#endif
