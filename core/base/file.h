/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that are read, or written as a whole, and the names of files. */
#ifndef PROF_BASE_FILE_H
#define PROF_BASE_FILE_H

#include "base/error.h"
#include "base/memory.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * As long as a guard lives, what its thread writes beyond the size limit of files fails with EFBIG:
 * SIGXFSZ, which the kernel sends then, would end the host.
 *
 *	AUTO_FILE_GUARD struct prof_file_guard guard = prof_file_guard();
 */
struct prof_file_guard {
	sigset_t before; /* signals that the thread blocked */
	bool pending;    /* it had a SIGXFSZ that it has not taken */
};

struct prof_file_guard prof_file_guard(void);

void prof_file_unguard(struct prof_file_guard *guard);
#define AUTO_FILE_GUARD PROF_AUTO(prof_file_unguard)

/*
 * Makes LENGTH BYTES the contents of the file PATH: written beside it first and then moved there,
 * so that PATH is either as it was or complete.  A file that is not regular, such as a pipe, is
 * written in place.
 */
struct prof_error *prof_file_write(
	const char *path, const char *bytes, size_t length) PROF_MUST_CHECK;

/*
 * Opens PATH to read.  The caller closes *RET.  *SIZE gets the size in bytes, unless SIZE is NULL.
 * Directories, FIFOs and devices are errors.
 */
struct prof_error *prof_file_open(const char *path, uint64_t *size, int *ret) PROF_MUST_CHECK;

/* The error that reading the file PATH failed for the reason that errno has. */
struct prof_error *prof_file_unreadable(const char *path) PROF_MUST_CHECK;

/*
 * The error that NAME is damaged.  WHAT is how users call it: "file", "experiment"; FORMAT says
 * what is wrong, without a full stop: "its header is wrong".
 */
struct prof_error *prof_file_damaged(const char *what, const char *name, const char *format, ...)
	PROF_PRINTF(3, 4) PROF_MUST_CHECK;

/* The error that the file PATH is not KIND, "a gmon.out", for the reason WHY. */
struct prof_error *prof_file_mistaken(
	const char *path, const char *kind, const char *why) PROF_MUST_CHECK;

/* The error that writing the file PATH failed for REASON, an error number. */
struct prof_error *prof_file_unwritable(const char *path, int reason) PROF_MUST_CHECK;

/* What follows the last slash of PATH, borrowed; all of it if that is nothing. */
const char *prof_file_base_name(const char *path);

/* The first descriptor for files that stay open: the host needs the lower ones for its sets. */
enum { PROF_FILE_KEPT = 1024 };

/*
 * Moves FD, which will stay open for long, to a descriptor from PROF_FILE_KEPT on; while the
 * process has few descriptors, FD stays as it is.  Returns the new descriptor.  -1: FD was closed,
 * because the host needs the descriptors that are left, and errno is EMFILE.
 */
int prof_file_keep(int fd);

/*
 * A new file without a name in FOLDER, to be read and written; it goes when its descriptor is
 * closed.  -1: it cannot be created there.
 */
int prof_file_nameless(const char *folder);

/* Are ONE and OTHER paths of one file, which exists? */
bool prof_file_is_same(const char *one, const char *other);

/*
 * Has another process, or this one, the file PATH open to write?  False, too, where the file system
 * or the rights of this process do not permit the question.
 */
bool prof_file_is_written(const char *path);

/*
 * The path of a new file in DIRECTORY, in a new string: STEM.1, or STEM.N with a number above those
 * of all that are there.  Nothing is created: another process may take the name first.
 */
struct prof_error *prof_file_next(
	const char *directory, const char *stem, char **ret) PROF_MUST_CHECK;

#endif
