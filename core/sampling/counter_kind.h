/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The kinds of counters, one table row each: what is known of a counter by its name, and the lists
 * of all counters that this machine has.
 */
#ifndef PROF_SAMPLING_COUNTER_KIND_H
#define PROF_SAMPLING_COUNTER_KIND_H

#include "sampling/counter.h"

/* Default intervals: of what is counted in each cycle, of misses, and of what is little known. */
#define PROF_COUNTER_OFTEN INT64_C(9999991)
#define PROF_COUNTER_SELDOM INT64_C(100003)
#define PROF_COUNTER_RAW_DEFAULT INT64_C(1000003)

enum prof_counter_kind {
	PROF_COUNTER_ALIAS,      /* a name as the Collector has it */
	PROF_COUNTER_RAW,        /* a name or a code of the CPU's own */
	PROF_COUNTER_SOFTWARE,   /* counted by the kernel */
	PROF_COUNTER_TRACEPOINT, /* a place in the kernel */
	PROF_COUNTER_KINDS,
};

/* All zeroes is fine.  The texts are owned. */
struct prof_counter_entry {
	enum prof_counter_kind kind;
	char *raw;                   /* of an alias: the name that it stands for; else NULL */
	char *title;                 /* what is counted, for readers; NULL: the name shows it */
	struct prof_counter counter; /* with the default interval */
	bool fixed;                  /* the name itself has its precision */
};

void prof_counter_entry_deinit(struct prof_counter_entry *entry);

/* Frees what an entry holds, for the guard. */
#define AUTO_COUNTER_ENTRY PROF_AUTO(prof_counter_entry_deinit)

/* The counters of this machine, each kind's behind those of the kind before. */
struct prof_counter_list {
	PROF_ARRAY(struct prof_counter_entry) entries;
	unsigned registers;                             /* of a CPU; 0: not known, or none */
	struct prof_error *missing[PROF_COUNTER_KINDS]; /* why there are none of a kind, or NULL */
};

/*
 * Lists all counters that the kernel opens for the calling thread.  Of tracepoints only the first
 * is tried: the kernel permits all or none.
 */
struct prof_error *prof_counter_list_read(struct prof_counter_list *ret) PROF_MUST_CHECK;

/* Frees what LIST holds; all zeroes is fine. */
void prof_counter_list_deinit(struct prof_counter_list *list);

/*
 * Finds the counter NAME: *FOUND is false if there is none.  An error says what is wrong with NAME.
 */
struct prof_error *prof_counter_find(
	const char *name, struct prof_counter_entry *ret, bool *found) PROF_MUST_CHECK;

/* Adds an entry of KIND with copies of NAME, RAW and TITLE (NULL: none); NULL: out of memory. */
struct prof_counter_entry *prof_counter_list_add(struct prof_counter_list *list,
	enum prof_counter_kind kind, const char *name, const char *raw, const char *title);

/*
 * The kinds' own files.  FIND functions are as prof_counter_find(), and leave the counter's name
 * alone.  LIST functions add what there may be, opened or not.
 */
struct prof_error *prof_counter_alias_find(
	const char *name, struct prof_counter_entry *ret, bool *found) PROF_MUST_CHECK;
struct prof_error *prof_counter_alias_list(struct prof_counter_list *list) PROF_MUST_CHECK;
struct prof_error *prof_counter_software_find(
	const char *name, struct prof_counter_entry *ret, bool *found) PROF_MUST_CHECK;
struct prof_error *prof_counter_software_list(struct prof_counter_list *list) PROF_MUST_CHECK;
struct prof_error *prof_counter_code_find(
	const char *name, struct prof_counter_entry *ret, bool *found) PROF_MUST_CHECK;
struct prof_error *prof_counter_raw_find(
	const char *name, struct prof_counter_entry *ret, bool *found) PROF_MUST_CHECK;
struct prof_error *prof_counter_raw_list(struct prof_counter_list *list) PROF_MUST_CHECK;
struct prof_error *prof_counter_tracepoint_find(
	const char *name, struct prof_counter_entry *ret, bool *found) PROF_MUST_CHECK;
struct prof_error *prof_counter_tracepoint_list(struct prof_counter_list *list) PROF_MUST_CHECK;

/* Makes RET the kernel's software event CONFIG, which has another name; false: it is unknown. */
bool prof_counter_software_set(uint64_t config, struct prof_counter_entry *ret);

/* The number of registers of a CPU by the tables of libpfm4; 0: it does not know the CPU. */
unsigned prof_counter_raw_registers(void);

#endif
