/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/stub_undo.h"

/* Where the red zone keeps registers, as stub_code.c says: bytes from the stack pointer. */
enum {
	ZONE = -128, /* the lowest */
	RAX = -128,
	RCX = -120,
	RDX = -112,
	FLAGS = -104,
	RETURN = -96, /* where PROF_STUB_ATTACH goes on */
	RDI = -80,
	RSI = -72,
	R8 = -64,
	R9 = -56,
	R10 = -48,
	R11 = -40,
	WORDS = 16,
};

/* Bytes of an instruction that saves a register there, and of "add $0x7f,%al" and "sahf". */
enum { SAVE = 5, ADD = 2, SAHF = 1 };

/* The flags that lahf puts into ah, and the one of overflow, which is put into al. */
enum { FLAGS_AH = 0xd5, FLAG_OVERFLOW = 0x800 };

struct zone {
	uint64_t words[WORDS];
};

static uint64_t saved(const struct zone *zone, int at)
{
	return zone->words[(at - ZONE) / (int)sizeof(uint64_t)];
}

/* FLAGS with those that are in AX. */
static uint64_t with_flags(uint64_t flags, uint64_t ax)
{
	flags &= ~(uint64_t)(FLAGS_AH | FLAG_OVERFLOW);
	return flags | (ax >> 8 & FLAGS_AH) | (ax & 1 ? FLAG_OVERFLOW : 0);
}

/* Undoes what the stub itself has done up to OFFSET bytes behind its beginning. */
static enum prof_stub_undone undo_count(
	const struct zone *zone, uint64_t offset, struct prof_stub_registers *registers)
{
	const struct prof_stub_piece piece = prof_stub_piece(PROF_STUB_COUNT);

	if (offset == piece.mark) {
		registers->flags = with_flags(registers->flags, registers->rax);
	} else if (offset == piece.mark + ADD) {
		/* The addition has set the flag of overflow, and others that are in ah. */
		uint64_t overflow = (registers->flags & FLAG_OVERFLOW) != 0;
		registers->flags =
			with_flags(registers->flags, (registers->rax & ~UINT64_C(0xff)) | overflow);
	}
	/* What is before the entry is executed behind it, and saves rdx first. */
	bool before = offset < piece.entry;
	if (before && offset >= SAVE)
		registers->rdx = saved(zone, RDX);
	if (before || offset >= piece.entry + SAVE)
		registers->rax = saved(zone, RAX);
	if (before || offset >= piece.entry + 2 * SAVE)
		registers->rcx = saved(zone, RCX);
	return offset < piece.mark ? PROF_STUB_UNCOUNTED : PROF_STUB_COUNTED;
}

/* Undoes what PROF_STUB_ATTACH has done up to OFFSET. */
static void undo_attach(
	const struct zone *zone, uint64_t offset, struct prof_stub_registers *registers)
{
	registers->rax = saved(zone, RAX);
	registers->rcx = saved(zone, RCX);
	registers->rdx = saved(zone, RDX);
	if (offset < prof_stub_piece(PROF_STUB_ATTACH).mark)
		return;
	registers->flags = with_flags(registers->flags, saved(zone, FLAGS));
	registers->rdi = saved(zone, RDI);
	registers->rsi = saved(zone, RSI);
	registers->r8 = saved(zone, R8);
	registers->r9 = saved(zone, R9);
	registers->r10 = saved(zone, R10);
	registers->r11 = saved(zone, R11);
}

/* The stub that PROF_STUB_ATTACH, at OFFSET, has come from and goes on in; false: it is none. */
static bool find_attached(const struct prof_island *island, const struct zone *zone,
	uint64_t offset, const struct prof_stub_registers *registers, struct prof_island_place *ret)
{
	uint64_t back = offset < prof_stub_piece(PROF_STUB_ATTACH).mark ? registers->rdx
									: saved(zone, RETURN);

	return prof_island_find(island, back, ret) && ret->state == PROF_ISLAND_ENTERING &&
		ret->stub->kind == PROF_STUB_COUNT;
}

enum prof_stub_undone prof_stub_undo(const struct prof_island *island,
	const struct prof_target *target, struct prof_stub_registers *registers)
{
	enum prof_stub_undone undone = PROF_STUB_UNCOUNTED;
	struct prof_island_place place;
	struct zone zone;

	if (!prof_island_find(island, registers->pc, &place))
		return PROF_STUB_UNTOUCHED;
	if (place.stub && place.stub->kind != PROF_STUB_COUNT)
		return PROF_STUB_STUCK;
	if (place.state == PROF_ISLAND_MOVED) {
		registers->pc = place.pc;
		registers->sp += (uint64_t)(int64_t)place.sp;
		return PROF_STUB_COUNTED;
	}
	if (!prof_target_read(target, registers->sp + (uint64_t)(int64_t)ZONE, &zone, sizeof zone))
		return PROF_STUB_STUCK;
	if (place.state == PROF_ISLAND_SHARED) {
		uint64_t offset = registers->pc - island->common.attach;
		if (offset >= prof_stub_piece(PROF_STUB_ATTACH).length ||
			!find_attached(island, &zone, offset, registers, &place))
			return PROF_STUB_STUCK;
		undo_attach(&zone, offset, registers);
	} else {
		undone = undo_count(&zone, registers->pc - place.stub->low, registers);
	}
	registers->pc = place.stub->from;
	return undone;
}
