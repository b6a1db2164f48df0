/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/stubs.h"

#include <assert.h>
#include <string.h>

/* Bytes of a jump to anywhere within 2 GB, and of one to a place at most 128 bytes away. */
enum { JUMP = 5, HOP = 2 };

/* Odd, so that all bits of the number of a function tell in its part of a hash. */
#define HASH UINT32_C(0x85ebca6b)

/* What the holes of a stub are filled with. */
struct filling {
	uint64_t values[PROF_HOLES];
	uint64_t address; /* of the first byte of the code */
	bool far;         /* a distance has more than 32 bits */
};

static size_t round_up(size_t size)
{
	return (size + PROF_STUB_PAGE - 1) & ~(size_t)(PROF_STUB_PAGE - 1);
}

size_t prof_stub_counter(const struct prof_stub_settings *settings, uint32_t function)
{
	return PROF_STUB_RECORDS + settings->records + function * sizeof(uint64_t);
}

/* The table begins with a cache line. */
size_t prof_stub_callers(const struct prof_stub_settings *settings)
{
	return (prof_stub_counter(settings, settings->functions + 1) + 63) & ~(size_t)63;
}

size_t prof_stub_caller_count(const struct prof_stub_settings *settings)
{
	return settings->callers ? settings->callers + PROF_STUB_PROBES : 0;
}

size_t prof_stub_block_size(const struct prof_stub_settings *settings)
{
	return round_up(prof_stub_callers(settings) +
		prof_stub_caller_count(settings) * sizeof(struct prof_stub_caller));
}

size_t prof_stub_control_size(const struct prof_stub_settings *settings)
{
	return PROF_STUB_CONTROL + prof_stub_block_size(settings);
}

uint32_t prof_stub_limit(const struct prof_stub_settings *settings)
{
	const uint32_t spare = PROF_STUB_SPARE * sizeof(struct prof_stub_record);

	return settings->records > spare ? settings->records - spare : 0;
}

/* How far to the right a hash of 32 bits is shifted to be the number of an entry. */
static uint32_t hash_shift(const struct prof_stub_settings *settings)
{
	return settings->callers ? (uint32_t)__builtin_clz(settings->callers) + 1 : 0;
}

static struct filling fill_common(const struct prof_stub_settings *settings, uint64_t address)
{
	return (struct filling){
		.values =
			{
				[PROF_HOLE_THREAD] = (uint64_t)settings->thread,
				[PROF_HOLE_COUNTERS] = prof_stub_counter(settings, 0),
				[PROF_HOLE_CALLERS] = prof_stub_callers(settings),
				[PROF_HOLE_SHIFT] = hash_shift(settings),
				[PROF_HOLE_MASK] = settings->records ? settings->records - 1 : 0,
				[PROF_HOLE_LIMIT] = prof_stub_limit(settings),
				[PROF_HOLE_SIZE] = prof_stub_block_size(settings),
				[PROF_HOLE_CONTROL] = settings->control,
				[PROF_HOLE_GRANULES] = settings->control + PROF_STUB_PAGE,
				[PROF_HOLE_SHADOW] = settings->shadow,
				[PROF_HOLE_FRAME] = settings->control + PROF_STUB_FRAME,
			},
		.address = address,
	};
}

static size_t hole_size(uint32_t kind)
{
	if (kind >= PROF_HOLE_CONTROL)
		return 8;
	return kind == PROF_HOLE_SHIFT ? 1 : 4;
}

static bool is_distance(uint32_t kind)
{
	return kind >= PROF_HOLE_MOVED && kind <= PROF_HOLE_FIND;
}

/* Writes PIECE, with its holes filled, to CODE. */
static void write_piece(
	const struct prof_stub_piece *piece, struct filling *filling, unsigned char *code)
{
	memcpy(code, piece->code, piece->length);
	for (uint32_t i = 0; i < piece->hole_count; i++) {
		const struct prof_hole *hole = &piece->holes[i];
		uint64_t value = filling->values[hole->kind];
		if (is_distance(hole->kind)) {
			value -= filling->address + hole->at + 4;
			filling->far |= (value + (UINT64_C(1) << 31)) >> 32 != 0;
		}
		/* The lowest bytes come first: only x86-64 has pieces. */
		memcpy(code + hole->at, &value, hole_size(hole->kind));
	}
}

