/* SPDX-License-Identifier: GPL-3.0-or-later */

/* As many lines of a text as a screen has room for. */
#ifndef PROF_REPORT_PAGE_H
#define PROF_REPORT_PAGE_H

#include "base/text.h"

/*
 * Adds the first ROWS lines of LINES to TEXT, for a screen on which other text stands: each line
 * erases what is behind it, and all of them what is below.
 */
void prof_page_print(const char *lines, size_t rows, struct prof_text *text);

#endif
