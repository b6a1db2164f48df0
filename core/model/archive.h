/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What an experiment holds of its program, so that the views of code need neither the program nor
 * its sources: the text of source files, where functions stand in them, and instructions.
 *
 * Texts are strings of lines.  A line of source begins with '+' where there are instructions for
 * it, and else with ' '.  Instructions are lines "DELTA LENGTH OFFSET LINE TEXT": DELTA bytes from
 * the address of the block's frame, OFFSET bytes from where the function begins; before those that
 * come from another file there is a line "@FILE".
 */
#ifndef PROF_MODEL_ARCHIVE_H
#define PROF_MODEL_ARCHIVE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_archived_block;
struct prof_archived_extent;
struct prof_archived_source;
struct prof_experiment;

/*
 * The source file, location's string FILE, or NULL: it is not in the archive.  What these three
 * return is borrowed, until the archive is added to.
 */
const struct prof_archived_source *prof_archive_source(
	const struct prof_experiment *experiment, const char *file);

/* Where FUNCTION stands, or NULL. */
const struct prof_archived_extent *prof_archive_extent(
	const struct prof_experiment *experiment, uint32_t function);

/* The instructions of the function whose code FRAME is, or NULL. */
const struct prof_archived_block *prof_archive_block(
	const struct prof_experiment *experiment, uint32_t frame);

/* Is there anything in EXPERIMENT's archive? */
bool prof_archive_is_there(const struct prof_experiment *experiment);

/* Adds SOURCE, whose file is not there yet; its text is TEXT. */
struct prof_error *prof_archive_add_source(struct prof_experiment *experiment,
	const struct prof_archived_source *source, const char *text) PROF_MUST_CHECK;

/* Adds EXTENT, whose function has none yet. */
struct prof_error *prof_archive_add_extent(struct prof_experiment *experiment,
	const struct prof_archived_extent *extent) PROF_MUST_CHECK;

/*
 * Adds the instructions TEXT of the function that FRAME, which has an address and is resolved, is
 * code of; it has none yet.
 */
struct prof_error *prof_archive_add_block(
	struct prof_experiment *experiment, uint32_t frame, const char *text) PROF_MUST_CHECK;

/* An instruction of a block. */
struct prof_archived_instruction {
	int64_t delta;   /* bytes from the address of the block's frame */
	uint32_t length; /* bytes */
	int64_t offset;  /* bytes from where its function begins */
	uint32_t line;   /* 0: not known */
	/* Not terminated, and not to be trusted. */
	const char *file, *text;
	size_t file_length, text_length; /* no file: not known */
};

/*
 * Takes the next instruction from *TEXT, and moves *TEXT behind it; RET holds the one before, or
 * all zeroes.  False: there is no more; *TEXT is at its end, unless it is damaged.
 */
bool prof_archive_next(const char **text, struct prof_archived_instruction *ret);

/* The most lines of a text: views take some hundred bytes for each. */
enum { PROF_ARCHIVE_LINES_MOST = 1000000 };

/* Are all lines of TEXT, of source or of instructions, as they should be, and not too many? */
bool prof_archive_is_source(const char *text);
bool prof_archive_is_block(const char *text);

/*
 * Adds what only FROM's archive has to INTO's.  FUNCTIONS and FRAMES lead from numbers in FROM to
 * those in INTO.
 */
struct prof_error *prof_archive_merge(struct prof_experiment *into,
	const struct prof_experiment *from, const uint32_t *functions,
	const uint32_t *frames) PROF_MUST_CHECK;

/* TEXT as a file has it: new bytes, LENGTH of them, packed unless that gains too little or much. */
char *prof_archive_pack(const char *text, size_t *length) PROF_MUST_CHECK;

/*
 * The text of SIZE bytes that BYTES, LENGTH of them, were packed from, in a new string.  NULL:
 * memory is short, or *BAD: the bytes are not valid, or would unpack to too much.
 */
char *prof_archive_unpack(const void *bytes, size_t length, size_t size, bool *bad);

#endif
