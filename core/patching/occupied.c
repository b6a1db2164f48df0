/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/occupied.h"

#include "target/maps.h"
#include "target/procfs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Bytes: what a heap has room to grow to, and the most that a stack grows to. */
#define HEAP (UINT64_C(1) << 29)
#define STACK (UINT64_C(1) << 31)

/* The number of the field of /proc/PID/stat that has where the heap begins: see proc(5). */
enum { HEAP_FIELD = 47 };

void prof_occupied_deinit(struct prof_occupied *occupied)
{
	free(occupied->items.items);
	*occupied = (struct prof_occupied){0};
}

static int compare(const void *left, const void *right)
{
	const struct prof_island_range *one = left, *other = right;

	return (one->low > other->low) - (one->low < other->low);
}

static void sort(struct prof_occupied *occupied)
{
	if (occupied->items.count)
		qsort(occupied->items.items, occupied->items.count, sizeof *occupied->items.items,
			compare);
}

/* Adds what is from LOW up to HIGH, unsorted.  False: no memory. */
static bool push(struct prof_occupied *occupied, uint64_t low, uint64_t high)
{
	struct prof_island_range *added = prof_array_push(&occupied->items);

	if (added)
		*added = (struct prof_island_range){low, high > low ? high : UINT64_MAX};
	return added;
}

bool prof_occupied_add(struct prof_occupied *occupied, uint64_t address, uint64_t size)
{
	if (!push(occupied, address, address + size))
		return false;
	sort(occupied);
	return true;
}

/* Where a stack from LOW up to HIGH begins that may have STACK bytes. */
static uint64_t grow(uint64_t low, uint64_t high, uint64_t stack)
{
	uint64_t lowest = high > stack ? high - stack : 0;

	return lowest < low ? lowest : low;
}

/* Adds the mapping of the line TEXT, up to END.  False: no memory. */
static bool add_line(
	struct prof_occupied *occupied, const char *text, const char *end, uint64_t stack)
{
	static const char name[] = "[stack]";
	const size_t length = sizeof name - 1;
	char *stop;
	uint64_t low = strtoull(text, &stop, 16);

	if (!isxdigit((unsigned char)*text) || *stop != '-')
		return true;
	uint64_t high = strtoull(stop + 1, NULL, 16);
	if ((size_t)(end - text) > length && !memcmp(end - length, name, length))
		low = grow(low, high, stack);
	return high <= low || push(occupied, low, high);
}

struct prof_error *prof_occupied_parse(
	struct prof_occupied *occupied, const char *maps, uint64_t heap, uint64_t stack)
{
	bool good = true;

	prof_occupied_deinit(occupied);
	while (good && *maps) {
		const char *end = maps + strcspn(maps, "\n");
		good = add_line(occupied, maps, end, stack);
		maps = *end ? end + 1 : end;
	}
	if (good && heap)
		good = push(occupied, heap, heap + HEAP);
	if (!good) {
		prof_occupied_deinit(occupied);
		return prof_error_nomem();
	}
	sort(occupied);
	return NULL;
}

/* Where the heap of the process begins, by TEXT, its /proc/PID/stat; 0: that is not known. */
static uint64_t find_heap(const char *text)
{
	/* The name of the program may have spaces and parentheses. */
	const char *at = strrchr(text, ')');

	for (int field = 2; at && field < HEAP_FIELD; field++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at ? strtoull(at, NULL, 10) : 0;
}

struct prof_error *prof_occupied_read(struct prof_occupied *occupied, pid_t pid)
{
	struct rlimit limit;
	char status[PROF_PROCFS_STATUS];
	AUTO_FREE char *maps = NULL;
	struct prof_error *error = prof_maps_text(pid, &maps);

	if (error)
		return error;
	uint64_t heap =
		prof_procfs_read(pid, 0, "stat", status, sizeof status) ? find_heap(status) : 0;
	/* If the limit is not known, there may be none. */
	if (prlimit(pid, RLIMIT_STACK, NULL, &limit) || limit.rlim_cur > STACK)
		limit.rlim_cur = STACK;
	return prof_occupied_parse(occupied, maps, heap, limit.rlim_cur);
}
