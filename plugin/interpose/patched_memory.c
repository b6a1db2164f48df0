/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/patched_memory.h"

#include "target/process.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* GDB's breakpoint; and more bytes than GDB writes at once for one. */
enum { TRAP = 0xcc, MOST = 64 };

void patched_memory_deinit(struct patched_memory *memory)
{
	free(memory->functions.items);
	free(memory->bytes.items);
	*memory = (struct patched_memory){0};
}

/* How many functions are at ADDRESS or below. */
static size_t count_up_to(const struct patched_memory *memory, uint64_t address)
{
	return prof_ranges_below(memory->functions.items, memory->functions.count,
		sizeof *memory->functions.items, address);
}

/* Adds ADDRESS to the functions.  False: no memory. */
static bool add_function(struct patched_memory *memory, uint64_t address)
{
	size_t at = count_up_to(memory, address);
	struct prof_ranges_head *items;

	if (at && memory->functions.items[at - 1].low == address)
		return true;
	if (!prof_array_reserve(&memory->functions, 1))
		return false;
	items = memory->functions.items;
	memmove(items + at + 1, items + at, (memory->functions.count - at) * sizeof *items);
	items[at] = (struct prof_ranges_head){address, address + PROF_RELOCATION_TAKEN};
	memory->functions.count++;
	return true;
}

/* May a patch have something to do with one of LENGTH bytes at ADDRESS?  One that is short has its
 * second half in the padding before the function. */
static bool is_near(const struct patched_memory *memory, uint64_t address, size_t length)
{
	enum { NEAR = PROF_RELOCATION_TAKEN + 128 };
	size_t below = count_up_to(memory, address + length - 1 + NEAR);

	return below && memory->functions.items[below - 1].low + NEAR >= address;
}

static struct patched_byte *find(const struct patched_memory *memory, uint64_t address)
{
	for (size_t i = 0; i < memory->bytes.count; i++) {
		if (memory->bytes.items[i].address == address)
			return &memory->bytes.items[i];
	}
	return NULL;
}

bool patched_memory_add(
	struct patched_memory *memory, uint64_t address, const unsigned char *code, size_t length)
{
	unsigned char there[PROF_RELOCATION_TAKEN];
	struct prof_process process;

	if (!add_function(memory, address))
		return false;
	assert(length <= sizeof there);
	prof_process_init(&process, memory->process);
	const struct prof_target target = prof_process_target(&process);
	size_t count = target.read_memory(target.context, address, there, length);
	for (size_t i = 0; i < count; i++) {
		if (there[i] != TRAP || code[i] == TRAP || find(memory, address + i))
			continue;
		struct patched_byte *added = prof_array_push(&memory->bytes);
		if (!added)
			return false;
		*added = (struct patched_byte){
			.address = address + i, .value = TRAP, .original = code[i]};
	}
	return true;
}

static bool write_byte(const struct patched_memory *memory, uint64_t address, unsigned char value)
{
	struct prof_error *error = prof_process_write(memory->process, address, &value, 1);

	prof_error_destroy(error);
	return !error;
}

/* Reads the byte at ADDRESS without patches, and without what GDB has written there. */
static bool read_original(const struct patched_memory *memory, uint64_t address, unsigned char *ret)
{
	if (!prof_process_read(memory->process, address, ret, 1))
		return false;
	prof_patched_mask(memory->patched, address, ret, 1);
	return true;
}

/* A patch is where BYTE is to be. */
static void hide(const struct patched_memory *memory, struct patched_byte *byte)
{
	byte->away = true;
	byte->copy = byte->value == TRAP
		? prof_patches_copy(prof_patched_patches(memory->patched), byte->address, true)
		: 0;
	if (byte->copy &&
		(!prof_process_read(memory->process, byte->copy, &byte->copied, 1) ||
			!write_byte(memory, byte->copy, TRAP)))
		byte->copy = 0;
}

