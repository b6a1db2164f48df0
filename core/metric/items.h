/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Items: what the stacks of a profile are made of, one table of kinds.
 *
 * A frame is seen as the functions at its place, or as its load object, its lines of source, or its
 * address.  Whatever it is, the same rules give exclusive and inclusive metrics: an item counts
 * once for each sample, however often it recurs.
 */
#ifndef PROF_METRIC_ITEMS_H
#define PROF_METRIC_ITEMS_H

#include "base/map.h"
#include "base/memory.h"

#include <stdbool.h>

struct prof_error;
struct prof_experiment;

enum prof_kind {
	PROF_KIND_FUNCTIONS, /* numbered as the experiment's functions */
	PROF_KIND_OBJECTS,   /* load objects; numbered as its modules */
	PROF_KIND_LINES,     /* lines of source of a function, or all of it that has none */
	PROF_KIND_PCS,       /* addresses; numbered as its frames */
	PROF_KINDS,
};

/* A line of source of a function. */
struct prof_line {
	uint32_t function; /* function */
	uint32_t file;     /* string; "" if not known */
	uint32_t line;     /* 0 if not known */
};

struct prof_items {
	const struct prof_experiment *experiment; /* borrowed */
	enum prof_kind kind;
	bool inlined;                       /* inlined functions are items of their own */
	PROF_ARRAY(struct prof_line) lines; /* of PROF_KIND_LINES: by item */

	/* Private part. */
	bool has_unknown;         /* the item behind the last row of the experiment is in use */
	struct prof_map index;    /* hash of a line -> its item */
	PROF_ARRAY(char *) names; /* of PROF_KIND_LINES and PROF_KIND_PCS: by item */
};

/*
 * The items of KIND in EXPERIMENT.  INLINED: code that was inlined belongs to the function that
 * was; else to the one that it is inlined in.
 */
void prof_items_init(struct prof_items *items, const struct prof_experiment *experiment,
	enum prof_kind kind, bool inlined);

/* Frees what ITEMS holds. */
void prof_items_deinit(struct prof_items *items);
#define AUTO_ITEMS PROF_AUTO(prof_items_deinit)

/* How many there are, as of now. */
size_t prof_items_count(const struct prof_items *items);

/* How many items FRAME is; at least 1. */
uint32_t prof_items_depth(const struct prof_items *items, uint32_t frame);

/*
 * Item NUMBER of FRAME, 0 being the innermost.  A frame that is not resolved is the function
 * "<Unknown>", see prof_experiment_unknown().
 */
struct prof_error *prof_items_of(
	struct prof_items *items, uint32_t frame, uint32_t number, uint32_t *ret) PROF_MUST_CHECK;

/* The item of a stack without a frame. */
struct prof_error *prof_items_of_nothing(struct prof_items *items, uint32_t *ret) PROF_MUST_CHECK;

/* The function that ITEM belongs to; PROF_NONE: a load object, or an address that is unresolved. */
uint32_t prof_items_function(const struct prof_items *items, uint32_t item);

/* Makes the names of all items that there are now. */
struct prof_error *prof_items_make_names(struct prof_items *items) PROF_MUST_CHECK;

/*
 * The name of ITEM, one of those that had names made, borrowed.  It is not to be trusted: print it
 * with prof_text_name().
 */
const char *prof_items_name(const struct prof_items *items, uint32_t item);

#endif
