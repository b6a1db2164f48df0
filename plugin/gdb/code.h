/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Source and instructions, as GDB has them, for the views of code. */
#ifndef PROF_PLUGIN_GDB_CODE_H
#define PROF_PLUGIN_GDB_CODE_H

#include "view/code.h"

struct code {
	struct prof_code code; /* for the choice */
	bool styled;           /* private: source gets a terminal's escapes */
};

/* SCREEN: it is for the screen, where GDB may highlight source. */
void code_begin(struct code *code, bool screen);

/* Frees what CODE holds. */
void code_end(struct code *code);

/* For its parts: adds the sentence TEXT, which may hold names, to the notes unless it is there. */
void code_note(struct prof_code *code, const struct prof_text *text);

/*
 * Where FRAME's code is in the program that GDB has now, by the name of its function; 0: not known.
 */
uint64_t code_moved(const struct prof_experiment *experiment, uint32_t frame);

/* GDB's name of the function around ADDRESS that is NAME in experiments; the caller frees it. */
char *code_name(uint64_t address, const char *name);

/* The function `block` of struct prof_code. */
struct prof_error *code_block(struct prof_code *code, const struct prof_experiment *experiment,
	uint32_t frame, struct prof_code_block *ret) PROF_MUST_CHECK;

#endif
