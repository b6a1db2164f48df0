/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Signatures of functions (struct prof_traced_function in tracing/ring.h) as libffi takes them. */
#ifndef PROF_AGENT_SIGNATURE_H
#define PROF_AGENT_SIGNATURE_H

#include "tracing/ring.h"

#include <ffi.h>
#include <stdbool.h>

enum {
	/* Types in a signature, each a letter at least; and what stands for "...". */
	PROF_SIGNATURE_TYPES = PROF_SIGNATURE + 6 + 8 + PROF_CALL_WORDS,
};

/* All memory that a call interface needs: it points into itself, and must not be copied. */
struct prof_signature {
	ffi_cif cif;
	unsigned arguments; /* that the signature names */
	/* Lists of types, each ended by NULL: of the arguments, and of the members of structs. */
	ffi_type *lists[2 * PROF_SIGNATURE_TYPES];
	unsigned list_used;
	ffi_type structs[PROF_SIGNATURE / 2];
	unsigned structs_used;
};

/* Reads TEXT.  False: it is no signature, or libffi cannot handle it. */
bool prof_signature_read(struct prof_signature *signature, const char *text);

/* The argument or, with OUTCOME, the returned value of TYPE that VALUE points to, as a word. */
uint64_t prof_signature_value(const ffi_type *type, const void *value, bool outcome);

#endif
