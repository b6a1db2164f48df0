/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Charts: what each thread did over time, as boxes in a lane of its own. */
#ifndef PROF_PICTURE_CHART_H
#define PROF_PICTURE_CHART_H

#include "picture/boxes.h"
#include "picture/paint.h"

struct prof_sheet;

/* What a thread has: the row of its title, and boxes from the next one on. */
struct prof_lane {
	uint32_t thread; /* of the experiment */
	uint32_t row;    /* as of struct prof_box */
};

/* A message, from the lane at the row FROM to that at TO. */
struct prof_arrow {
	uint32_t send, receive; /* operations of the experiment */
	uint32_t from, to;
	double begin, end; /* shares of the width: when it was sent, and when it was received */
	int64_t length;    /* ns that both ranks together have spent with it */
};

struct prof_chart {
	struct prof_boxes boxes; /* the first, in row 0, is all of the picture */
	PROF_ARRAY(struct prof_lane) lanes;
	PROF_ARRAY(struct prof_arrow) arrows; /* the longest first; none where no times are known */
	size_t messages;                      /* that would be arrows, if they were not too many */
	bool timed;         /* the width is time; else the metric, where no times are known */
	double begin, span; /* of the width: ns since the start, or the metric in its own unit */
};

struct prof_chart_request {
	enum prof_color color; /* what the layers are: one, or one for each state */
	uint64_t max_depth;    /* as in struct prof_boxes_request */
	double narrowest;      /* likewise */
};

/*
 * Lays out SHEET, which needs no profiles.
 *
 * In a recording a sample lasts from the end of the thread's previous sample on: for as long as it
 * says, or else for the usual distance.  Neighbours share the boxes of the functions that they have
 * in common.  In a list of calls each call is a box.
 */
struct prof_error *prof_chart_init(struct prof_chart *chart, const struct prof_sheet *sheet,
	const struct prof_chart_request *request) PROF_MUST_CHECK;

/* Frees what CHART holds; all zeroes is fine. */
void prof_chart_deinit(struct prof_chart *chart);
#define AUTO_CHART PROF_AUTO(prof_chart_deinit)

#endif
