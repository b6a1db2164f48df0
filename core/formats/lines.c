/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/lines.h"

#include "base/file.h"
#include "formats/damage.h"
#include "formats/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_MOST = 64 << 20,   /* bytes of a line: bounds the memory that a line takes */
	REPORT_BYTES = 1 << 20, /* between two reports */
	CHUNK = 1 << 18,        /* bytes that are read at once */
	TEXT_SHOWN = 40,        /* bytes of the file's text in an error */
};

struct prof_error *prof_lines_open(struct prof_lines *lines, const char *path)
{
	AUTO_CLOSE int fd = -1;

	*lines = (struct prof_lines){.path = path};
	struct prof_error *error = prof_file_open(path, &lines->total, &fd);
	if (error)
		return error;
	lines->fd = fd;
	lines->open = true;
	fd = -1;
	return NULL;
}

void prof_lines_close(struct prof_lines *lines)
{
	if (lines->open)
		close(lines->fd);
	free(lines->bytes.items);
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

/* Reads more of the file behind the line that has begun, which moves to the first byte. */
static struct prof_error *read_more(struct prof_lines *lines)
{
	size_t held = lines->bytes.count - lines->at;
	uint64_t left = lines->total > lines->done + held ? lines->total - lines->done - held : 0;
	size_t wanted = left < CHUNK ? (size_t)left + 1 : CHUNK;

	if (held && lines->at)
		memmove(lines->bytes.items, lines->bytes.items + lines->at, held);
	lines->bytes.count = held;
	lines->at = 0;
	if (!prof_array_reserve(&lines->bytes, wanted))
		return prof_error_nomem();
	ssize_t count = read(lines->fd, lines->bytes.items + held, wanted);
	if (count < 0)
		return prof_file_unreadable(lines->path);
	lines->bytes.count += (size_t)count;
	lines->ended = !count;
	return NULL;
}

/* Reads the next line, empty or not. */
static struct prof_error *read_line(struct prof_lines *lines, bool *more)
{
	size_t searched = 0, held;
	const char *start, *end;

	lines->number++;
	for (;;) {
		start = lines->bytes.items + lines->at;
		held = lines->bytes.count - lines->at;
		end = held > searched ? memchr(start + searched, '\n', held - searched) : NULL;
		searched = end ? (size_t)(end - start) : held;
		if (searched > LINE_MOST)
			return prof_lines_damaged(lines, "is longer than %d bytes", LINE_MOST);
		if (end || lines->ended)
			break;
		struct prof_error *error = read_more(lines);
		if (error)
			return error;
	}
	lines->line = (struct prof_part){start, searched};
	lines->at += searched + (end != NULL);
	lines->done += searched + 1;
	*more = end || searched;
	return NULL;
}

/* Removes blanks from the end of the current line.  Is it neither empty nor a comment? */
static bool trim(struct prof_lines *lines)
{
	struct prof_part *line = &lines->line;

	line->length = line->length ? trimmed(line->text, line->length) : 0;
	return line->length && !is_skipped(line->text, line->length);
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
	if (!error && *more && memchr(lines->line.text, 0, lines->line.length))
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
