/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Every call into GDB.
 *
 * The caller holds the GIL, on GDB's own thread.  What GDB refuses comes back as an error value
 * with GDB's message; no Python exception is left pending.
 */
#ifndef PROF_PLUGIN_GDB_HOST_H
#define PROF_PLUGIN_GDB_HOST_H

#include "base/error.h"
#include "base/progress.h"
#include "base/text.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The module `gdb`, borrowed; NULL with an exception where this is no GDB. */
PyObject *host_gdb(void);

/* The pending Python exception as an error: KeyboardInterrupt becomes prof_error_interrupted(). */
struct prof_error *host_error(void) PROF_MUST_CHECK;

/*
 * Raises ERROR, and destroys it: gdb.GdbError, or KeyboardInterrupt.  Returns NULL, for
 * `return host_raise(error);`.
 */
PyObject *host_raise(struct prof_error *error);

/* Prints TEXT through GDB's pager. */
struct prof_error *host_write(const char *text) PROF_MUST_CHECK;

/* Does a terminal, and no front end, show what is written, so that escape sequences work? */
bool host_obeys_escapes(void);

/* Does GDB show styles, on a terminal that obeys them? */
bool host_is_styled(void);

/*
 * Writes the escape sequence of GDB's style NAME, as in "set style function", into BUFFER of SIZE
 * bytes; "" for a style without colors and intensity.
 */
void host_style(const char *name, char *buffer, size_t size);

/* Does a terminal that has all characters of Unicode show what is written? */
bool host_shows_blocks(void);

/*
 * An error if so little memory is left that nobody must ask GDB for symbols, because GDB ends when
 * it gets none.
 */
struct prof_error *host_spare(void) PROF_MUST_CHECK;

/* Executes a GDB command, prints nothing, and adds what it would have printed to TEXT. */
struct prof_error *host_execute(const char *command, struct prof_text *text) PROF_MUST_CHECK;

/* The first number of GDB's version; 0: it has none. */
long host_version(void);

/*
 * May GDB evaluate expressions, such as the address of `info symbol`, while it reports the end of
 * PROCESS?  Versions before 13 must not.
 */
bool host_evaluates(pid_t process);

/* Adds the answer of `info symbol` for ADDRESS to TEXT, whatever the program's language. */
struct prof_error *host_symbol(uint64_t address, struct prof_text *text) PROF_MUST_CHECK;

/* The value of the setting NAME as text ("" for none), in a new string that the caller frees. */
struct prof_error *host_parameter(const char *name, char **ret) PROF_MUST_CHECK;

/* The process of the selected inferior, or 0. */
pid_t host_process(void);

/* Calls VISIT for the process of each inferior that has one. */
void host_each_process(void (*visit)(void *context, pid_t process), void *context);

/* The inferior that is PROCESS, a new reference, or NULL; no exception. */
PyObject *host_inferior(pid_t process);

/* Is PROCESS that of an inferior? */
bool host_has(pid_t process);

/* Is there an inferior whose process was there before GDB attached to it? */
bool host_has_attached(void);

/* Has GDB attached to PROCESS, rather than started it? */
bool host_was_attached(pid_t process);

/* Does a thread of PROCESS, that of an inferior, go on for the user? */
bool host_runs(pid_t process);

/* Does a thread of any process go on for the user? */
bool host_any_runs(void);

/* The gdb.Progspace of the inferior that is PROCESS, a new reference, or NULL; no exception. */
PyObject *host_program_space(pid_t process);

/* The program's file, or ""; the caller frees it. */
struct prof_error *host_program(char **ret) PROF_MUST_CHECK;

/*
 * GDB is about to end, and takes all breakpoints out of the program itself.  It may have been asked
 * to in the middle of waiting for the program: if anything deletes a breakpoint then, or asks for
 * the selected thread, GDB 13.1 fails an assertion.
 */
void host_end(void);
bool host_is_ending(void);

/* The kernel's id of the selected thread, or 0. */
pid_t host_thread(void);

/* Connects FUNCTION to gdb.events.NAME, if this GDB has that, or disconnects it. */
struct prof_error *host_connect(const char *name, PyObject *function) PROF_MUST_CHECK;
struct prof_error *host_disconnect(const char *name, PyObject *function) PROF_MUST_CHECK;

/* Has GDB call METHOD, which is static, when it is not busy: GDB may be waiting for the program. */
struct prof_error *host_post(PyMethodDef *method) PROF_MUST_CHECK;

/* Calls VISIT for the file of each load object of SPACE, a gdb.Progspace, that GDB has at hand. */
void host_objects(PyObject *space, void (*visit)(void *context, const char *file), void *context);

/* The current gdb.Progspace, a new reference, or NULL; no exception. */
PyObject *host_space(void);

/* Is there one inferior only, with a process or without? */
bool host_is_single(void);

/* Are there program spaces of different programs? */
bool host_has_programs(void);

/* Is SPACE the current one, of which commands speak? */
bool host_is_current(PyObject *space);

/* Splits TEXT as GDB's commands do: a new list of strings, or NULL with an exception. */
PyObject *host_split(const char *text);

/* OBJECT's attribute NAME, a new reference, or NULL for None too; no exception. */
PyObject *host_attribute(PyObject *object, const char *name);

/* Is the attribute NAME of OBJECT true?  No exception. */
bool host_is_true(PyObject *object, const char *name);

/* That, a str, in a new string that the caller frees, or NULL. */
char *host_string(PyObject *object, const char *name);

/* That as a number, or 0. */
uint64_t host_number(PyObject *object, const char *name);

/*
 * Drops the pending exception, if there is one, or ERROR, which it takes.  If either stands for a
 * Ctrl-C, that comes again.
 */
void host_drop(void);
void host_forget(struct prof_error *error);

/* For long work: polls Ctrl-C, and shows on a terminal how far it is, from half a second on. */
struct host_progress {
	struct prof_progress progress; /* to be handed on */
	int64_t begin, shown;          /* ns; private */
	bool seen;                     /* on a terminal, if that is one */
};

/* Begins in the caller's memory: nothing is shown yet. */
void host_progress_begin(struct host_progress *progress);

/* For work that no command asked for: shows nothing. */
void host_progress_begin_unseen(struct host_progress *progress);

/* Takes what was shown away again. */
void host_progress_end(struct host_progress *progress);

#endif
