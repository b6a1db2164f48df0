/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of addresses. */
#include "view/print.h"

const struct prof_view prof_view_pcs = {
	"pcs", prof_print_items, PROF_KIND_PCS, PROF_WANT_ALL, PROF_HAS_COSTS};
