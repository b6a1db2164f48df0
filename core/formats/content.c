/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/content.h"

#include "base/file.h"
#include "formats/damage.h"
#include "formats/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
	CHUNK = 1 << 16,   /* bytes read between two reports */
	RATIO_MOST = 40,   /* how many times its size a file may unpack to; profiles unpack to less
			      than 10 */
	ALWAYS = 16 << 20, /* bytes to which any file may unpack */
	GZIP_BUFFER = 1 << 17 /* bytes */
};

/* The file while it is read. */
struct source {
	gzFile file;
	uint64_t size; /* of the file, in bytes */
	const struct prof_progress *progress;
};

static void source_close(struct source *source)
{
	if (source->file)
		gzclose_r(source->file);
}

static struct prof_error *open_source(const char *path, struct source *source)
{
	AUTO_CLOSE int fd = -1;
	struct prof_error *error = prof_file_open(path, &source->size, &fd);

	if (error)
		return error;
	source->file = gzdopen(fd, "r");
	if (!source->file)
		return prof_error_nomem();
	fd = -1; /* closed with the file */
	gzbuffer(source->file, GZIP_BUFFER);
	return NULL;
}

/* Why the file cannot be unpacked further. */
static struct prof_error *broken(const struct source *source, const char *path)
{
	int code;
	const char *message = gzerror(source->file, &code);

	if (code == Z_ERRNO)
		return prof_file_unreadable(path);
	if (code == Z_MEM_ERROR)
		return prof_error_nomem();
	if (code == Z_BUF_ERROR)
		return prof_file_damaged("file", path, "it is truncated at byte %llu",
			(unsigned long long)source->size);
	/* zlib's message begins with the name under which it was opened, a number. */
	const char *text = strstr(message, ": ");
	return prof_file_damaged("file", path, "it cannot be unpacked before byte %lld: %s",
		(long long)gzoffset(source->file), text ? text + 2 : message);
}

/* Reads what comes next, at most CHUNK bytes; *MORE is false at the end. */
static struct prof_error *read_chunk(
	struct source *source, struct prof_content *content, size_t *capacity, bool *more)
{
	if (!prof_array_grow(&content->bytes, capacity, content->length, CHUNK, 1))
		return prof_error_nomem();
	int count = gzread(source->file, content->bytes + content->length, CHUNK);
	if (count < 0)
		return broken(source, content->path);
	content->length += (size_t)count;
	*more = count > 0;
	/* zlib returns what there was of a truncated file first, and the error only at its end. */
	int code = Z_OK;
	gzerror(source->file, &code);
	if (code < 0)
		return broken(source, content->path);
	if (content->length > ALWAYS && content->length / RATIO_MOST > source->size)
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The file \"%s\" is not a profile: its %llu bytes unpack to more than %d times as many.",
			content->path, (unsigned long long)source->size, RATIO_MOST);
	return prof_progress_report(
		source->progress, "Reading", (uint64_t)gzoffset(source->file), source->size);
}

struct prof_error *prof_content_read(
	const char *path, const struct prof_progress *progress, struct prof_content *ret)
{
	PROF_AUTO(source_close) struct source source = {.progress = progress};
	AUTO_CONTENT struct prof_content content = {.path = path};
	size_t capacity = 0;
	bool more = true;
	struct prof_error *error = open_source(path, &source);

	while (!error && more)
		error = read_chunk(&source, &content, &capacity, &more);
	if (error)
		return error;
	content.packed = !gzdirect(source.file);
	/* zlib 1.3.2 returns 0 bytes for a file that it cannot unpack from the first byte on. */
	if (content.packed && !content.length && source.size)
		return prof_file_damaged("file", path, "nothing of it can be unpacked");
	*ret = content;
	content = (struct prof_content){0};
	return NULL;
}

void prof_content_deinit(struct prof_content *content)
{
	free(content->bytes);
	*content = (struct prof_content){0};
}

struct prof_error *prof_content_damaged(
	const struct prof_content *content, size_t at, const char *format, ...)
{
	char place[PROF_DAMAGE_PLACE];
	va_list arguments;

	snprintf(place, sizeof place, "%sits byte %zu", content->packed ? "unpacked, " : "", at);
	va_start(arguments, format);
	struct prof_error *error = prof_damage(content->path, place, format, arguments);
	va_end(arguments);
	return error;
}
