/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GDB's events, heard only while something is recorded, or the last tick of it is under way. */
#ifndef PROF_PLUGIN_GDB_EVENTS_H
#define PROF_PLUGIN_GDB_EVENTS_H

#include "base/error.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <sys/types.h>

struct event {
	pid_t process;      /* of the inferior that it is about, else of the selected one; or 0 */
	bool single;        /* it is about one thread of PROCESS alone: non-stop mode */
	const char *object; /* file of the load object that is going, or NULL */
	PyObject *space;    /* the gdb.Progspace that it goes from, borrowed, or NULL */
	PyObject *python;   /* the event as GDB has it, borrowed, or None */
};

struct event_handler {
	const char *name; /* of gdb.events */
	void (*handle)(const struct event *event);
	/* A Ctrl-C meanwhile comes after it: HANDLE is short, and GDB 13 would lose it. */
	bool undisturbed;
};

/* Does EVENT, an `inferior_call`, report the start of a call that GDB makes, not the end? */
bool events_begins_call(const struct event *event);

/*
 * Connects HANDLERS, static, which end with a row without a name; at most 15 rows in all.  They get
 * no `cont` while GDB has the program call a function.
 */
struct prof_error *events_connect(const struct event_handler *handlers) PROF_MUST_CHECK;

/*
 * A handler is about to have the program call something, which may never end: from now on a Ctrl-C
 * gets through.  Nothing happens outside of handlers.
 */
void events_disturb(void);

/* Disconnects them; nothing happens if none are connected. */
void events_disconnect(const struct event_handler *handlers);

#endif
