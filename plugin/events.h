/* GDB's events, heard only while something is recorded. */
#ifndef PROF_PLUGIN_EVENTS_H
#define PROF_PLUGIN_EVENTS_H

#include "base/error.h"

#include <sys/types.h>

struct event_handler {
	const char *name; /* of gdb.events */
	/* Of the inferior that it is about; OBJECT: file of the load object that is going, or NULL.
	 */
	void (*handle)(pid_t process, const char *object);
};

/* Connects HANDLERS, static, which end with a row without a name; at most 8. */
struct prof_error *events_connect(const struct event_handler *handlers) PROF_MUST_CHECK;

/* Disconnects them; nothing happens if none are connected. */
void events_disconnect(void);

#endif
