/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows: the messages between ranks in a chart, from the sender's lane to the receiver's. */
#ifndef PROF_PICTURE_ARROWS_H
#define PROF_PICTURE_ARROWS_H

#include "picture/chart.h"

enum { PROF_ARROWS_MOST = 500 }; /* in a chart: more would hide it */

/*
 * Finds the messages of SHEET that were matched, and whose lanes CHART has.  Of too many the
 * longest are kept: those with the most time from the first call of either rank to the last.
 */
struct prof_error *prof_arrows_find(
	struct prof_chart *chart, const struct prof_sheet *sheet) PROF_MUST_CHECK;

#endif
