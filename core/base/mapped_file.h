/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A file without a name that grows, and whose contents are mapped: the kernel keeps of them in
 * memory what is used, and it ends with the process.
 */
#ifndef PROF_BASE_MAPPED_FILE_H
#define PROF_BASE_MAPPED_FILE_H

#include <stddef.h>

/* The address space that is taken at a time, in bytes: what is put at once has no more. */
enum { PROF_MAPPED_FILE_PART = 16 << 20 };

struct prof_mapped_file;

/* An empty one in FOLDER.  NULL: that is not possible there. */
struct prof_mapped_file *prof_mapped_file_create(const char *folder);

/* Ends the mappings, too.  NULL is fine. */
void prof_mapped_file_destroy(struct prof_mapped_file *file);

/*
 * Adds the SIZE BYTES.  Returns where they are from then on, borrowed until FILE is destroyed.
 * NULL: they cannot be written, as when the disk is full.
 */
const unsigned char *prof_mapped_file_put(
	struct prof_mapped_file *file, const unsigned char *bytes, size_t size);

#endif
