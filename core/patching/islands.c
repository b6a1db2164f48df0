/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/islands.h"

#include "base/ranges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What a jump reaches, less a page; the lowest address that can be mapped; of stubs, bytes. */
#define REACH ((UINT64_C(1) << 31) - PROF_STUB_PAGE)
#define LOWEST UINT64_C(0x10000)
#define HIGHEST ((UINT64_C(1) << 47) - PROF_STUB_GRANULE)
enum { ALIGN = 16 };

/* Is all that is from LOW up to HIGH within reach of what is from ADDRESS up to END? */
static bool reaches(uint64_t address, uint64_t end, struct prof_island_range object)
{
	uint64_t low = address < object.low ? address : object.low;
	uint64_t high = end > object.high ? end : object.high;

	return high - low <= REACH;
}

/* The first of USED that has something between LOW and HIGH; NULL: they are free. */
static const struct prof_island_range *find_used(
	const struct prof_island_range *used, size_t count, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < count && used[i].low < high; i++) {
		if (used[i].high > low)
			return &used[i];
	}
	return NULL;
}

uint64_t prof_island_room(const struct prof_island_range *used, size_t count,
	struct prof_island_range object, uint64_t size)
{
	const uint64_t mask = ~(uint64_t)(PROF_STUB_GRANULE - 1);
	const struct prof_island_range *other;
	uint64_t at = object.low & mask;

	while (at >= size + LOWEST && reaches(at - size, at, object)) {
		other = find_used(used, count, at - size, at);
		if (!other)
			return at - size;
		at = other->low & mask;
	}
	at = (object.high + ~mask) & mask;
	while (at <= HIGHEST && reaches(at, at + size, object)) {
		other = find_used(used, count, at, at + size);
		if (!other)
			return at;
		at = (other->high + ~mask) & mask;
	}
	return 0;
}

/* The address at which the next code of ISLAND will be, if there is room for it.  0: no memory. */
static uint64_t make_room(struct prof_island *island)
{
	if (!prof_array_reserve(&island->code, PROF_STUB_ROOM + ALIGN))
		return 0;
	while (island->code.count % ALIGN)
		island->code.items[island->code.count++] = 0xcc;
	return island->address + island->code.count;
}

/* Adds what all stubs share.  Its address; 0: there is none, *ERROR says why. */
static uint64_t add_common(
	struct prof_island *island, enum prof_stub_part part, struct prof_error **error)
{
	uint64_t address = make_room(island);

	if (!address) {
		*error = prof_error_nomem();
		return 0;
	}
	size_t length = prof_stub_write_common(
		&island->settings, part, address, island->code.items + island->code.count);
	if (!length) {
		*error = prof_error_create(PROF_ERROR_UNSUPPORTED,
			"This machine has no code to enter functions by: only x86-64 has.");
		return 0;
	}
	island->code.count += length;
	return address;
}

struct prof_error *prof_island_init(struct prof_island *island,
	const struct prof_stub_settings *settings, uint64_t address, uint64_t bias)
{
	struct prof_error *error = NULL;

	assert(address && address % PROF_STUB_GRANULE == 0);
	*island = (struct prof_island){.settings = *settings, .address = address, .bias = bias};
	island->common.attach = add_common(island, PROF_STUB_ATTACH, &error);
	if (!error)
		island->common.record = add_common(island, PROF_STUB_RECORD, &error);
	if (!error)
		island->common.find = add_common(island, PROF_STUB_FIND, &error);
	if (error)
		prof_island_deinit(island);
	return error;
}

void prof_island_deinit(struct prof_island *island)
{
	free(island->code.items);
	free(island->stubs.items);
	*island = (struct prof_island){0};
}

struct prof_error *prof_island_add(struct prof_island *island, enum prof_stub_part kind,
	const struct prof_entry *entry, const unsigned char *bytes, uint32_t function,
	enum prof_obstacle *obstacle, uint64_t *ret)
{
	struct prof_stub stub = {.low = make_room(island), .function = function, .kind = kind};
	if (!stub.low || !prof_array_reserve(&island->stubs, 1))
		return prof_error_nomem();
	*obstacle = prof_stub_write(&island->settings, &island->common, entry, island->bias, bytes,
		&stub, island->code.items + island->code.count);
	if (*obstacle)
		return NULL;
	island->code.count += stub.high - stub.low;
	island->stubs.items[island->stubs.count++] = stub;
	*ret = stub.low + stub.entry;
	return NULL;
}

