/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Part of a line of a file that is imported. */
#ifndef PROF_FORMATS_PART_H
#define PROF_FORMATS_PART_H

#include "base/text.h"

#include <string.h>

struct prof_part {
	const char *text; /* borrowed, without a NUL at its end */
	size_t length;    /* bytes */
};

/* Is PART the WORD? */
static inline bool prof_part_is(struct prof_part part, const char *word)
{
	return prof_text_is(word, part.text, part.length);
}

/* Does TEXT begin with WORD?  It is then moved behind it. */
static inline bool prof_part_skip(struct prof_part *text, const char *word)
{
	size_t length = strlen(word);

	if (text->length < length || memcmp(text->text, word, length) != 0)
		return false;
	*text = (struct prof_part){text->text + length, text->length - length};
	return true;
}

static inline bool prof_part_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The next word of LINE from *AT on, which is moved behind it; an empty one at its end. */
static inline struct prof_part prof_part_cut(struct prof_part line, size_t *at)
{
	while (*at < line.length && prof_part_is_blank(line.text[*at]))
		++*at;
	size_t start = *at;
	while (*at < line.length && !prof_part_is_blank(line.text[*at]))
		++*at;
	return (struct prof_part){line.text + start, *at - start};
}

#endif
