/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All bytes of a file that is imported as a whole, unpacked if it is gzip'd. */
#ifndef PROF_FORMATS_CONTENT_H
#define PROF_FORMATS_CONTENT_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_content {
	const char *path; /* of the file; borrowed */
	uint8_t *bytes;   /* NULL where there are none */
	size_t length;    /* of BYTES */
	bool packed;      /* the file was gzip'd */
};

/*
 * Reads the file PATH.  What unpacks to far more than files of profiles do, to fill the memory, is
 * refused.
 */
struct prof_error *prof_content_read(const char *path, const struct prof_progress *progress,
	struct prof_content *ret) PROF_MUST_CHECK;

/* Frees what CONTENT holds; all zeroes is fine. */
void prof_content_deinit(struct prof_content *content);
#define AUTO_CONTENT PROF_AUTO(prof_content_deinit)

/* The error that the file is damaged: what begins at byte AT does what FORMAT says. */
struct prof_error *prof_content_damaged(const struct prof_content *content, size_t at,
	const char *format, ...) PROF_PRINTF(3, 4) PROF_MUST_CHECK;

#endif
