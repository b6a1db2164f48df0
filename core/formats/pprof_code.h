/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The code in one of pprof's profiles: its locations, as frames of the experiment. */
#ifndef PROF_FORMATS_PPROF_CODE_H
#define PROF_FORMATS_PPROF_CODE_H

#include "base/map.h"
#include "base/memory.h"

struct prof_content;
struct prof_error;
struct prof_experiment;
struct prof_pprof_function;
struct prof_pprof_line;
struct prof_pprof_mapping;
struct prof_progress;

/* One message of the profile, still packed. */
struct prof_pprof_part {
	size_t at;            /* where in the file it begins, for errors */
	const uint8_t *bytes; /* borrowed */
	size_t length;
};

/* A location: FRAMES of them from FIRST_FRAME on, the innermost first; LINES are functions. */
struct prof_pprof_place {
	size_t at;                 /* as of its part */
	uint64_t mapping, address; /* the mapping's id in the file; 0: none */
	size_t first_line, lines;
	size_t first_frame, frames;
};

/* To begin, all members are zero except the first two. */
struct prof_pprof_code {
	const struct prof_content *content; /* borrowed */
	struct prof_experiment *experiment; /* borrowed */
	PROF_ARRAY(uint32_t) strings;       /* by number in the file: string */
	PROF_ARRAY(struct prof_pprof_place) places;
	PROF_ARRAY(uint32_t) frames;

	/* Private part. */
	PROF_ARRAY(struct prof_pprof_function) functions;
	PROF_ARRAY(struct prof_pprof_mapping) mappings;
	PROF_ARRAY(struct prof_pprof_line) lines;
	struct prof_map function_index, mapping_index, place_index; /* by id in the file */
};

void prof_pprof_code_deinit(struct prof_pprof_code *code);

/* Each takes a message of its kind; what they refer to may come later. */
struct prof_error *prof_pprof_code_string(
	struct prof_pprof_code *code, const struct prof_pprof_part *part) PROF_MUST_CHECK;
struct prof_error *prof_pprof_code_function(
	struct prof_pprof_code *code, const struct prof_pprof_part *part) PROF_MUST_CHECK;
struct prof_error *prof_pprof_code_mapping(
	struct prof_pprof_code *code, const struct prof_pprof_part *part) PROF_MUST_CHECK;
struct prof_error *prof_pprof_code_location(
	struct prof_pprof_code *code, const struct prof_pprof_part *part) PROF_MUST_CHECK;

/* After the last message: finds what they refer to, and makes the frames. */
struct prof_error *prof_pprof_code_finish(
	struct prof_pprof_code *code, const struct prof_progress *progress) PROF_MUST_CHECK;

/* The text with NUMBER in the file, which the message at byte AT refers to, as a string. */
struct prof_error *prof_pprof_code_text(const struct prof_pprof_code *code, size_t at,
	int64_t number, uint32_t *ret) PROF_MUST_CHECK;

/* The place with the ID in the file; NULL: there is none. */
const struct prof_pprof_place *prof_pprof_code_place(
	const struct prof_pprof_code *code, uint64_t id);

#endif
