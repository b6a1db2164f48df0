/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/return_sites.h"

#include <stdlib.h>
#include <string.h>

/* Functions that are known, at the most: then all are forgotten. */
enum { MOST = 1 << 16 };

void prof_return_sites_deinit(struct prof_return_sites *sites)
{
	prof_map_deinit(&sites->index);
	free(sites->items.items);
	*sites = (struct prof_return_sites){0};
}

const struct prof_return_sites_of *prof_return_sites_find(
	const struct prof_return_sites *sites, uint64_t function)
{
	uint32_t known = prof_map_get(&sites->index, function);

	return known == PROF_NONE ? NULL : &sites->items.items[known];
}

/* Those of FUNCTION, which may be none; NULL: no memory. */
static struct prof_return_sites_of *take(struct prof_return_sites *sites, uint64_t function)
{
	uint32_t known = prof_map_get(&sites->index, function);

	if (known != PROF_NONE)
		return &sites->items.items[known];
	if (sites->items.count >= MOST)
		prof_return_sites_deinit(sites);
	struct prof_return_sites_of *added = prof_map_push(&sites->index, function, &sites->items);
	if (added)
		*added = (struct prof_return_sites_of){0};
	return added;
}

void prof_return_sites_add(struct prof_return_sites *sites, uint64_t function, uint64_t address)
{
	struct prof_return_sites_of *of = take(sites, function);
	size_t at = 0;

	if (!of || of->addresses[0] == address)
		return;
	while (at < PROF_RETURN_SITES - 1 && of->addresses[at] && of->addresses[at] != address)
		at++;
	memmove(of->addresses + 1, of->addresses, at * sizeof address);
	of->addresses[0] = address;
}