/* What a thread does that is OFFSET bytes behind the beginning of the moved instructions. */
static struct prof_island_place find_moved(const struct prof_stub *stub, uint64_t offset)
{
	const struct prof_relocation_place *place = &stub->places[0];

	for (size_t i = 1; i < stub->count && stub->places[i].to <= offset; i++)
		place = &stub->places[i];
	return (struct prof_island_place){
		PROF_ISLAND_MOVED, stub, stub->from + place->from, place->sp};
}

static struct prof_island_place find_in_stub(const struct prof_stub *stub, uint64_t pc)
{
	struct prof_stub_piece piece = prof_stub_piece(stub->kind);
	uint64_t offset = pc - stub->low;

	if (offset >= piece.length)
		return find_moved(stub, offset - piece.length);
	if (offset < piece.returned)
		return (struct prof_island_place){
			PROF_ISLAND_ENTERING, stub, stub->from, offset < piece.raised ? 0 : -8};
	return (struct prof_island_place){
		PROF_ISLAND_RETURNING, stub, 0, offset < piece.lowered ? -8 : 0};
}

/* The stub of ISLAND that has ADDRESS, borrowed, or NULL. */
static const struct prof_stub *find_stub(const struct prof_island *island, uint64_t address)
{
	return prof_ranges_find(
		island->stubs.items, island->stubs.count, sizeof *island->stubs.items, address);
}

bool prof_island_find(const struct prof_island *island, uint64_t pc, struct prof_island_place *ret)
{
	if (pc - island->address >= island->code.count)
		return false;
	const struct prof_stub *stub = find_stub(island, pc);
	*ret = stub ? find_in_stub(stub, pc)
		    : (struct prof_island_place){PROF_ISLAND_SHARED, NULL, 0, 0};
	return true;
}

uint64_t prof_island_copy(const struct prof_stub *stub, uint64_t pc)
{
	/* A call has two places, the call itself first; the last place is the jump back. */
	for (size_t i = 0; i + 1 < stub->count; i++) {
		const struct prof_relocation_place *place = &stub->places[i];
		if (pc - stub->from == place->from)
			return stub->low + prof_stub_piece(stub->kind).length + place->to;
	}
	return 0;
}

bool prof_island_returns(const struct prof_island *island, uint64_t address)
{
	const struct prof_stub *stub = find_stub(island, address);

	return stub && stub->kind == PROF_STUB_CALL &&
		address - stub->low == prof_stub_piece(PROF_STUB_CALL).returned;
}

void prof_island_frames(
	const struct prof_island *island, uint64_t length, unsigned char bytes[PROF_ISLAND_FRAMES])
{
	/*
	 * The frame of the stub begins 4 bytes above where its caller's ends, since unwinders tell
	 * frames by that address: with rsp = SLOT + 8 it is SLOT + 12.
	 */
	static const unsigned char common[] = {
		36, 0, 0, 0, 0, 0, 0, 0, /* length; a common entry */
		1, 0,                    /* version, no augmentation */
		1, 0x7c, 16,             /* alignment of code 1, of data -4; the return address */
		0x0c, 7, 4,              /* DW_CFA_def_cfa: rsp + 4 */
		0x14, 7, 1,              /* DW_CFA_val_offset: rsp is that - 4 */
		0x10, 16, 12,            /* DW_CFA_expression: the return address is at */
		0x3c, 0x1c,              /* DW_OP_lit12, DW_OP_minus: SLOT */
		0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0x27, /* DW_OP_const8u, DW_OP_xor */
		0, 0, 0, 0, 0, 0,                   /* DW_CFA_nop */
	};
	enum { SHADOW = 25, ENTRY = sizeof common };
	const uint32_t head[2] = {20, ENTRY + 4};

	_Static_assert(ENTRY + 28 == PROF_ISLAND_FRAMES, "and the end of the table, a 0");
	_Static_assert(PROF_STUB_FRAMES + ENTRY == PROF_STUB_FRAME, "a stub refers to it");
	memset(bytes, 0, PROF_ISLAND_FRAMES);
	memcpy(bytes, common, sizeof common);
	memcpy(bytes + SHADOW, &island->settings.shadow, sizeof island->settings.shadow);
	memcpy(bytes + ENTRY, head, sizeof head);
	memcpy(bytes + ENTRY + 8, &island->address, sizeof island->address);
	memcpy(bytes + ENTRY + 16, &length, sizeof length);
}
