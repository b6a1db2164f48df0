/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/image_symbols.h"

#include "base/map.h"
#include "base/ranges.h"

#include <string.h>

uint32_t prof_image_symbols_find(const struct prof_image_symbols *symbols, uint64_t address)
{
	const struct prof_image_symbol *found =
		prof_ranges_find(symbols->items, symbols->count, sizeof *symbols->items, address);

	return found ? (uint32_t)(found - symbols->items) : PROF_NONE;
}

static bool is_same_text(uint32_t text, const struct prof_strings *strings, uint32_t other,
	const struct prof_strings *others_strings)
{
	if (text == PROF_NONE || other == PROF_NONE)
		return text == other;
	return !strcmp(prof_strings_get(strings, text), prof_strings_get(others_strings, other));
}

bool prof_image_symbols_are_same(const struct prof_image_symbols *symbols,
	const struct prof_strings *strings, const struct prof_image_symbols *others,
	const struct prof_strings *others_strings)
{
	if (symbols->count != others->count)
		return false;
	for (size_t i = 0; i < symbols->count; i++) {
		const struct prof_image_symbol *a = &symbols->items[i], *b = &others->items[i];
		if (a->low != b->low || a->high != b->high || a->line != b->line ||
			a->local != b->local || a->marked != b->marked ||
			!is_same_text(a->name, strings, b->name, others_strings) ||
			!is_same_text(a->file, strings, b->file, others_strings))
			return false;
	}
	return true;
}
