/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page.h"

#include <string.h>

/* Escape sequences: erase to the end of the line, and of the screen. */
#define END_LINE "\033[K"
#define END_SCREEN "\033[J"

void prof_page_print(const char *lines, size_t rows, struct prof_text *text)
{
	for (size_t i = 0; i < rows && *lines; i++) {
		size_t length = strcspn(lines, "\n");
		prof_text_bytes(text, lines, length);
		prof_text_print(text, END_LINE "\r\n");
		lines += length + (lines[length] == '\n');
	}
	prof_text_print(text, END_SCREEN);
}
