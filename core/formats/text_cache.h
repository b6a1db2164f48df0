/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Texts of a file that were read before, each with the number that it stands for.  It is a cache:
 * when its texts fill LIMIT bytes, the reader empties it, so that a file of texts that never come
 * again takes no more memory than that.
 */
#ifndef PROF_FORMATS_TEXT_CACHE_H
#define PROF_FORMATS_TEXT_CACHE_H

#include "base/map.h"

struct prof_text_cache_entry {
	size_t at, length; /* of the text, in bytes */
	uint32_t value;
};

/* All zeroes is the empty cache. */
struct prof_text_cache {
	struct prof_map index; /* by hash */
	PROF_ARRAY(struct prof_text_cache_entry) entries;
	PROF_ARRAY(char) bytes;
};

/* Frees what CACHE holds, and leaves it empty. */
void prof_text_cache_deinit(struct prof_text_cache *cache);

/* Is it time to empty CACHE? */
bool prof_text_cache_is_full(const struct prof_text_cache *cache);

/* The key of TEXT, LENGTH bytes. */
uint64_t prof_text_cache_key(const char *text, size_t length);

/* The number of TEXT, LENGTH bytes, with its KEY; PROF_NONE: it is not in the cache. */
uint32_t prof_text_cache_find(
	const struct prof_text_cache *cache, uint64_t key, const char *text, size_t length);

/* Has TEXT stand for VALUE; look first.  False: no memory, CACHE is as it was. */
bool prof_text_cache_add(struct prof_text_cache *cache, uint64_t key, const char *text,
	size_t length, uint32_t value);

#endif
