/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The processes of a recording: those of GDB's inferiors, as they come, go on, stand still and go.
 *
 * In all-stop mode GDB's events are of all inferiors or of the selected one, in non-stop mode of
 * one thread.  A process is sampled while any of its threads goes on for the user.
 */
#ifndef PROF_PLUGIN_COLLECT_INFERIORS_H
#define PROF_PLUGIN_COLLECT_INFERIORS_H

#include "base/text.h"
#include "base/error.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_marker;

/* Begins without processes; reports them to MARKER, borrowed.  Ends, whatever they do. */
void inferiors_begin(struct prof_marker *marker);
void inferiors_end(void);

/* Attaches the collectors to PROCESS, unless they are; NATIVE: it is on this machine. */
struct prof_error *inferiors_attach(pid_t process, bool native) PROF_MUST_CHECK;

/* PROCESS, if it was attached to, goes on; stands still; they all do. */
void inferiors_go_on(pid_t process);
void inferiors_stand(pid_t process);
void inferiors_stand_all(void);

/*
 * All processes that the kernel shows as standing still do: GDB went on with others alone.  BUT
 * goes on: GDB reports that at each new thread, of maybe thousands.
 */
void inferiors_stand_held(pid_t but);

/*
 * When one of several processes has ended in all-stop mode, the others stand still too, without an
 * event: asks GDB about them.  Not for GDB's events other than before_prompt.
 */
void inferiors_look(void);

/* Forgets PROCESS, which has gone. */
void inferiors_detach(pid_t process);

/* While PAUSED none is sampled, and the marker's time stands still. */
void inferiors_pause(bool paused);

/* None is sampled any more; the marker's time goes on. */
void inferiors_fill(void);

/* Is PROCESS attached to?  Does it go on?  Is it then sampled, as the user did not pause? */
bool inferiors_has(pid_t process);
bool inferiors_runs(pid_t process);
bool inferiors_samples(pid_t process);

/* The attached ones, from 0 on; 0: there are no more. */
pid_t inferiors_at(size_t index);

/* The program space of that one when it went on last, a gdb.Progspace, borrowed; NULL: none. */
PyObject *inferiors_space(size_t index);

/*
 * Adds what they do, as "the program runs", where OTHERS that GDB does not have are recorded beside
 * them; and a note if there are several.
 */
void inferiors_describe(size_t others, struct prof_text *text);
void inferiors_list(struct prof_text *text);

#endif
