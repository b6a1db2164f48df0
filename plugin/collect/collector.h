/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The collectors: what records, each one kind of data.  One table; a row has the options that only
 * it reads, a function for each event that concerns it, and NULL for all others.
 *
 * The session calls the rows on GDB's own thread, while a recording goes on.
 */
#ifndef PROF_PLUGIN_COLLECT_COLLECTOR_H
#define PROF_PLUGIN_COLLECT_COLLECTOR_H

#include "base/error.h"
#include "base/text.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <sys/types.h>

struct engine;
struct event;
struct prof_marker;
struct prof_options;
struct prof_queue;
struct prof_recorder;
struct session_request;

/* What a recording gives to its collectors. */
struct collector_request {
	const struct session_request *asked; /* what the user asked for; borrowed during begin() */
	const struct engine *engine;         /* chosen for it */

	/* Borrowed until end(). */
	struct prof_queue *queue;       /* takes the messages */
	struct prof_recorder *recorder; /* takes them out again */
	struct prof_marker *marker;     /* makes the marks that divide them */

	void (*met_generated)(void); /* see struct engine_request */
};

/* How far a recording is. */
enum collector_phase { COLLECTOR_STARTED, COLLECTOR_RUNS, COLLECTOR_ENDED };

struct collector {
	const char *name; /* of one word or two, with a hyphen between */

	/*
	 * The options of prof-start that are its own, and fill the struct OWN of the functions
	 * below; NULL: it has none, and OWN is NULL.  read() reads texts in OWN as numbers, and
	 * settings, which no option has.
	 */
	const struct prof_options *options;
	struct prof_error *(*read)(void *own);

	/* Adds what it takes samples by but the clock, as "counters: cycles"; nothing: by nothing.
	 */
	void (*source)(const void *own, struct prof_text *text);

	/* Adds what it needs to MODULE, _prof, as gdbprof is loaded.  False, with an exception: it
	 * cannot. */
	bool (*load)(PyObject *module);

	/* Why what OWN asks for cannot be recorded here; NULL: it can.  Changes nothing. */
	struct prof_error *(*check)(const void *own);

	/* Takes from REQUEST and OWN what concerns it.  After an error the session calls end(). */
	struct prof_error *(*begin)(const struct collector_request *request, const void *own);
	/* Frees all and undoes what it did to GDB and the program, also if it has not begun. */
	void (*end)(void);

	/*
	 * Processes of GDB's inferiors.  A process is attached once, on hold; NATIVE: it is on this
	 * machine.  It is released when it goes on and held when it stands still; both only while
	 * the recording is not paused.
	 */
	struct prof_error *(*attach)(pid_t process, bool native);
	void (*release)(pid_t process);
	void (*hold)(pid_t process);
	void (*detach)(pid_t process);

	/*
	 * For collectors that record even processes that GDB does not have: while PAUSED they must
	 * not.
	 */
	void (*pause)(bool paused);

	/* GDB is about to let programs run; then PROCESS goes on, one call for each. */
	void (*resume)(void);
	void (*go_on)(pid_t process);

	/*
	 * GDB has stopped the program and shows EVENT to the user.  Then PROCESS, which may be 0,
	 * stands still, and the collector may have it call functions: all other rows have dealt
	 * with EVENT by then.
	 */
	void (*stop)(const struct event *event);
	void (*stand)(pid_t process);

	/*
	 * PROCESS is gone.  Its names are still known, and messages that are queued now get them.
	 */
	void (*gone)(pid_t process, const struct event *event);

	/*
	 * GDB is letting go of the load object in the file OBJECT, NULL if that is not known; its
	 * names are still known.  Then the load objects have changed: GDB may still be in the
	 * middle of that, and must not be asked for functions.  Last, if GDB has read new ones and
	 * can be asked, they have come.
	 */
	void (*object_going)(const char *object);
	void (*objects_changed)(void);
	void (*objects_come)(void);

	/*
	 * THREAD has stopped by SIGNAL, one of the program's own, and GDB does not know it yet:
	 * Python is not at hand.  Only some engines report this, see reports_signals.
	 */
	void (*signalled)(pid_t thread, int signal);

	/* GDB evaluates the condition of the catchpoint for ticks: the selected thread has stopped.
	 */
	void (*ticked)(void);

	/* GDB is about to show its prompt: commands may have changed what it was set to. */
	void (*prompt)(void);

	/* Puts what it has recorded into the queue, to be seen now. */
	void (*report)(void);

	/* Does it record processes that GDB does not have, as far as it knows?  How many run now?
	 */
	bool (*has_others)(void);
	size_t (*count_others)(void);

	/* What breakpoints of it are for that stand in the program, "counted calls"; NULL: there
	 * are none. */
	const char *(*breakpoints)(void);

	/* Adds a line for each thing that the user has set for it, recording or not. */
	void (*list)(struct prof_text *text);

	/* Adds to TEXT what the user must know of it in PHASE, in sentences. */
	void (*say)(struct prof_text *text, enum collector_phase phase);
};

/* The table, in the order in which the rows begin; it ends with NULL. */
extern const struct collector *const collectors[];

/* The rows of the table. */
extern const struct collector collector_marks;
extern const struct collector collector_mark_breakpoints;
extern const struct collector collector_sampling;
extern const struct collector collector_counters;
extern const struct collector collector_descendants;
extern const struct collector collector_control_signal;
extern const struct collector collector_counting;
extern const struct collector collector_tracing;

/* Calls FUNCTION, which returns nothing, of each row that has it, in the order of the table. */
#define COLLECTORS_CALL(function, ...)                                               \
	do {                                                                         \
		for (const struct collector *const *row = collectors; *row; row++) { \
			if ((*row)->function)                                        \
				(*row)->function(__VA_ARGS__);                       \
		}                                                                    \
	} while (0)

/* How many rows there are. */
size_t collectors_count(void);

/* Calls load() of each row. */
bool collectors_load(PyObject *module);

/* Calls check() of each row; the error is the first. */
struct prof_error *collectors_check(const struct session_request *asked) PROF_MUST_CHECK;

/* Calls begin() of each row, up to the first error: collectors_end() must follow either way. */
struct prof_error *collectors_begin(const struct collector_request *request) PROF_MUST_CHECK;

/* Calls end() of each row in reverse order. */
void collectors_end(void);

/* Does any row record processes that GDB does not have?  How many of them run now? */
bool collectors_have_others(void);
size_t collectors_count_others(void);

/* Calls attach() of each row; after an error PROCESS is attached to none. */
struct prof_error *collectors_attach(pid_t process, bool native) PROF_MUST_CHECK;

#endif
