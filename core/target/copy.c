/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/target.h"

#include <string.h>

static size_t read_copy(void *context, uint64_t address, void *buffer, size_t length)
{
	struct prof_copy *copy = context;
	uint64_t offset = address - copy->address;

	if (address < copy->address)
		return 0;
	if (offset >= copy->length) {
		copy->exceeded = true;
		return 0;
	}
	size_t left = copy->length - offset;
	size_t got = length < left ? length : left;
	memcpy(buffer, copy->bytes + offset, got);
	return got;
}

struct prof_target prof_copy_target(struct prof_copy *copy)
{
	return (struct prof_target){read_copy, copy};
}
