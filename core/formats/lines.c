/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/lines.h"

#include "base/file.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "formats/part.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_MOST = 64 << 20,   /* bytes of a line: bounds the memory that a line takes */
	REPORT_BYTES = 1 << 20, /* between two reports */
	TEXT_SHOWN = 40,        /* bytes of the file's text in an error */
};

struct prof_error *prof_lines_open(struct prof_lines *lines, const char *path)
{
	AUTO_CLOSE int fd = -1;

	*lines = (struct prof_lines){.path = path};
	struct prof_error *error = prof_file_open(path, &lines->total, &fd);
	if (error)
		return error;
	lines->file = fdopen(fd, "r");
	if (!lines->file)
		return prof_error_nomem();
	fd = -1;
	return NULL;
}

void prof_lines_close(struct prof_lines *lines)
{
	if (lines->file)
		fclose(lines->file);
	free(lines->line.items);
	*lines = (struct prof_lines){0};
}

/* Is LINE empty or a comment? */
static bool is_skipped(const char *line, size_t length)
{
	size_t blank = 0;

	if (length && line[0] == '#')
		return true;
	while (blank < length && prof_part_is_blank(line[blank]))
		blank++;
	return blank == length;
}

/* The length of LINE without blanks and the carriage return at its end. */
static size_t trimmed(const char *line, size_t length)
{
	if (length && line[length - 1] == '\r')
		length--;
	while (length && prof_part_is_blank(line[length - 1]))
		length--;
	return length;
}

size_t prof_lines_cut(const char *bytes, size_t length, size_t *at, const char **line)
{
	while (*at < length) {
		const char *start = bytes + *at;
		const char *end = memchr(start, '\n', length - *at);
		size_t whole = end ? (size_t)(end - start) : length - *at;
		size_t size = trimmed(start, whole);
		*at += whole + 1;
		if (!is_skipped(start, size)) {
			*line = start;
			return size;
		}
	}
	return 0;
}

int prof_lines_shown(size_t size)
{
	return size < TEXT_SHOWN ? (int)size : TEXT_SHOWN;
}

struct prof_error *prof_lines_damaged(const struct prof_lines *lines, const char *format, ...)
{
	char place[PROF_DAMAGE_PLACE];
	va_list arguments;

	snprintf(place, sizeof place, "line %llu", (unsigned long long)lines->number);
	va_start(arguments, format);
	struct prof_error *error = prof_damage(lines->path, place, format, arguments);
	va_end(arguments);
	return error;
}

/* Reads the next line, empty or not. */
static struct prof_error *read_line(struct prof_lines *lines, bool *more)
{
	int byte;

	lines->line.count = 0;
	lines->number++;
	while ((byte = getc_unlocked(lines->file)) != EOF && byte != '\n') {
		if (lines->line.count == LINE_MOST)
			return prof_lines_damaged(lines, "is longer than %d bytes", LINE_MOST);
		char *added = prof_array_push(&lines->line);
		if (!added)
			return prof_error_nomem();
		*added = (char)byte;
	}
	if (byte == EOF && ferror(lines->file))
		return prof_file_unreadable(lines->path);
	lines->done += lines->line.count + 1;
	*more = byte != EOF || lines->line.count;
	return NULL;
}

/* Removes blanks from the end of the current line.  Is it neither empty nor a comment? */
static bool trim(struct prof_lines *lines)
{
	const char *line = lines->line.items;

	lines->line.count = lines->line.count ? trimmed(line, lines->line.count) : 0;
	return lines->line.count && !is_skipped(line, lines->line.count);
}

/*
 * Reads the next line that is neither empty nor a comment.  *MORE is false at the end of the file.
 */
static struct prof_error *read_next(
	struct prof_lines *lines, const struct prof_progress *progress, bool *more)
{
	struct prof_error *error;

	do {
		error = read_line(lines, more);
		if (!error && lines->done - lines->reported >= REPORT_BYTES) {
			lines->reported = lines->done;
			error = prof_progress_report(
				progress, "Reading", lines->done, lines->total);
		}
	} while (!error && *more && !trim(lines));
	if (!error && *more && memchr(lines->line.items, 0, lines->line.count))
		error = prof_lines_damaged(lines, "holds a NUL byte");
	return error;
}

struct prof_error *prof_lines_read(struct prof_lines *lines, const struct prof_progress *progress,
	struct prof_error *(*take)(void *context), void *context)
{
	struct prof_error *error = NULL;
	bool more = true;

	while (!error && more) {
		error = read_next(lines, progress, &more);
		if (!error && more)
			error = take(context);
	}
	return error;
}

bool prof_lines_number(const char *text, size_t length, int places, int64_t most, int64_t *ret)
{
	int64_t value = 0;
	bool point = false, any = false;

	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		if (c == '.' && places && !point) {
			point = true;
			continue;
		}
		if (c < '0' || c > '9')
			return false;
		any = true;
		if (point && !places)
			continue;
		places -= point;
		if (value > (most - (c - '0')) / 10)
			return false;
		value = value * 10 + (c - '0');
	}
	for (; places > 0; places--) {
		if (value > most / 10)
			return false;
		value *= 10;
	}
	*ret = value;
	return any;
}
