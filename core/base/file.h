/* Files that are written as a whole, and the names of files. */
#ifndef PROF_BASE_FILE_H
#define PROF_BASE_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes LENGTH BYTES the contents of the file PATH: written beside it first and then moved there,
 * so that PATH is either as it was or complete.  What is no regular file, a pipe say, is written
 * to.
 */
struct prof_error *prof_file_write(
	const char *path, const char *bytes, size_t length) PROF_MUST_CHECK;

/* What follows the last slash of PATH, borrowed; all of it if that is nothing. */
const char *prof_file_base_name(const char *path);

/*
 * Descriptors below this may be kept open for long: the others are for the host, and for files that
 * are closed at once.
 */
int prof_file_kept_below(void);

/* Do ONE and OTHER lead to the same file, one that is there? */
bool prof_file_is_same(const char *one, const char *other);

/*
 * The path of a new file in DIRECTORY, in a new string: STEM.1, or STEM.N with a number above those
 * of all that are there.  Nothing is created: another process may take the name first.
 */
struct prof_error *prof_file_next(
	const char *directory, const char *stem, char **ret) PROF_MUST_CHECK;

#endif
