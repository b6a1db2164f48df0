/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All that an experiment holds, as JSON: the format json of prof-export. */
#ifndef PROF_EXPORT_DUMP_H
#define PROF_EXPORT_DUMP_H

#include "base/text.h"

struct prof_sheet;

enum { PROF_DUMP_VERSION = 1 }; /* counts incompatible changes */

/*
 * Prints one object, and nothing but ASCII, as doc/reference/json.md describes it: of the samples
 * those that pass SHEET's filter, everything else whole.  Values are exact.  Names are as they are,
 * unless they are no valid UTF-8: prof_text_name() stands for those.
 */
struct prof_error *prof_dump_print(
	const struct prof_sheet *sheet, struct prof_text *text) PROF_MUST_CHECK;

#endif
