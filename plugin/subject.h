/* The processes that a native engine is attached to, each with its ticker. */
#ifndef PROF_PLUGIN_SUBJECT_H
#define PROF_PLUGIN_SUBJECT_H

#include "base/memory.h"
#include "sample/ticker.h"
#include "target/process.h"
#include "target/unwind.h"

struct subject {
	struct prof_process process;
	struct prof_target target;
	struct prof_ticker *ticker;
	struct prof_unwinder *unwinder; /* NULL: the engine has GDB walk */
	struct prof_maps maps;          /* where there is no unwinder: what the recorder was told */
	bool told;                      /* the recorder knows what is mapped */
	uint64_t generation;            /* and that is the unwinder's of this number */
};

/* All zeroes: none. */
struct subjects {
	PROF_ARRAY(struct subject *) items;
};

/* Adds a process, on hold, watched as OPTIONS say; *RET is borrowed. */
struct prof_error *subjects_add(struct subjects *subjects,
	const struct prof_ticker_options *options, struct subject **ret) PROF_MUST_CHECK;

/* Lets go of PROCESS, if it is one of them; of all. */
void subjects_remove(struct subjects *subjects, pid_t process);
void subjects_clear(struct subjects *subjects);

/* The one that is PROCESS, or to which THREAD belongs; NULL: none. */
struct subject *subjects_find(const struct subjects *subjects, pid_t process);
struct subject *subjects_of_thread(const struct subjects *subjects, pid_t thread);

/* See prof_ticker_meet(): the one whose THREAD was met, or NULL. */
struct subject *subjects_meet(const struct subjects *subjects, pid_t thread, int signal, int *note);

/* The same as for one ticker, for all. */
void subjects_hold(const struct subjects *subjects);
void subjects_tell(const struct subjects *subjects);
bool subjects_outstanding(const struct subjects *subjects);

/* What is mapped in PROCESS, as far as it was looked at; NULL: not known. */
const struct prof_maps *subjects_maps(const struct subjects *subjects, pid_t process);

#endif
