/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engines, one table: how the target gives samples. */
#ifndef PROF_PLUGIN_ENGINE_ENGINE_H
#define PROF_PLUGIN_ENGINE_ENGINE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_marker;
struct prof_queue;

/* What every engine is asked to do. */
struct engine_request {
	double rate;        /* Hz */
	double max_stopped; /* a share, 0 to 1 */
	size_t max_depth;   /* frames */
	size_t verify;      /* each such sample is walked by GDB too, to compare; 0: none */
	bool wall;          /* threads that wait are samples too */
	bool kernel;        /* stacks include the kernel's functions, if the engine knows_kernel */
	bool fall_back;     /* GDB walks what the engine's own unwinder cannot */
	bool automatic;     /* "auto" chose the engine, and the user is shown why */
	/* The engine calls it with a stack in code of no file, which GDB may know, and forget. */
	void (*met_generated)(void);
	/*
	 * Called when a process was made, if the engine learns of that, in the middle of GDB's
	 * work.
	 */
	void (*forked)(void);
	/*
	 * Called when THREAD has stopped by SIGNAL, one of the program's, before GDB learns of it;
	 * only by engines that see signals.  In the middle of GDB's work.
	 */
	void (*signalled)(pid_t thread, int signal);
	struct prof_queue *queue;   /* where its looks go; borrowed until stop() */
	struct prof_marker *marker; /* for its tickers; borrowed until stop() */
	/* Adds SENTENCE, once, to what prof-status and prof-stop print. */
	void (*note)(const char *sentence);
};

/*
 * The session calls, on GDB's own thread and in this order: start; then for each process attach;
 * release and hold when it goes on and stands still; detach when it has gone; at last stop.
 */
struct engine {
	const char *name;     /* one word */
	const char *describe; /* one sentence */
	const char *unwinder; /* "cfi" or "gdb"; "auto" where that makes no difference */
	bool asked_only;      /* "auto" never takes it */
	bool native;          /* it is for processes of this machine only */
	bool verifies;        /* it has GDB walk samples too where that is asked for */
	bool reports_signals; /* it calls signalled() of the request */
	bool knows_kernel;    /* its stacks can include the kernel's functions */

	/*
	 * NULL if it can work in this GDB, with a target of the kind CONNECTION ("native",
	 * "remote"; "" if there is none yet), else why not.
	 */
	struct prof_error *(*available)(const char *connection);

	/*
	 * Why "auto" should rather take another engine that can work as well, or NULL.  VERIFY: GDB
	 * walks samples too.  A NULL function: it never should.
	 */
	struct prof_error *(*yields)(bool verify);

	/* The row that does its work with GDB's current settings.  NULL: it does so itself. */
	const struct engine *(*variant)(void);

	struct prof_error *(*start)(const struct engine_request *request);
	struct prof_error *(*attach)(pid_t process); /* on hold */
	void (*release)(pid_t process);
	void (*hold)(pid_t process);
	/* The load objects of a process have changed, or will. */
	void (*objects_changed)(void);
	/* While they run, code of no file was met.  NULL: the engine does not look for it. */
	void (*generated)(void);
	void (*detach)(pid_t process);
	void (*stop)(void);

	/*
	 * $_prof_tick() was called: the selected thread stopped by a signal that may be the
	 * engine's. True: it is the user's, who wants to see it.  NULL: the engine has no such
	 * signals.
	 */
	bool (*ticked)(void);

	/*
	 * GDB was asked to end: sends no more ticks, and returns whether none is under way.  Called
	 * on another thread, until it has returned true.  NULL: GDB sees none of its ticks.
	 */
	bool (*calm)(void);

	/* Puts what it did into the queue, to be known now. */
	void (*report)(void);

	/* Adds the engine's notes to TEXT, in sentences.  NULL: it never has any. */
	void (*say)(struct prof_text *text);

	/*
	 * The bounds of the function around ADDRESS in PROCESS, by call frame information.  False:
	 * not known.  NULL: the engine cannot know.
	 */
	bool (*bounds)(pid_t process, uint64_t address, uint64_t *low, uint64_t *high);

	/*
	 * Is the file PATH, as the kernel names it, mapped at ADDRESS in PROCESS, as far as the
	 * engine has looked?  NULL: the engine cannot know.
	 */
	bool (*maps)(pid_t process, uint64_t address, const char *path);
};

/* The table; ends with NULL.  The first that is available is the one that "auto" takes. */
extern const struct engine *const engines[];

/* The rows of the table. */
extern const struct engine engine_stop;
extern const struct engine engine_perf;
extern const struct engine engine_catch;
extern const struct engine engine_interrupt;
extern const struct engine engine_pcsr;
extern const struct engine engine_none;

/* The variant of the last one for non-stop mode, with the same name. */
extern const struct engine engine_nonstop;

/* Calls ticked() of all rows.  True: one of them wants the thread to stop. */
bool engines_ticked(void);

/*
 * The reason why the engine NAME is not available for CONNECTION, unless that is "remote" or
 * "extended-remote".  TARGETS is what the engine is for: "targets", "a Cortex-M".
 */
struct prof_error *engine_check_remote(
	const char *name, const char *targets, const char *connection) PROF_MUST_CHECK;

/* The reason why the engine NAME is not available for CONNECTION, which is not native. */
struct prof_error *engine_not_native(const char *name, const char *connection) PROF_MUST_CHECK;

/*
 * NULL: stacks of GDB's program can be walked by call frame information on this machine; else why
 * not, for the engine NAME.  A 32-bit program can run here as well.
 */
struct prof_error *engine_check_machine(const char *name) PROF_MUST_CHECK;

/* What an engine is chosen for. */
struct engine_wish {
	const char *name;       /* of one, or "auto" */
	const char *unwinder;   /* "auto": any */
	const char *connection; /* as available() has it */
	bool verify;
};

/*
 * The engine NAME, or for "auto" the best that can work; WHY gets a sentence on each that was
 * passed over.
 */
struct prof_error *engine_choose(const struct engine_wish *wish, struct prof_text *why,
	const struct engine **ret) PROF_MUST_CHECK;

#endif
