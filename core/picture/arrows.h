/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows: the messages between ranks in a chart, from the sender's lane to the receiver's. */
#ifndef PROF_PICTURE_ARROWS_H
#define PROF_PICTURE_ARROWS_H

#include "base/error.h"

struct prof_chart;
struct prof_sheet;

enum { PROF_ARROWS_MOST = 500 }; /* in a chart: more would hide it */

/*
 * Finds the matched messages of SHEET between lanes of CHART.  Keeps at most PROF_ARROWS_MOST:
 * those with the most time from the begin of the first call of either rank to the end of the
 * receive.
 */
struct prof_error *prof_arrows_find(
	struct prof_chart *chart, const struct prof_sheet *sheet) PROF_MUST_CHECK;

#endif
