/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/mapped_file.h"

#include "base/file.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct prof_mapped_file {
	int fd;
	size_t used; /* bytes of the last part */
	PROF_ARRAY(unsigned char *) parts;
};

/* Maps one more part, which the file need not have yet: nothing beyond its end is read. */
static bool add_part(struct prof_mapped_file *file)
{
	off_t begin = (off_t)file->parts.count * PROF_MAPPED_FILE_PART;

	if (!prof_array_reserve(&file->parts, 1))
		return false;
	void *part = mmap(NULL, PROF_MAPPED_FILE_PART, PROT_READ, MAP_SHARED, file->fd, begin);
	if (part == MAP_FAILED)
		return false;
	file->parts.items[file->parts.count++] = part;
	file->used = 0;
	return true;
}

struct prof_mapped_file *prof_mapped_file_create(const char *folder)
{
	struct prof_mapped_file *file = calloc(1, sizeof *file);

	if (!file)
		return NULL;
	file->fd = prof_file_keep(prof_file_nameless(folder));
	if (file->fd < 0 || !add_part(file)) {
		prof_mapped_file_destroy(file);
		return NULL;
	}
	return file;
}

void prof_mapped_file_destroy(struct prof_mapped_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->parts.count; i++)
		munmap(file->parts.items[i], PROF_MAPPED_FILE_PART);
	free(file->parts.items);
	if (file->fd >= 0)
		close(file->fd);
	free(file);
}

/* Writes SIZE BYTES behind those that are used. */
static bool write_all(struct prof_mapped_file *file, const unsigned char *bytes, size_t size)
{
	off_t at = (off_t)(file->parts.count - 1) * PROF_MAPPED_FILE_PART + (off_t)file->used;

	for (size_t put = 0; put < size;) {
		ssize_t part = pwrite(file->fd, bytes + put, size - put, at + (off_t)put);
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return false;
		put += (size_t)part;
	}
	return true;
}

const unsigned char *prof_mapped_file_put(
	struct prof_mapped_file *file, const unsigned char *bytes, size_t size)
{
	AUTO_FILE_GUARD struct prof_file_guard guard = prof_file_guard();

	assert(size && size <= PROF_MAPPED_FILE_PART);
	if (size > PROF_MAPPED_FILE_PART - file->used && !add_part(file))
		return NULL;
	if (!write_all(file, bytes, size))
		return NULL;
	const unsigned char *at = file->parts.items[file->parts.count - 1] + file->used;
	file->used += size;
	return at;
}
