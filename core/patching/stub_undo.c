/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/stub_undo.h"

/* Where the red zone keeps registers, as stub_code.c says: bytes from the stack pointer. */
enum {
	ZONE = -128, /* the lowest */
	RAX = -128,
	RCX = -120,
	RDX = -112,
	FLAGS = -104,
	RETURN = -96, /* where PROF_STUB_ATTACH and PROF_STUB_FIND go on */
	RDI = -80,
	RSI = -72,
	R8 = -64,
	R9 = -56,
	R10 = -48,
	R11 = -40,
	WORDS = 16,
};

/* Bytes of an instruction that saves a register there, of "lahf" and "seto %al", and of "add
 * $0x7f,%al". */
enum { SAVE = 5, GET_FLAGS = 4, ADD = 2 };

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

/* Puts back what a stub changes that keeps flags in the zone. */
static void restore(const struct zone *zone, struct prof_stub_registers *registers)
{
	registers->rax = saved(zone, RAX);
	registers->rcx = saved(zone, RCX);
	registers->rdx = saved(zone, RDX);
	registers->flags = with_flags(registers->flags, saved(zone, FLAGS));
}

/* Likewise, of PROF_STUB_COUNT_CALLERS. */
static enum prof_stub_undone undo_count_callers(
	const struct zone *zone, uint64_t offset, struct prof_stub_registers *registers)
{
	const struct prof_stub_piece piece = prof_stub_piece(PROF_STUB_COUNT_CALLERS);

	/* All is saved at the beginning, and then flags.  What is before is executed behind that.
	 */
	if (offset < piece.entry || offset >= piece.entry + 4 * SAVE + GET_FLAGS) {
		restore(zone, registers);
		return offset < piece.mark ? PROF_STUB_UNCOUNTED : PROF_STUB_COUNTED;
	}
	/* Only rax has changed so far. */
	if (offset >= piece.entry + SAVE)
		registers->rax = saved(zone, RAX);
	return PROF_STUB_UNCOUNTED;
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
		prof_stub_counts(ret->stub->kind);
}

/* The stub that PROF_STUB_FIND, at OFFSET, has come from: it goes on behind it. */
static bool find_finding(const struct prof_island *island, const struct zone *zone, uint64_t offset,
	const struct prof_stub_registers *registers, struct prof_island_place *ret)
{
	uint64_t back = offset < SAVE ? registers->rdx : saved(zone, RETURN);

	return prof_island_find(island, back, ret) && ret->state == PROF_ISLAND_MOVED &&
		ret->stub->kind == PROF_STUB_COUNT_CALLERS;
}

/* Undoes what the code has done that stubs share; sets *STUB to the one that it was done for. */
static enum prof_stub_undone undo_shared(const struct prof_island *island, const struct zone *zone,
	struct prof_stub_registers *registers, const struct prof_stub **stub)
{
	const struct prof_stub_piece find = prof_stub_piece(PROF_STUB_FIND);
	uint64_t attaching = registers->pc - island->common.attach;
	uint64_t finding = registers->pc - island->common.find;
	struct prof_island_place place;

	if (attaching < prof_stub_piece(PROF_STUB_ATTACH).length &&
		find_attached(island, zone, attaching, registers, &place)) {
		undo_attach(zone, attaching, registers);
		*stub = place.stub;
		return PROF_STUB_UNCOUNTED;
	}
	if (finding < find.length && find_finding(island, zone, finding, registers, &place)) {
		restore(zone, registers);
		*stub = place.stub;
		return finding < find.mark ? PROF_STUB_UNCOUNTED : PROF_STUB_COUNTED;
	}
	return PROF_STUB_STUCK;
}

enum prof_stub_undone prof_stub_undo(const struct prof_island *island,
	const struct prof_target *target, struct prof_stub_registers *registers)
{
	enum prof_stub_undone undone;
	struct prof_island_place place;
	struct zone zone;

	if (!prof_island_find(island, registers->pc, &place))
		return PROF_STUB_UNTOUCHED;
	if (place.state == PROF_ISLAND_MOVED) {
		registers->pc = place.pc;
		registers->sp += (uint64_t)(int64_t)place.sp;
		return PROF_STUB_COUNTED;
	}
	if (place.stub && !prof_stub_counts(place.stub->kind)) {
		if (registers->pc - place.stub->low != place.stub->entry)
			return PROF_STUB_STUCK;
		registers->pc = place.stub->from;
		return PROF_STUB_UNCOUNTED;
	}
	if (!prof_target_read(target, registers->sp + (uint64_t)(int64_t)ZONE, &zone, sizeof zone))
		return PROF_STUB_STUCK;
	uint64_t offset = place.stub ? registers->pc - place.stub->low : 0;
	if (place.state == PROF_ISLAND_SHARED)
		undone = undo_shared(island, &zone, registers, &place.stub);
	else if (place.stub->kind == PROF_STUB_COUNT)
		undone = undo_count(&zone, offset, registers);
	else
		undone = undo_count_callers(&zone, offset, registers);
	if (undone != PROF_STUB_STUCK)
		registers->pc = place.stub->from;
	return undone;
}
