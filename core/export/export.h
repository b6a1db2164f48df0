/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be written for other tools: one table of formats. */
#ifndef PROF_EXPORT_EXPORT_H
#define PROF_EXPORT_EXPORT_H

#include "base/text.h"
#include "report/sheet.h"

/* What formats say whose text of stacks has more bytes than they may have; a number: how many. */
#define PROF_EXPORT_STACKS_TOO_LARGE \
	"The stacks are more than %d bytes of text: leave out some of them with a filter."

struct prof_export {
	const char *name;     /* one word, e.g. "folded" */
	const char *describe; /* one sentence */
	enum prof_kind kind;  /* the kind of the sheet's items */
	enum prof_want want;  /* the profiles that the sheet needs */
	unsigned needs;       /* bits of enum prof_has: it needs one of these */
	bool packed;          /* the file is no text */
	enum prof_export_metrics {
		PROF_EXPORT_ONE,
		PROF_EXPORT_SEVERAL,
		PROF_EXPORT_ALL, /* whatever the sheet shows */
	} metrics;               /* that a file can hold */
	/* Prints SHEET, which is of this kind, and shows as many metrics. */
	struct prof_error *(*print)(const struct prof_sheet *sheet, struct prof_text *text);
};

/* The table; ends with a row without a name.  The first is the default. */
extern const struct prof_export prof_exports[];

/* The format NAME; an unknown one is an error that lists those there are. */
struct prof_error *prof_export_find(
	const char *name, const struct prof_export **ret) PROF_MUST_CHECK;

#endif
