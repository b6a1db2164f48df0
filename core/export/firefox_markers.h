/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Markers of the Firefox Profiler: the marks, and the messages of MPI that threads have sent and
 * received.  The marker of a receive ends the flow that the marker of its send begins, which the
 * tool shows as connected.
 */
#ifndef PROF_EXPORT_FIREFOX_MARKERS_H
#define PROF_EXPORT_FIREFOX_MARKERS_H

#include "export/firefox_tables.h"
#include "model/mpi_matches.h"
#include "report/sheet.h"

/* One end of a message. */
struct prof_firefox_message {
	uint32_t thread;
	uint32_t match; /* number of the match */
	bool receives;
};

/* The messages whose ends are known; all zeroes is none. */
struct prof_firefox_messages {
	struct prof_mpi_matches matches;
	PROF_ARRAY(struct prof_firefox_message) items; /* by thread */
};

/* Finds the messages of which SHEET shows both calls. */
struct prof_error *prof_firefox_messages_find(
	const struct prof_sheet *sheet, struct prof_firefox_messages *ret) PROF_MUST_CHECK;
void prof_firefox_messages_deinit(struct prof_firefox_messages *messages);

/* Adds the list of the kinds of markers that have fields: none if there are no MESSAGES. */
void prof_firefox_print_kinds(const struct prof_firefox_messages *messages, struct prof_text *text);

/*
 * Adds the table of the markers of THREAD: its MESSAGES, and, with MARKS, the marks.  Their strings
 * are added to TABLES.
 */
struct prof_error *prof_firefox_print_markers(const struct prof_experiment *experiment,
	const struct prof_firefox_messages *messages, uint32_t thread, bool marks,
	struct prof_firefox_tables *tables, struct prof_text *text) PROF_MUST_CHECK;

#endif
