/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/startup_x86_64.h"

#include "base/compiler.h"
#include "target/arch.h"

#include <stdbool.h>
#include <string.h>

/* A byte of code; ANY: a part of an address or a distance. */
enum { ANY = 256 };
#define ANY4 ANY, ANY, ANY, ANY

/* lea, lea, cmp, je, mov, test, je, jmp, ret. */
static const uint16_t deregister_clones[] = {0x48, 0x8d, 0x3d, ANY4, 0x48, 0x8d, 0x05, ANY4, 0x48,
	0x39, 0xf8, 0x74, ANY, 0x48, 0x8b, 0x05, ANY4, 0x48, 0x85, 0xc0, 0x74, ANY, 0xff, 0xe0,
	0x0f, 0x1f, 0x80, 0, 0, 0, 0, 0xc3};

/* The same at a fixed address: mov, cmp, je, mov, test, je, mov, jmp, ret. */
static const uint16_t deregister_clones_fixed[] = {0xb8, ANY4, 0x48, 0x3d, ANY4, 0x74, ANY, 0xb8,
	ANY4, 0x48, 0x85, 0xc0, 0x74, ANY, 0xbf, ANY4, 0xff, 0xe0, 0x66, 0x90, 0xc3};

/* lea, lea, sub, mov, shr, sar, add, sar, je, mov, test, je, jmp, ret. */
static const uint16_t register_clones[] = {0x48, 0x8d, 0x3d, ANY4, 0x48, 0x8d, 0x35, ANY4, 0x48,
	0x29, 0xfe, 0x48, 0x89, 0xf0, 0x48, 0xc1, 0xee, 0x3f, 0x48, 0xc1, 0xf8, 0x03, 0x48, 0x01,
	0xc6, 0x48, 0xd1, 0xfe, 0x74, ANY, 0x48, 0x8b, 0x05, ANY4, 0x48, 0x85, 0xc0, 0x74, ANY,
	0xff, 0xe0, 0x66, 0x0f, 0x1f, 0x44, 0, 0, 0xc3};

static const uint16_t register_clones_fixed[] = {0xbe, ANY4, 0x48, 0x81, 0xee, ANY4, 0x48, 0x89,
	0xf0, 0x48, 0xc1, 0xee, 0x3f, 0x48, 0xc1, 0xf8, 0x03, 0x48, 0x01, 0xc6, 0x48, 0xd1, 0xfe,
	0x74, ANY, 0xb8, ANY4, 0x48, 0x85, 0xc0, 0x74, ANY, 0xbf, ANY4, 0xff, 0xe0, 0xc3};

/* cmpb, jne, push %rbp, cmpq, mov %rsp,%rbp, je, mov, call, call, movb, pop %rbp, ret. */
static const uint16_t destroy[] = {0x80, 0x3d, ANY4, 0, 0x75, ANY, 0x55, 0x48, 0x83, 0x3d, ANY4, 0,
	0x48, 0x89, 0xe5, 0x74, ANY, 0x48, 0x8b, 0x3d, ANY4, 0xe8, ANY4, 0xe8, ANY4, 0xc6, 0x05,
	ANY4, 1, 0x5d, 0xc3};

/* cmpb, jne, push %rbp, mov %rsp,%rbp, call, movb, pop %rbp, ret. */
static const uint16_t destroy_fixed[] = {0x80, 0x3d, ANY4, 0, 0x75, ANY, 0x55, 0x48, 0x89, 0xe5,
	0xe8, ANY4, 0xc6, 0x05, ANY4, 1, 0x5d, 0xc3};

/* In a static program: followed by mov, test, je, mov, call. */
static const uint16_t destroy_static[] = {0x80, 0x3d, ANY4, 0, 0x75, ANY, 0x55, 0x48, 0x89, 0xe5,
	0xe8, ANY4, 0xb8, ANY4, 0x48, 0x85, 0xc0, 0x74, ANY, 0xbf, ANY4, 0xe8, ANY4, 0xc6, 0x05,
	ANY4, 1, 0x5d, 0xc3};

/* mov, test, je, push %rbp, mov, mov, mov %rsp,%rbp, call, pop %rbp, jmp; jmp. */
static const uint16_t begin_static[] = {0xb8, ANY4, 0x48, 0x85, 0xc0, 0x74, ANY, 0x55, 0xbe, ANY4,
	0xbf, ANY4, 0x48, 0x89, 0xe5, 0xe8, ANY4, 0x5d, 0xe9, ANY4, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0,
	0, 0, 0xe9};

