/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The report: a page of HTML that has the samples in it, and works out every table from them. */
#ifndef PROF_PICTURE_PAGE_H
#define PROF_PICTURE_PAGE_H

#include "base/text.h"

struct prof_progress;
struct prof_sheet;

/* A source file whose text the page shows. */
struct prof_page_source {
	uint32_t file;    /* string, as locations have it */
	const char *text; /* borrowed, not to be trusted */
};

/* What the page is of; all is borrowed. */
struct prof_page {
	/* Of PROF_KIND_LINES; it needs no profiles.  The samples that its filter lets pass are in
	   the page. */
	const struct prof_sheet *sheet;
	const char *title;   /* a line, not to be trusted */
	const char *summary; /* lines: how the experiment was recorded */
	const struct prof_page_source *sources;
	size_t source_count;
};

/*
 * Prints the page into TEXT: one file that fetches nothing.  A page that is too large for any
 * browser is an error.
 */
struct prof_error *prof_page_print(
	const struct prof_page *page, struct prof_text *text) PROF_MUST_CHECK;

#endif
