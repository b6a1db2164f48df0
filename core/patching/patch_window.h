/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The memory of a process that stands still, written even where the process itself must not.  Many
 * patches are in one page: what is near what was read last is written with it, as soon as something
 * else is read.
 */
#ifndef PROF_PATCHING_PATCH_WINDOW_H
#define PROF_PATCHING_PATCH_WINDOW_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes of the window: of one page, all of which can be read, or none. */
enum { PROF_PATCH_WINDOW = 4096 };

struct prof_patch_window {
	pid_t process;
	int file;
	struct prof_error *error; /* the first that delayed writing has met */
	bool there;               /* there is a window, */
	uint64_t address;         /* here */
	size_t begin, end;        /* what of it has changed */
	unsigned char bytes[PROF_PATCH_WINDOW];
};

/* Begins in the caller's memory.  NULL, or why the process cannot be written: then it is closed. */
struct prof_error *prof_patch_window_open(
	struct prof_patch_window *window, pid_t process) PROF_MUST_CHECK;

/* Writes what is left.  NULL, or the first error that was not returned before. */
struct prof_error *prof_patch_window_close(struct prof_patch_window *window) PROF_MUST_CHECK;

/* Reads LENGTH bytes at ADDRESS, as they will be.  False: they cannot be read. */
bool prof_patch_window_read(
	struct prof_patch_window *window, uint64_t address, void *bytes, size_t length);

/* Writes LENGTH BYTES to ADDRESS, at once if nothing in the same page was read last. */
struct prof_error *prof_patch_window_write(struct prof_patch_window *window, uint64_t address,
	const void *bytes, size_t length) PROF_MUST_CHECK;

/* That the process cannot be written, because of WHY. */
struct prof_error *prof_patch_window_refuse(
	const struct prof_patch_window *window, const char *why) PROF_MUST_CHECK;

#endif
