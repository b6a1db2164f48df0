/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The data of the report, as JSON. */
#ifndef PROF_PICTURE_PAGE_DATA_H
#define PROF_PICTURE_PAGE_DATA_H

#include "base/text.h"

struct prof_page;

/*
 * Prints one object into TEXT, all ASCII.  Its members are columns, named by the table that they
 * belong to: `function_name' has the name of each function.  Columns that refer to a table have the
 * numbers of its rows, from 0 on.
 *
 *	metric_    name, title, unit, units (by which values are divided)
 *	module_    name of the load object
 *	function_  name, short (name without arguments), module
 *	file_      name
 *	place_     function, file, line: a line of source, of each function its own
 *	node_      parent, place: the call tree of places; its root is 0, and has no row, so that
 *	           node N is row N - 1
 *	thread_    name, id
 *	mark_      time, label
 *	state_     name
 *	shape_     metrics: an array of those that a sample has values of
 *	source_    file, text
 *	sample_    node (a row), thread, time, state, shape
 *	values     those of all samples, one after the other, as their shapes have it
 *
 * Times are in us, that of a sample as the difference to the one before.  Beside them are a `title'
 * and the lines of a `summary'.
 */
struct prof_error *prof_page_data_print(
	const struct prof_page *page, struct prof_text *text) PROF_MUST_CHECK;

#endif