size_t prof_stub_write_common(const struct prof_stub_settings *settings, enum prof_stub_part part,
	uint64_t address, unsigned char *code)
{
	struct prof_stub_piece piece = prof_stub_piece(part);
	struct filling filling = fill_common(settings, address);

	if (!piece.code)
		return 0;
	assert(piece.length <= PROF_STUB_ROOM);
	write_piece(&piece, &filling, code);
	return piece.length;
}

/* Has a block a table of callers, as large as it may be? */
static bool has_callers(const struct prof_stub_settings *settings)
{
	return settings->callers >= 16 && settings->callers <= 1 << 24 &&
		!(settings->callers & (settings->callers - 1));
}

enum prof_obstacle prof_stub_write(const struct prof_stub_settings *settings,
	const struct prof_stub_common *common, const struct prof_entry *entry, uint64_t bias,
	const unsigned char *bytes, struct prof_stub *stub, unsigned char *code)
{
	struct prof_stub_piece piece = prof_stub_piece(stub->kind);
	struct filling filling = fill_common(settings, stub->low);
	size_t least = entry->patch == PROF_PATCH_HOP ? HOP : JUMP;
	struct prof_relocation moved;

	assert(entry->patch != PROF_PATCH_NONE && stub->function <= settings->functions);
	assert(stub->kind != PROF_STUB_COUNT_CALLERS || has_callers(settings));
	if (!piece.code)
		return PROF_OBSTACLE_UNKNOWN;
	assert(piece.length + PROF_RELOCATION_ROOM <= PROF_STUB_ROOM);
	stub->from = entry->low + bias;
	uint64_t to = stub->low + piece.length;
	enum prof_obstacle obstacle =
		prof_relocation_move(bytes, entry->taken, stub->from, least, to, &moved);
	if (obstacle)
		return obstacle;
	filling.values[PROF_HOLE_COUNTER] = prof_stub_counter(settings, stub->function);
	filling.values[PROF_HOLE_HASH] = stub->function * HASH;
	filling.values[PROF_HOLE_ID] = stub->function;
	filling.values[PROF_HOLE_TAIL] = stub->function | (uint64_t)PROF_STUB_TAIL << 30;
	filling.values[PROF_HOLE_ENTRY] = stub->function | (uint64_t)PROF_STUB_ENTERED << 30;
	filling.values[PROF_HOLE_MOVED] = to;
	filling.values[PROF_HOLE_ATTACH] = common->attach;
	filling.values[PROF_HOLE_RECORD] = common->record;
	filling.values[PROF_HOLE_FIND] = common->find;
	write_piece(&piece, &filling, code);
	memcpy(code + piece.length, moved.code, moved.size);
	stub->high = to + moved.size;
	stub->entry = (uint16_t)piece.entry;
	stub->count = moved.count;
	memcpy(stub->places, moved.places, sizeof stub->places);
	return filling.far ? PROF_OBSTACLE_FAR : PROF_OBSTACLE_NONE;
}

/* Has JUMP, at ADDRESS, lead to TARGET.  False: it is too far away. */
static bool write_jump(struct prof_stub_jump *jump, uint64_t address, uint64_t target)
{
	int64_t distance = (int64_t)(target - (address + JUMP));
	int32_t written = (int32_t)distance;

	*jump = (struct prof_stub_jump){address, JUMP, {0xe9}};
	memcpy(jump->code + 1, &written, sizeof written);
	return written == distance;
}

size_t prof_stub_patch(const struct prof_entry *entry, uint64_t bias, uint64_t target,
	struct prof_stub_jump jumps[2])
{
	uint64_t low = entry->low + bias;

	if (entry->patch == PROF_PATCH_JUMP)
		return write_jump(&jumps[0], low, target);
	assert(entry->patch == PROF_PATCH_HOP);
	if (!write_jump(&jumps[0], entry->hop + bias, target))
		return 0;
	/* A jump by 8 bits, to the jump in the padding. */
	jumps[1] = (struct prof_stub_jump){
		low, HOP, {0xeb, (unsigned char)(entry->hop - (entry->low + HOP))}};
	return 2;
}
