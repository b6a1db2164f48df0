/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The waits of ranks for each other, which prof-messages --waits lists. */
#ifndef PROF_VIEW_MESSAGE_WAITS_H
#define PROF_VIEW_MESSAGE_WAITS_H

#include "base/error.h"

#include <stdint.h>

struct prof_choice;
struct prof_sheet;
struct prof_text;

/* Prints at most LIMIT waits, 0: all. */
struct prof_error *prof_message_waits_print(const struct prof_sheet *sheet,
	const struct prof_choice *choice, uint64_t limit, struct prof_text *text) PROF_MUST_CHECK;

#endif
