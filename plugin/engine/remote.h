/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A process of a remote target, as the engines interrupt, in every mode, and pcsr sample it: the
 * catchpoint, the wire, the pace, and the messages for the recorder.
 */
#ifndef PROF_PLUGIN_ENGINE_REMOTE_H
#define PROF_PLUGIN_ENGINE_REMOTE_H

#include "plugin/engine/engine.h"
#include "plugin/gdb/catchpoint.h"
#include "recording/look.h"
#include "sampling/pace.h"

struct host_thread;
struct wire_listener;

/* All times in ns. */
struct remote {
	struct engine_request request;
	uint64_t *frames; /* room for the deepest stack */
	struct catchpoint catchpoint;
	bool open;             /* it listens to the wire, and has the catchpoint when it needs it */
	bool ending;           /* it was stopped with ticks under way; the end of those ends it */
	pid_t attached;        /* process; 0: there is none */
	bool released;         /* it goes on, and must be sampled */
	bool objects_reported; /* the recorder knows the load objects */
	struct prof_pace pace;
	int64_t due;     /* when the next tick is; on hold, the time until then */
	int64_t counted; /* until when the duration was */
	struct prof_figures figures;
};

/*
 * Begins to record for REQUEST, with a catchpoint for SIGNAL, unless that is NULL, and LISTENER at
 * the wire.  If an earlier recording is ending, it goes over into this one.
 */
struct prof_error *remote_open(struct remote *remote, const struct engine_request *request,
	const char *signal, const struct wire_listener *listener) PROF_MUST_CHECK;

/* Ends the recording's part in GDB. */
void remote_close(struct remote *remote);

/* PROCESS comes, on hold; there can be one. */
struct prof_error *remote_attach(struct remote *remote, pid_t process) PROF_MUST_CHECK;

/* It goes; its wire may be another's next. */
void remote_detach(struct remote *remote);

/* It goes on since NOW, and stands still since NOW. */
void remote_release(struct remote *remote, int64_t now);
void remote_hold(struct remote *remote, int64_t now);

/* Reports the load objects to the recorder, unless it knows them. */
void remote_report_objects(struct remote *remote);

/* Samples THREAD, which is selected and stands still, for the last RAN. */
void remote_sample(struct remote *remote, const struct host_thread *thread, int64_t ran);

/* Is the time RAN, which ends with a stop for the user, long enough for GDB to walk stacks?  If
 * not, it counts with what comes next. */
bool remote_is_worth(const struct remote *remote, int64_t ran);

/* THREAD, which GDB has selected, has stopped for the user: see look_at_standing(). */
void remote_stand(
	struct remote *remote, const struct host_thread *thread, int64_t ran, bool sampled);

/* It went on for RAN without a tick; was kept stopped by one for STOPPED. */
void remote_ran(struct remote *remote, int64_t ran);
void remote_stopped(struct remote *remote, int64_t stopped);

/*
 * Reports the figures until NOW to the recorder; adjusts the pace, and reports that if it has
 * changed.
 */
void remote_report(struct remote *remote, int64_t now);
void remote_adjust(struct remote *remote, int64_t now);

#endif
