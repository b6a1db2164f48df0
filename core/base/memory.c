/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The pointers are copied as bytes: the guards serve variables of every pointer type. */

void prof_memory_free(void *pointer)
{
	void *memory;

	memcpy(&memory, pointer, sizeof memory);
	free(memory);
}

void prof_memory_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void *prof_memory_steal(void *pointer)
{
	void *memory;
	void *none = NULL;

	memcpy(&memory, pointer, sizeof memory);
	memcpy(pointer, &none, sizeof none);
	return memory;
}

bool prof_memory_is_there(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	munmap(memory, size);
	return true;
}

bool prof_array_grow(
	void *items_field, size_t *capacity, size_t count, size_t extra, size_t item_size)
{
	if (extra <= *capacity - count)
		return true;
	if (extra > SIZE_MAX / 2 / item_size - count)
		return false;

	size_t wanted = count + extra;
	size_t doubled = *capacity > SIZE_MAX / 4 / item_size ? wanted : *capacity * 2;
	size_t grown = doubled > wanted ? doubled : wanted;
	if (grown < 8)
		grown = 8;

	void *items;
	memcpy(&items, items_field, sizeof items);
	void *moved = realloc(items, grown * item_size);
	if (!moved)
		return false;
	memcpy(items_field, &moved, sizeof moved);
	*capacity = grown;
	return true;
}
