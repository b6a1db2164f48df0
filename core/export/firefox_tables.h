/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables that a thread of the Firefox Profiler has: each entry once, known by its number. */
#ifndef PROF_EXPORT_FIREFOX_TABLES_H
#define PROF_EXPORT_FIREFOX_TABLES_H

#include "base/strings.h"
#include "base/text.h"
#include "metric/items.h"

/* A function where its code is from one file. */
struct prof_firefox_place {
	uint32_t function, file; /* function, string */
};

/* A frame, called from another stack. */
struct prof_firefox_call {
	uint32_t prefix; /* stack; PROF_NONE: none */
	uint32_t frame;  /* number in `frames` */
};

/* All zeroes is a thread without any. */
struct prof_firefox_tables {
	struct prof_strings strings;
	PROF_ARRAY(struct prof_firefox_call) stacks;
	PROF_ARRAY(uint32_t) frames; /* items, which are lines */
	PROF_ARRAY(struct prof_firefox_place) places;
	PROF_ARRAY(uint32_t) resources; /* modules */
	struct prof_map stack_index, frame_index, place_index, resource_index;

	/* Private part. */
	struct prof_map paths; /* path -> stack */
	PROF_ARRAY(uint32_t) chain;
};

/* Frees what TABLES hold, and leaves them empty. */
void prof_firefox_tables_deinit(struct prof_firefox_tables *tables);

/* The stack that PATH is, of ITEMS, which are lines; all that it refers to is added too. */
struct prof_error *prof_firefox_stack(struct prof_firefox_tables *tables, struct prof_items *items,
	uint32_t path, uint32_t *ret) PROF_MUST_CHECK;

/* Adds TEXT to the thread's strings. */
struct prof_error *prof_firefox_add_text(
	struct prof_firefox_tables *tables, const char *text) PROF_MUST_CHECK;

/* The number that TEXT, which was added, has in the thread. */
uint32_t prof_firefox_text(const struct prof_firefox_tables *tables, const char *text);

/* Adds the time NS, in ms, to TEXT. */
void prof_firefox_print_time(int64_t ns, struct prof_text *text);

#endif
