/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the session share. */
#ifndef PROF_PLUGIN_SESSION_PRIVATE_H
#define PROF_PLUGIN_SESSION_PRIVATE_H

#include "plugin/gdb/symbols_line.h"
#include "plugin/session/spaces.h"
#include "plugin/engine/engine.h"
#include "plugin/session/session.h"
#include "recording/recorder.h"
#include "sampling/marker.h"

/* GDB is one, and so is its session. */
struct session {
	struct prof_experiment *experiment; /* at hand; NULL: none yet */
	size_t resolved;                    /* frames of it that are */
	size_t asked;                       /* frames that GDB was asked about, if only early */
	size_t objects;                     /* of it that were looked up: locks and the like */
	size_t called;                      /* paths of it whose call targets were read */
	size_t classified;                  /* paths of it that have classes, or need none */
	struct symbols_lines lines;         /* files that names and lines of it come from */

	/* Made of it for views, by enum prof_stacks; NULL: not yet. */
	struct session_stacks {
		struct prof_experiment *experiment;
		uint64_t changes; /* of the one at hand, when this was made */
		uint64_t version; /* of all that were made, its number from 1 on */
	} stacks[PROF_STACKS_MODES];
	uint64_t stacks_made;

	/* While it is being recorded; NULL otherwise. */
	struct prof_recorder *recorder;
	struct prof_queue *queue;
	struct prof_marker *marker;
	const struct engine *engine;
	char *output;  /* file, or "" */
	bool naming;   /* GDB is going to call name_generated() */
	int64_t named; /* when it did last, ns of CLOCK_MONOTONIC */
	bool ending;   /* it is over, and ends as soon as the target can be reached */
	pid_t left;    /* process that an inferior has lost as it went on; 0: none */

	void (*notify)(void); /* see session_notify_stops(); NULL: nobody */
	bool stopped;         /* since GDB's last prompt */

	char *news; /* a line that the user has not seen yet; NULL: none */
};

extern struct session session;

/* Ends a recording that is over, if that could not be done at once. */
void session_settle(void);

/* Nothing of the experiment at hand is known any more: it is another one. */
void session_forget(void);

/* Notes what the recorder, if there is one, could not do; it is locked. */
void session_note_failure(void);

/* The recording is full, or its file cannot be written: only marks are recorded from now on. */
void session_fill(void);

/* Prints, once, why a recording has ended that the user has not ended.  GDB shows its prompt next.
 */
void session_announce(void);

/*
 * Resolves what is not resolved yet; the experiment is locked.  Some of it has to wait while GDB is
 * letting go of the load object GOING, see symbols_resolve().
 */
struct prof_error *session_resolve(
	const struct going *going, const struct prof_progress *progress) PROF_MUST_CHECK;

/* The same while a program goes on that generates code: what has no name yet may get one. */
struct prof_error *session_resolve_early(const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
