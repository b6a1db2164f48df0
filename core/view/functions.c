/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of functions. */
#include "view/print.h"

const struct prof_view prof_view_functions = {
	"functions", prof_print_items, PROF_KIND_FUNCTIONS, PROF_WANT_ALL, PROF_HAS_COSTS};
