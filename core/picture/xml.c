/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/xml.h"

#include <string.h>

static bool continues(char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Adds the character at SHOWN, from prof_text_name().  Returns its length. */
static size_t add_character(const char *shown, struct prof_text *text)
{
	size_t length = 1;

	switch (*shown) {
	case '&':
		prof_text_print(text, "&amp;");
		return 1;
	case '<':
		prof_text_print(text, "&lt;");
		return 1;
	case '>':
		prof_text_print(text, "&gt;");
		return 1;
	case '"':
		prof_text_print(text, "&quot;");
		return 1;
	}
	while (continues(shown[length]))
		length++;
	/* These two are characters in Unicode, but not in XML. */
	if (!strncmp(shown, "\xef\xbf\xbe", 3))
		prof_text_print(text, "\\ufffe");
	else if (!strncmp(shown, "\xef\xbf\xbf", 3))
		prof_text_print(text, "\\uffff");
	else
		prof_text_bytes(text, shown, length);
	return length;
}

/* The number of characters in SHOWN. */
static size_t count_characters(const char *shown)
{
	size_t count = 0;

	for (; *shown; shown++)
		count += !continues(*shown);
	return count;
}

void prof_xml_name_cut(const char *name, size_t columns, struct prof_text *text)
{
	AUTO_TEXT struct prof_text shown = {0};

	prof_text_name(&shown, name);
	const char *at = prof_text_get(&shown);
	bool cut = count_characters(at) > columns;
	while (!cut && *at && !text->failed) {
		/* Most names need no escapes. */
		size_t plain = strcspn(at, "&<>\"\xef");
		prof_text_bytes(text, at, plain);
		at += plain;
		if (*at)
			at += add_character(at, text);
	}
	for (size_t i = 0; cut && *at && i + 1 < columns; i++)
		at += add_character(at, text);
	if (cut)
		prof_text_print(text, "\xe2\x80\xa6");
	text->failed |= shown.failed;
}

void prof_xml_name(const char *name, struct prof_text *text)
{
	prof_xml_name_cut(name, (size_t)-1, text);
}
