/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What comes before a recording: is there anything to record, and what must the user know of it? */
#ifndef PROF_PLUGIN_SESSION_PRELUDE_H
#define PROF_PLUGIN_SESSION_PRELUDE_H

#include "base/error.h"

#include <sys/types.h>

struct engine;
struct prof_experiment;
struct prof_queue;
struct prof_recorder;
struct prof_text;
struct session_request;

/*
 * What there is to sample, a process or a program that can be run: its file, in a new string that
 * the caller frees, "" where there is none yet.  An error if it cannot run.
 */
struct prof_error *prelude_check(char **program) PROF_MUST_CHECK;

/* Chooses the ENGINE; WHY gets a sentence on each better one that cannot work. */
struct prof_error *prelude_choose(const struct session_request *request, struct prof_text *why,
	const struct engine **engine) PROF_MUST_CHECK;

/* Describes in EXPERIMENT how ENGINE records PROGRAM, which it takes. */
struct prof_error *prelude_describe(struct prof_experiment *experiment,
	const struct session_request *request, const struct engine *engine,
	char *program) PROF_MUST_CHECK;

/* Names the program of EXPERIMENT, if there was none as it began. */
struct prof_error *prelude_name(struct prof_experiment *experiment) PROF_MUST_CHECK;

/*
 * Makes EXPERIMENT that of the rank that PROCESS has, as its environment says; 0: that GDB has.
 * Nothing happens if it has none, or if the experiment has one already.
 */
struct prof_error *prelude_rank(struct prof_experiment *experiment, pid_t process) PROF_MUST_CHECK;

/*
 * Starts to record EXPERIMENT from QUEUE: into the file that REQUEST names, or into a new one of
 * the folder it names, or in memory.  *OUTPUT gets the file, "" for none, in a new string.
 */
struct prof_error *prelude_open(const struct session_request *request,
	struct prof_experiment *experiment, struct prof_queue *queue, char **output,
	struct prof_recorder **ret) PROF_MUST_CHECK;

/* Adds at what rate and how what REQUEST asks for is recorded, without a full stop. */
void prelude_say(
	struct prof_text *text, const struct session_request *request, const struct engine *engine);

#endif
