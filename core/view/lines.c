/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of lines of source. */
#include "view/print.h"

const struct prof_view prof_view_lines = {
	"lines", prof_print_items, PROF_KIND_LINES, PROF_WANT_ALL, PROF_HAS_COSTS};
