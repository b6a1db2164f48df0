/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calls of functions that are counted, by caller, while something is recorded.
 *
 * Breakpoints stand where the functions are entered: internal ones, which `info breakpoints` does
 * not show, `delete` spares, and nobody sees stop.  There the return address is known without a
 * walk.  They stand in processes that GDB has attached to as well, since the user has asked for
 * them.
 */
#ifndef PROF_PLUGIN_COLLECT_COUNTING_H
#define PROF_PLUGIN_COLLECT_COUNTING_H

#include "base/error.h"
#include "base/text.h"
#include "plugin/gdb/python.h"
#include "recording/queue.h"

#include <stdbool.h>
#include <sys/types.h>

struct counting_request {
	const char *what;         /* functions as --count has them; NULL: none */
	double limit;             /* share of the program's time that it may take */
	size_t max_depth;         /* frames of the stacks of calls that are traced */
	bool blind;               /* the engine does not tell of the program's own signals */
	struct prof_queue *queue; /* borrowed until counting_end() */
	/* Has prof-status and prof-stop say SENTENCE, once. */
	void (*note)(const char *sentence);
};

/* Adds to MODULE, _prof, what is needed.  False, with an exception: it can't. */
bool counting_register(PyObject *module);

/* Begins to count, now and in what will be loaded.  REQUEST is borrowed until counting_end(). */
struct prof_error *counting_begin(const struct counting_request *request) PROF_MUST_CHECK;

/*
 * Has the calls of the function of the trace TRACE (traces.h), of the selected inferior, seen at
 * breakpoints; without counting_begin()'s functions, too.  False: they can't be.
 */
bool counting_visit(size_t trace);

/* Takes all breakpoints out.  May be called twice. */
void counting_end(void);

/* Is anything counted? */
bool counting_goes_on(void);

/* GDB's events: the program is about to go on; it stands still for the user, by EVENT. */
void counting_go_on(void);
void counting_stand(PyObject *event);

/* THREAD has stopped by a signal of which GDB knows, or will.  Needs no Python. */
void counting_signalled(pid_t thread);

/* Load objects have come; the one of the file OBJECT goes; PROCESS has gone, by EVENT. */
void counting_objects_changed(void);
void counting_object_going(const char *object);
void counting_exited(pid_t process, PyObject *event);

/* Puts what was counted into the queue, to be known now. */
void counting_tell(void);

/* Do breakpoints of ours stand in the program to count calls, or to trace functions? */
bool counting_has_breakpoints(void);

/* Adds what is to be known of it, in sentences; ENDED: nothing more will be counted. */
void counting_say(struct prof_text *text, bool ended);

#endif
