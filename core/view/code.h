/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The program's code, for the views of source and of instructions: the answers of a debugger or of
 * an archive.
 */
#ifndef PROF_VIEW_CODE_H
#define PROF_VIEW_CODE_H

#include "base/text.h"

struct prof_experiment;

/* A line of source. */
struct prof_code_line {
	char *text;   /* tabs expanded; what a terminal might obey is spelled out */
	char *styled; /* the same with a terminal's escapes; NULL: without any */
	bool code;    /* there are instructions for it */
};

/* A file of source; without lines where it cannot be read. */
struct prof_code_source {
	char *path;    /* where it is, or was looked for; not to be trusted */
	uint8_t newer; /* PROF_NEWER_RECORDING and so on */
	PROF_ARRAY(struct prof_code_line) lines;
};

/* Frees what SOURCE holds; all zeroes is fine. */
void prof_code_source_deinit(struct prof_code_source *source);

/* Reads the file PATH into SOURCE's lines; *REASON, a system's error number, says why it cannot. */
struct prof_error *prof_code_source_read(
	struct prof_code_source *source, const char *path, int *reason) PROF_MUST_CHECK;

/* Adds LINE, without escapes, to SOURCE's lines; LINE is changed.  False: memory is short. */
bool prof_code_source_add(struct prof_code_source *source, char *line, bool code);

/* Where a function stands in the source. */
struct prof_code_extent {
	char *file;           /* as locations have it, the caller's; NULL: not known */
	uint32_t first, last; /* lines, from 1 */
};

struct prof_code_instruction {
	uint64_t low, high; /* as frames have addresses: the first byte, and that behind the last */
	int64_t offset;     /* of LOW from where its function begins */
	char *text;         /* not to be trusted */
	char *file;         /* as locations have it; NULL: not known */
	uint32_t line;      /* 0: not known */
};

/* All instructions of a function that is not inlined, by address. */
struct prof_code_block {
	PROF_ARRAY(struct prof_code_instruction) instructions;
	bool other; /* they may be those of another build than the recorded one */
};

/* Frees what BLOCK holds; all zeroes is fine. */
void prof_code_block_deinit(struct prof_code_block *block);

/*
 * What is not known is left empty, and the notes have the reason.  The caller deinitializes what is
 * filled in.
 */
struct prof_code {
	struct prof_error *(*source)(struct prof_code *code,
		const struct prof_experiment *experiment, const char *file,
		struct prof_code_source *ret);
	/* Finds where FUNCTION begins and ends; FRAME is code of it. */
	struct prof_error *(*extent)(struct prof_code *code,
		const struct prof_experiment *experiment, uint32_t function, uint32_t frame,
		struct prof_code_extent *ret);
	/* The block of the function whose code FRAME is. */
	struct prof_error *(*block)(struct prof_code *code,
		const struct prof_experiment *experiment, uint32_t frame,
		struct prof_code_block *ret);
	struct prof_text notes; /* sentences, each in a line, that the user should know */
};

#endif
