/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of load objects. */
#include "view/print.h"

const struct prof_view prof_view_objects = {
	"objects", prof_print_items, PROF_KIND_OBJECTS, PROF_WANT_ALL, PROF_HAS_COSTS};
