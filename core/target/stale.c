/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/stale.h"

#include "base/file.h"
#include "target/maps.h"
#include "target/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const unsigned char breakpoint = 0xcc; /* the instruction int3 of x86 */

enum {
	PAGE = 4096,  /* bytes, at most; larger mappings are compared in parts */
	ENTRIES = 64, /* entries of a pagemap that are read at once */
};

/* What is compared. */
struct pair {
	pid_t child;
	struct prof_target old, new; /* the parent's memory, and the child's */
};

/* Is the page of ENTRY, of a pagemap, a private copy, and no longer the file's? */
static bool is_copy(uint64_t entry)
{
	const uint64_t of_file = UINT64_C(1) << 61;
	const uint64_t there = UINT64_C(3) << 62; /* present, or swapped out */

	return entry & there && !(entry & of_file);
}

static void compare_page(const struct pair *pair, uint64_t address)
{
	unsigned char before[PAGE], now[PAGE];

	if (!prof_target_read(&pair->old, address, before, PAGE) ||
		!prof_target_read(&pair->new, address, now, PAGE))
		return;
	for (size_t i = 0; i < PAGE; i++) {
		if (now[i] == breakpoint && before[i] != breakpoint)
			prof_error_destroy(
				prof_process_write(pair->child, address + i, &before[i], 1));
	}
}

/* Compares those pages of MAPPING that are copies according to FILE, the child's pagemap. */
static void compare(const struct pair *pair, int file, const struct prof_mapping *mapping)
{
	uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t entries[ENTRIES];

	for (uint64_t page = mapping->low / size; page < mapping->high / size;) {
		uint64_t left = mapping->high / size - page;
		size_t count = left < ENTRIES ? left : ENTRIES;
		ssize_t got = pread(
			file, entries, count * sizeof *entries, (off_t)(page * sizeof *entries));
		if (got < (ssize_t)sizeof *entries)
			return;
		count = (size_t)got / sizeof *entries;
		for (size_t i = 0; i < count; i++, page++) {
			for (uint64_t at = 0; at < size && is_copy(entries[i]); at += PAGE)
				compare_page(pair, page * size + at);
		}
	}
}

void prof_stale_clear(pid_t child, pid_t parent)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	struct prof_process old, new;
	char name[64];

	snprintf(name, sizeof name, "/proc/%d/pagemap", (int)child);
	AUTO_CLOSE int file = open(name, O_RDONLY | O_CLOEXEC);
	struct prof_error *error = prof_maps_read(&maps, child);
	prof_process_init(&old, parent);
	prof_process_init(&new, child);
	const struct pair pair = {child, prof_process_target(&old), prof_process_target(&new)};
	for (size_t i = 0; i < maps.mappings.count && file >= 0 && !error; i++) {
		/* The parent may change generated code at any time. */
		if (*maps.mappings.items[i].path)
			compare(&pair, file, &maps.mappings.items[i]);
	}
	prof_error_destroy(error);
}
