/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scope guards and growing arrays: all that the core needs of memory management. */
#ifndef PROF_BASE_MEMORY_H
#define PROF_BASE_MEMORY_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A scope guard runs FUNCTION on the variable's address when the variable goes out of scope:
 *
 *	AUTO_FREE char *name = strdup(path);
 *	...
 *	return steal(&name);		hands NAME over, the guard then frees NULL
 *
 * A variable that only holds something until then is not unused, as clang would have it.
 */
#define PROF_AUTO(function) __attribute__((cleanup(function), unused))
#define AUTO_FREE PROF_AUTO(prof_memory_free)
#define AUTO_CLOSE PROF_AUTO(prof_memory_close)

/* Takes the pointer out of the variable that POINTER points to, and leaves NULL there. */
#define steal(pointer) ((__typeof__(*(pointer)))prof_memory_steal((pointer)))

/*
 * Can SIZE more bytes be allocated now?  For calls of libraries that end the process when memory is
 * short.
 */
bool prof_memory_is_there(size_t size);

/* free() of *POINTER, for AUTO_FREE. */
void prof_memory_free(void *pointer);

/* close() of *FD unless it is negative, for AUTO_CLOSE. */
void prof_memory_close(int *fd);

/* What steal() does: *POINTER, which is NULL from then on. */
void *prof_memory_steal(void *pointer);

/*
 * An array that grows at its end.  All zeroes is the empty array; the owner frees `items`.
 *
 *	PROF_ARRAY(struct prof_mark) marks;
 *	struct prof_mark *mark = prof_array_push(&marks);	NULL: out of memory
 */
#define PROF_ARRAY(type)                \
	struct {                        \
		type *items;            \
		size_t count, capacity; \
	}

/* Makes room for EXTRA more elements.  False: out of memory, the array is as it was. */
#define prof_array_reserve(array, extra)                                              \
	prof_array_grow(&(array)->items, &(array)->capacity, (array)->count, (extra), \
		sizeof *(array)->items)

/* The address of a new last element, not initialized, or NULL where memory is short. */
#define prof_array_push(array) \
	(prof_array_reserve((array), 1) ? &(array)->items[(array)->count++] : NULL)

/* What prof_array_reserve() does; ITEMS_FIELD is the address of the array's `items`. */
bool prof_array_grow(
	void *items_field, size_t *capacity, size_t count, size_t extra, size_t item_size);

#endif