/* The same without endbr64, by gcc 10. */
static const uint16_t begin_static_plain[] = {0xb8, ANY4, 0x48, 0x85, 0xc0, 0x74, ANY, 0x55, 0xbe,
	ANY4, 0xbf, ANY4, 0x48, 0x89, 0xe5, 0xe8, ANY4, 0x5d, 0xe9, ANY4, 0x0f, 0x1f, 0x44, 0, 0,
	0xe9};

/* destroy and destroy_fixed without endbr64, up to frame_dummy(): nop, ret, nop. */
static const uint16_t destroy_whole[] = {0x80, 0x3d, ANY4, 0, 0x75, ANY, 0x55, 0x48, 0x83, 0x3d,
	ANY4, 0, 0x48, 0x89, 0xe5, 0x74, ANY, 0x48, 0x8b, 0x3d, ANY4, 0xe8, ANY4, 0xe8, ANY4, 0xc6,
	0x05, ANY4, 1, 0x5d, 0xc3, 0x0f, 0x1f, 0x80, 0, 0, 0, 0, 0xc3, 0x0f, 0x1f, 0x80, 0, 0, 0,
	0};
static const uint16_t destroy_fixed_whole[] = {0x80, 0x3d, ANY4, 0, 0x75, ANY, 0x55, 0x48, 0x89,
	0xe5, 0xe8, ANY4, 0xc6, 0x05, ANY4, 1, 0x5d, 0xc3, 0x0f, 0x1f, 0x44, 0, 0, 0xc3, 0x66, 0x66,
	0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0, 0x0f, 0x1f, 0x40, 0};

static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

struct piece {
	const uint16_t *code;
	size_t size;
	/* Offsets of the instructions that make and end a frame, in this order; 0: none. */
	size_t push, frame, pop;
};

#define PIECE(code, ...)                            \
	{                                           \
		code, PROF_COUNT(code), __VA_ARGS__ \
	}

_Static_assert(PROF_COUNT(register_clones) <= PROF_ARCH_STARTUP_PAST, "the longest one fits");

static const struct piece pieces[] = {
	PIECE(deregister_clones, 0, 0, 0),
	PIECE(deregister_clones_fixed, 0, 0, 0),
	PIECE(register_clones, 0, 0, 0),
	PIECE(register_clones_fixed, 0, 0, 0),
	PIECE(destroy, 9, 18, PROF_COUNT(destroy) - 2),
	PIECE(destroy_fixed, 9, 10, PROF_COUNT(destroy_fixed) - 2),
	PIECE(destroy_static, 9, 10, PROF_COUNT(destroy_static) - 2),
	PIECE(begin_static, 10, 21, 29),
	PIECE(begin_static_plain, 10, 21, 29),
};

_Static_assert(PROF_COUNT(destroy_whole) <= PROF_ARCH_STARTUP_PAST, "they are read as a whole");

/* What precedes frame_dummy() if that is only a jump, which alone could be anything. */
static const struct piece before_jump[] = {
	PIECE(destroy_whole, 0, 0, 0),
	PIECE(destroy_fixed_whole, 0, 0, 0),
};

static bool is_piece(const struct piece *piece, const unsigned char *code)
{
	for (size_t i = 0; i < piece->size; i++) {
		if (piece->code[i] != ANY && piece->code[i] != code[i])
			return false;
	}
	return true;
}

/* How many words PIECE has pushed up to OFFSET. */
static int count_at(const struct piece *piece, size_t offset)
{
	if (!piece->push || offset <= piece->push || offset > piece->pop)
		return 0;
	return offset <= piece->frame ? 1 : PROF_ARCH_FRAMED;
}

/* Is AT, with PROF_ARCH_STARTUP_PAST bytes before it, frame_dummy() as a single jump? */
static bool is_jump(const unsigned char *at)
{
	bool known = !memcmp(at - sizeof endbr64, endbr64, sizeof endbr64);

	for (size_t i = 0; i < PROF_COUNT(before_jump); i++)
		known |= is_piece(&before_jump[i], at - before_jump[i].size);
	return known && (*at == 0xe9 || *at == 0xeb);
}

int prof_startup_count(const unsigned char *code)
{
	const unsigned char *at = code + PROF_ARCH_STARTUP_PAST;

	if (!memcmp(at, endbr64, sizeof endbr64))
		at += sizeof endbr64;
	if (is_jump(at))
		return 0;
	for (size_t i = 0; i < PROF_COUNT(pieces); i++) {
		for (size_t offset = 0; offset < pieces[i].size; offset++) {
			if (is_piece(&pieces[i], at - offset))
				return count_at(&pieces[i], offset);
		}
	}
	return -1;
}
