/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void prof_text_deinit(struct prof_text *text)
{
	free(text->bytes);
	*text = (struct prof_text){0};
}

enum { TOLD_BYTES = 1 << 16 }; /* bytes added between two reports: a millisecond or less */

/* Reports the length of the text to its progress. */
static void report(struct prof_text *text)
{
	AUTO_ERROR struct prof_error *error =
		prof_progress_report(text->progress, "Printing, bytes", text->length, 0);

	text->reported = text->length;
	text->interrupted = text->failed = error;
}

/* Room for EXTRA bytes and a NUL. */
static bool reserve(struct prof_text *text, size_t extra)
{
	if (!text->failed && text->progress && text->length - text->reported >= TOLD_BYTES)
		report(text);
	if (text->failed)
		return false;
	text->full = text->most && extra > text->most - text->length;
	if (text->full || extra == SIZE_MAX ||
		!prof_array_grow(&text->bytes, &text->capacity, text->length, extra + 1, 1))
		text->failed = true;
	return !text->failed;
}

void prof_text_bytes(struct prof_text *text, const char *bytes, size_t length)
{
	if (!reserve(text, length))
		return;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void prof_text_print(struct prof_text *text, const char *format, ...)
{
	va_list arguments, again;

	if (text->failed)
		return;
	va_start(arguments, format);
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0)
		text->failed = true;
	else if (reserve(text, (size_t)length)) {
		vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
}

void prof_text_spaces(struct prof_text *text, long number)
{
	if (number <= 0 || !reserve(text, (size_t)number))
		return;
	memset(text->bytes + text->length, ' ', (size_t)number);
	text->length += (size_t)number;
	text->bytes[text->length] = '\0';
}

enum { PROSE_COLUMNS = 79 };

static bool is_blank(char c)
{
	return c == ' ' || c == '\n';
}

void prof_text_prose(struct prof_text *text, int indent, const char *prose)
{
	size_t margin = (size_t)indent;
	size_t column = 0; /* 0: nothing stands in the line yet */

	for (;;) {
		const char *blanks = prose;
		while (is_blank(*prose))
			prose++;
		if (!*prose)
			return;
		size_t gap = (size_t)(prose - blanks);
		bool paragraph = gap && memmem(blanks, gap, "\n\n", 2);
		size_t length = strcspn(prose, " \n");
		bool starts_item = gap && prose[-1] == '\n' && !strncmp(prose, "- ", 2);
		if (paragraph || starts_item)
			margin = (size_t)indent;
		if (column && (paragraph || starts_item || column + 1 + length > PROSE_COLUMNS)) {
			prof_text_bytes(text, "\n\n", paragraph ? 2 : 1);
			column = 0;
		}
		prof_text_spaces(text, column ? 1 : (long)margin);
		prof_text_bytes(text, prose, length);
		column += (column ? 1 : margin) + length;
		if (starts_item)
			margin += 2;
		prose += length;
	}
}

/*
 * Decodes one UTF-8 character at AT into *CODE.  Returns its length, or 0 if it is not a valid and
 * shortest encoding (RFC 3629).  The NUL at the end stops it like any wrong byte.
 */
static size_t decode(const unsigned char *at, uint32_t *code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length;

	if (at[0] < 0x80) {
		*code = at[0];
		return 1;
	}
	if (at[0] >= 0xc2 && at[0] < 0xe0)
		length = 2;
	else if (at[0] >= 0xe0 && at[0] < 0xf0)
		length = 3;
	else if (at[0] >= 0xf0 && at[0] < 0xf5)
		length = 4;
	else
		return 0;
	*code = at[0] & (0x7f >> length);
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (at[i] & 0x3f);
	}
	bool surrogate = *code >= 0xd800 && *code < 0xe000;
	return *code < smallest[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

/* Characters that a terminal might obey, or that make text look like another. */
static bool hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
		code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
		(code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

/*
 * Takes one character of NAME at *AT and prints what stands for it into BUFFER.  Returns the number
 * of columns; wide and combining characters count as one.
 */
static size_t next_character(const char *name, size_t *at, char buffer[16])
{
	const unsigned char *byte = (const unsigned char *)name + *at;
	uint32_t code = 0;
	size_t length = decode(byte, &code);

	if (!length || (hidden(code) && code < 0x80)) {
		*at += 1;
		return (size_t)snprintf(buffer, 16, "\\x%02x", byte[0]);
	}
	*at += length;
	if (hidden(code))
		return (size_t)snprintf(buffer, 16, "\\u%04x", (unsigned)code);
	memcpy(buffer, byte, length);
	buffer[length] = '\0';
	return 1;
}

/* The number of bytes at the beginning of NAME that are shown as they are: most names as a whole.
 */
static size_t plain(const char *name)
{
	size_t length = 0;

	while (name[length] >= 0x20 && name[length] < 0x7f)
		length++;
	return length;
}

void prof_text_name(struct prof_text *text, const char *name)
{
	char buffer[16];

	for (size_t at = 0; name[at];) {
		size_t length = plain(name + at);
		prof_text_bytes(text, name + at, length);
		at += length;
		if (name[at]) {
			next_character(name, &at, buffer);
			prof_text_bytes(text, buffer, strlen(buffer));
		}
	}
}

void prof_text_utf8(struct prof_text *text, const char *name)
{
	size_t length = 0, step = 1;
	uint32_t code;

	while (step && name[length]) {
		step = decode((const unsigned char *)name + length, &code);
		length += step;
	}
	if (step)
		prof_text_bytes(text, name, length);
	else
		prof_text_name(text, name);
}

size_t prof_text_width(const char *name)
{
	size_t width = 0;
	char buffer[16];

	for (size_t at = 0; name[at];) {
		size_t length = plain(name + at);
		width += length;
		at += length;
		if (name[at])
			width += next_character(name, &at, buffer);
	}
	return width;
}

bool prof_text_is(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && !memcmp(word, text, length);
}

struct prof_error *prof_text_error(const struct prof_text *text)
{
	if (text->interrupted)
		return prof_error_interrupted();
	if (text->full)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"The output would have more than %zu MB: select less of it by a filter, or raise \"set prof max-output\".",
			text->most >> 20);
	return text->failed ? prof_error_nomem() : NULL;
}

const char *prof_text_get(const struct prof_text *text)
{
	return text->bytes ? text->bytes : "";
}
