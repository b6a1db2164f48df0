/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Options: what a user can choose, in tables of rows.
 *
 * A table says what its options are called, what they take and what they do, and where in a struct
 * their values go.  Whoever parses a command line, completes it or prints its help walks the table;
 * only the owner of the table reads the struct.
 */
#ifndef PROF_BASE_OPTION_H
#define PROF_BASE_OPTION_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value is, and the type of the member that it goes into. */
enum prof_option_kind {
	PROF_OPTION_BY_NAME, /* no member: the owner of the table asks for the text by name */
	PROF_OPTION_FLAG,    /* bool: was it given?  It takes no value */
	PROF_OPTION_NUMBER,  /* uint64_t: a whole number of at least `least` */
	PROF_OPTION_PERCENT, /* double: a number from 0 to 100 */
	PROF_OPTION_WORD,    /* an enum: `least`, and the index among the words */
	PROF_OPTION_SECOND,  /* bool: is it the second of two words? */
	PROF_OPTION_TEXT,    /* const char *: as it was given; borrowed */
};

/* An option whose VALUE ends in ",..." takes a list; given several times, the lists add up. */
struct prof_option {
	const char *name;
	const char *value;        /* what its value is called in the help; NULL: it takes none */
	bool optional;            /* it needs none; a value is given by "=" alone */
	const char *describe;     /* one sentence or more */
	const char *const *words; /* the possible values, WORDS_COUNT of them; NULL: any */
	size_t words_count;
	/*
	 * The possible values, where another table has them: the one number INDEX, or NULL after
	 * the last.
	 */
	const char *(*word)(size_t index);
	bool open; /* the words are only the most usual: others are good too */
	bool plus; /* each of its values may have a + before it */
	/* The setting that has the default, unless its text is empty; NULL: there is none. */
	const char *setting;

	enum prof_option_kind kind;
	uint64_t least;
	bool common;   /* the member is in the struct that several tables share, not in its own */
	size_t offset; /* of the member, in bytes */
};

/* A table, and the struct of its own that it fills. */
struct prof_options {
	const struct prof_option *rows; /* ends with a row without a name */
	size_t size;                    /* of the struct, in bytes; 0: there is none */
	const void *defaults;           /* such a struct, where no option is given */
};

/* The struct TYPE, all zeroes where no option is given, is filled by ROWS. */
#define PROF_OPTIONS(rows_, type)                                                \
	{                                                                        \
		.rows = (rows_), .size = sizeof(type), .defaults = &(const type) \
		{                                                                \
			0                                                        \
		}                                                                \
	}

/* The row NAME of ROWS, or NULL. */
const struct prof_option *prof_option_find(const struct prof_option *rows, const char *name);

/* The word number INDEX that is a value of OPTION; NULL ends them. */
const char *prof_option_word(const struct prof_option *option, size_t index);

/* Does OPTION take a list, "WORD,..."? */
bool prof_option_is_list(const struct prof_option *option);

/*
 * Is VALUE, or an unambiguous abbreviation of it, a word of OPTION?  Stores the whole word.  Any
 * value will do where OPTION has no words.
 */
struct prof_error *prof_option_check(
	const struct prof_option *option, const char **value) PROF_MUST_CHECK;

/*
 * Stores TEXT, the value of OPTION as prof_option_check() has it, in the member that it goes into,
 * of COMMON or OWN.  Texts are borrowed.  An error leaves both as they are.
 */
struct prof_error *prof_option_store(const struct prof_option *option, const char *text,
	void *common, void *own) PROF_MUST_CHECK;

/* Adds the section "Options:" of a help text; nothing where there are no ROWS. */
void prof_option_describe(const struct prof_option *rows, struct prof_text *text);

#endif
