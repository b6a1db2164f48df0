/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where data was accessed: the address of each sample, or why it is not known. */
#ifndef PROF_METRIC_DATA_H
#define PROF_METRIC_DATA_H

#include "base/error.h"
#include "model/access.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;
struct prof_metric;
struct prof_selection;

/* How near addresses must be to each other to share a row. */
enum prof_data_unit {
	PROF_DATA_PAGES,     /* 4096 bytes */
	PROF_DATA_LINES,     /* of a cache: 64 bytes */
	PROF_DATA_ADDRESSES, /* the same */
	PROF_DATA_UNITS,
};

/* The words for them: "page", "line", "address". */
extern const char *const prof_data_unit_names[PROF_DATA_UNITS];

/* Why an address is not known, in the Analyzer's order. */
enum prof_data_unknown {
	PROF_DATA_UNASCERTAINABLE, /* it was not looked for */
	PROF_DATA_UNVERIFIABLE,
	PROF_DATA_UNRESOLVABLE,
	PROF_DATA_UNSPECIFIED,
	PROF_DATA_UNDETERMINED, /* the instruction is known, but not what its registers were */
	PROF_DATA_UNKNOWNS,
};

/* The words for them: "(Unascertainable)". */
extern const char *const prof_data_unknown_names[PROF_DATA_UNKNOWNS];

struct prof_data_row {
	uint64_t address; /* the first of its unit */
	/* What was done there, for all that was noted: enum prof_access, its bits together, and */
	uint8_t access;
	bool called; /* by the kernel, in system calls of the program */
};

/* All zeroes is none. */
struct prof_data_rows {
	/* The first PROF_DATA_UNKNOWNS are of what is not known. */
	PROF_ARRAY(struct prof_data_row) rows;
	uint32_t *of; /* by sample: its row */
};

/* The rows of EXPERIMENT's samples, those of SELECTION unless it is NULL. */
struct prof_error *prof_data_rows_init(struct prof_data_rows *rows,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	enum prof_data_unit unit) PROF_MUST_CHECK;

/* Notes in ROWS what the samples that carry METRIC did. */
struct prof_error *prof_data_rows_note(struct prof_data_rows *rows,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	const struct prof_metric *metric) PROF_MUST_CHECK;

void prof_data_rows_deinit(struct prof_data_rows *rows);
#define AUTO_DATA_ROWS PROF_AUTO(prof_data_rows_deinit)

/* What is known of a counter's instructions and addresses. */
struct prof_data_summary {
	uint64_t triggers[PROF_TRIGGERS]; /* samples of each kind */
	uint64_t samples, addressed;      /* of all kinds */
};

/*
 * Sums up the data accesses of the event NUMBER of EXPERIMENT, as far as its file can be read:
 * views that need more report why it cannot.
 */
struct prof_data_summary prof_data_summarize(
	const struct prof_experiment *experiment, uint32_t number);

#endif
