/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/text_cache.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of texts, and texts: some 100,000 stacks. */
enum { BYTES_MOST = 32 << 20, TEXTS_MOST = 1 << 20 };

struct wanted {
	const struct prof_text_cache *cache;
	const char *text;
	size_t length;
};

static bool same(const void *context, uint32_t number)
{
	const struct wanted *wanted = context;
	const struct prof_text_cache_entry *entry = &wanted->cache->entries.items[number];

	return entry->length == wanted->length &&
		(!entry->length ||
			!memcmp(wanted->cache->bytes.items + entry->at, wanted->text,
				entry->length));
}

void prof_text_cache_deinit(struct prof_text_cache *cache)
{
	prof_map_deinit(&cache->index);
	free(cache->entries.items);
	free(cache->bytes.items);
	*cache = (struct prof_text_cache){0};
}

bool prof_text_cache_is_full(const struct prof_text_cache *cache)
{
	return cache->bytes.count >= BYTES_MOST || cache->entries.count >= TEXTS_MOST;
}

uint64_t prof_text_cache_key(const char *text, size_t length)
{
	return prof_map_hash(text, length);
}

uint32_t prof_text_cache_find(
	const struct prof_text_cache *cache, uint64_t key, const char *text, size_t length)
{
	const struct wanted wanted = {cache, text, length};
	uint32_t number = prof_map_find(&cache->index, key, same, &wanted);

	return number == PROF_NONE ? PROF_NONE : cache->entries.items[number].value;
}

bool prof_text_cache_add(struct prof_text_cache *cache, uint64_t key, const char *text,
	size_t length, uint32_t value)
{
	const struct prof_text_cache_entry entry = {cache->bytes.count, length, value};

	if (!prof_array_reserve(&cache->bytes, length))
		return false;
	struct prof_text_cache_entry *added = prof_map_push(&cache->index, key, &cache->entries);
	if (!added)
		return false;
	*added = entry;
	if (length)
		memcpy(cache->bytes.items + cache->bytes.count, text, length);
	cache->bytes.count += length;
	return true;
}
