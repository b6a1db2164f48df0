/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/image_symbols.h"

#include "base/map.h"
#include "base/ranges.h"

uint32_t prof_image_symbols_find(const struct prof_image_symbols *symbols, uint64_t address)
{
	const struct prof_image_symbol *found =
		prof_ranges_find(symbols->items, symbols->count, sizeof *symbols->items, address);

	return found ? (uint32_t)(found - symbols->items) : PROF_NONE;
}
