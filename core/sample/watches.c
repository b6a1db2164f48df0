#include "sample/watches.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* The index of THREAD, or where it would stand. */
static size_t position(const struct prof_watches *watches, pid_t thread)
{
	size_t low = 0;
	size_t high = watches->array.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (watches->array.items[middle]->thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void drop(struct prof_watches *watches, size_t at)
{
	struct prof_watch **place = &watches->array.items[at];

	prof_watch_deinit(*place);
	free(*place);
	watches->array.count--;
	memmove(place, place + 1, (watches->array.count - at) * sizeof *place);
}

void prof_watches_deinit(struct prof_watches *watches)
{
	while (watches->array.count)
		drop(watches, watches->array.count - 1);
	free(watches->array.items);
	*watches = (struct prof_watches){0};
}

struct prof_watch *prof_watches_find(const struct prof_watches *watches, pid_t thread)
{
	size_t at = position(watches, thread);

	if (at < watches->array.count && watches->array.items[at]->thread == thread)
		return watches->array.items[at];
	return NULL;
}

struct prof_watch *prof_watches_add(struct prof_watches *watches, pid_t process, pid_t thread)
{
	size_t at = position(watches, thread);
	AUTO_FREE struct prof_watch *watch = malloc(sizeof *watch);

	if (!watch || !prof_array_reserve(&watches->array, 1))
		return NULL;
	prof_watch_init(watch, process, thread, prof_clock());
	if (watch->gone) {
		prof_watch_deinit(watch);
		return NULL;
	}
	struct prof_watch **place = &watches->array.items[at];
	memmove(place + 1, place, (watches->array.count - at) * sizeof *place);
	watches->array.count++;
	*place = steal(&watch);
	return *place;
}

void prof_watches_drop(struct prof_watches *watches, pid_t thread)
{
	if (prof_watches_find(watches, thread))
		drop(watches, position(watches, thread));
}

void prof_watches_keep(struct prof_watches *watches, pid_t thread)
{
	for (size_t i = watches->array.count; i-- > 0;) {
		if (watches->array.items[i]->thread != thread)
			drop(watches, i);
	}
}
