/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Functions and the call tree as `gprofng display text -functions -calltree' prints them. */
#ifndef PROF_EXPORT_GPROFNG_H
#define PROF_EXPORT_GPROFNG_H

#include "base/text.h"

struct prof_sheet;

/* Prints the one metric of SHEET, with its words and its figures; names by prof_text_name(). */
struct prof_error *prof_gprofng_print(
	const struct prof_sheet *sheet, struct prof_text *text) PROF_MUST_CHECK;

#endif