/* BYTE is no longer where it was instead. */
static void take_back(const struct patched_memory *memory, struct patched_byte *byte)
{
	if (byte->copy)
		write_byte(memory, byte->copy, byte->copied);
	byte->copy = 0;
	byte->away = false;
}

static void drop(struct patched_memory *memory, struct patched_byte *byte)
{
	*byte = memory->bytes.items[--memory->bytes.count];
}

/* Does a patch that is in have the byte at ADDRESS? */
static bool is_patched(const struct patched_memory *memory, uint64_t address)
{
	return !prof_patched_may_write(memory->patched, address, 1);
}

/* GDB writes VALUE to ADDRESS, where it has written nothing that still stands. */
static bool write_new(struct patched_memory *memory, uint64_t address, unsigned char value)
{
	struct patched_byte byte = {.address = address, .value = value};

	if (!read_original(memory, address, &byte.original))
		return false;
	if (is_patched(memory, address)) {
		if (value == byte.original)
			return true;
		hide(memory, &byte);
	} else if (!write_byte(memory, address, value)) {
		return false;
	} else if (value != TRAP || value == byte.original) {
		return true;
	}
	struct patched_byte *added = prof_array_push(&memory->bytes);
	if (added)
		*added = byte;
	else
		take_back(memory, &byte);
	return added;
}

/* The same where it has written BYTE. */
static bool write_again(
	struct patched_memory *memory, struct patched_byte *byte, unsigned char value)
{
	bool good = true;

	if (value == byte->value)
		return true;
	if (byte->away)
		take_back(memory, byte);
	else
		good = write_byte(memory, byte->address, value);
	byte->value = value;
	if (value == byte->original)
		drop(memory, byte);
	else if (is_patched(memory, byte->address))
		hide(memory, byte);
	else if (value != TRAP)
		drop(memory, byte);
	return good;
}

bool patched_memory_write(
	struct patched_memory *memory, uint64_t address, const void *bytes, size_t length)
{
	const unsigned char *values = bytes;
	bool good = true;

	if (!length || length > MOST || !is_near(memory, address, length))
		return false;
	for (size_t i = 0; i < length && good; i++) {
		struct patched_byte *byte = find(memory, address + i);
		good = byte ? write_again(memory, byte, values[i])
			    : write_new(memory, address + i, values[i]);
	}
	return good;
}

void patched_memory_read(
	const struct patched_memory *memory, uint64_t address, void *bytes, size_t length)
{
	if (!length)
		return;
	prof_patched_mask_returns(memory->patched, address, bytes, length);
	if (!is_near(memory, address, length))
		return;
	prof_patched_mask(memory->patched, address, bytes, length);
	for (size_t i = 0; i < memory->bytes.count; i++) {
		const struct patched_byte *byte = &memory->bytes.items[i];
		if (byte->away && byte->address - address < length)
			((unsigned char *)bytes)[byte->address - address] = byte->value;
	}
}

void patched_memory_clear(struct patched_memory *memory)
{
	for (size_t i = 0; i < memory->bytes.count; i++) {
		struct patched_byte *byte = &memory->bytes.items[i];
		if (!byte->away)
			byte->away = write_byte(memory, byte->address, byte->original);
	}
}

void patched_memory_settle(struct patched_memory *memory)
{
	for (size_t i = memory->bytes.count; i-- > 0;) {
		struct patched_byte *byte = &memory->bytes.items[i];
		if (!byte->away)
			continue;
		if (is_patched(memory, byte->address)) {
			if (!byte->copy)
				hide(memory, byte);
			continue;
		}
		take_back(memory, byte);
		write_byte(memory, byte->address, byte->value);
		if (byte->value != TRAP)
			drop(memory, byte);
	}
}

uint64_t patched_memory_copied(const struct patched_memory *memory, uint64_t copy)
{
	for (size_t i = 0; i < memory->bytes.count; i++) {
		const struct patched_byte *byte = &memory->bytes.items[i];
		if (byte->away && byte->copy && byte->copy == copy)
			return byte->address;
	}
	return 0;
}
