/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/slots.h"

#include "target/dynamic.h"
#include "target/linkmap.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_TABLE = 1 << 28, /* the most bytes of a table that are searched */
	PIECE = 1 << 20,      /* bytes that are read at once */
	PUSH = 0x68,          /* the instruction that pushes a word of 32 bits */
};

static const size_t no_name = SIZE_MAX;

void prof_slots_deinit(struct prof_slots *slots)
{
	free(slots->items.items);
	*slots = (struct prof_slots){0};
}

/* A copy of a table, or of the part of it that can be read. */
struct copy {
	PROF_ARRAY(unsigned char) bytes;
};

static void copy_deinit(struct copy *copy)
{
	free(copy->bytes.items);
}

#define AUTO_COPY PROF_AUTO(copy_deinit)

/* Reads TABLE piece by piece, to allocate no more than exists.  False: out of memory. */
static bool copy_table(
	struct copy *copy, const struct prof_target *target, struct prof_dynamic_table table)
{
	size_t wanted = table.size < MOST_TABLE ? table.size : MOST_TABLE;

	while (table.address && copy->bytes.count < wanted) {
		size_t piece = wanted - copy->bytes.count;
		if (piece > PIECE)
			piece = PIECE;
		if (!prof_array_reserve(&copy->bytes, piece))
			return false;
		size_t got = target->read_memory(target->context, table.address + copy->bytes.count,
			copy->bytes.items + copy->bytes.count, piece);
		copy->bytes.count += got;
		if (got < piece)
			break;
	}
	return true;
}

/* Is it a relocation that fills in the address of a function, and nothing else? */
static bool is_slot(const Elf64_Rela *relocation)
{
	switch (ELF64_R_TYPE(relocation->r_info)) {
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
		return true;
	case R_X86_64_64:
		return !relocation->r_addend;
	default:
		return false;
	}
}

/* The names to look for, and where. */
struct search {
	struct prof_slots *slots;
	const struct prof_target *target;
	const struct prof_linked *linked;
	const char *const *names;
	size_t count;
	struct prof_dynamic dynamic;
	struct copy strings;
	struct copy symbols;
	bool first[256]; /* by character: one of the names begins with it */
};

/* The name of symbol INDEX, borrowed, or NULL. */
static const char *name_of(const struct search *search, size_t index)
{
	const unsigned char *symbols = search->symbols.bytes.items;
	const char *strings = (const char *)search->strings.bytes.items;
	Elf64_Sym symbol;

	if (index >= search->symbols.bytes.count / sizeof symbol)
		return NULL;
	memcpy(&symbol, symbols + index * sizeof symbol, sizeof symbol);
	/* Writes a NUL over the last byte of the table, so that its last text ends. */
	return symbol.st_name < search->strings.bytes.count ? strings + symbol.st_name : NULL;
}

/* The index of the symbol's name among the wanted ones, or no_name. */
static size_t find_name(const struct search *search, size_t symbol)
{
	const char *name = symbol ? name_of(search, symbol) : NULL;

	if (!name || !search->first[(unsigned char)*name])
		return no_name;
	for (size_t i = 0; i < search->count; i++) {
		if (!strcmp(search->names[i], name))
			return i;
	}
	return no_name;
}

/*
 * Does VALUE lead to the stub of relocation NUMBER of the linkage table?  It begins with the push
 * of that number, after a mark for branch tracking where that is on.
 */
static bool is_stub(const struct prof_target *target, uint64_t value, size_t number)
{
	static const unsigned char mark[] = {0xf3, 0x0f, 0x1e, 0xfa};
	unsigned char code[sizeof mark + 5];
	uint32_t pushed;

	if (!prof_target_read(target, value, code, sizeof code))
		return false;
	const unsigned char *at = code + (memcmp(code, mark, sizeof mark) ? 0 : sizeof mark);
	memcpy(&pushed, at + 1, sizeof pushed);
	return *at == PUSH && pushed == number;
}

static struct prof_error *add_slot(
	struct search *search, const Elf64_Rela *relocation, size_t name, size_t number)
{
	const struct prof_target *target = search->target;
	struct prof_slot slot = {
		.address = search->linked->bias + relocation->r_offset,
		.name = name,
	};

	if (!prof_target_read(target, slot.address, &slot.value, sizeof slot.value))
		return NULL;
	slot.unbound = ELF64_R_TYPE(relocation->r_info) == R_X86_64_JUMP_SLOT &&
		is_stub(target, slot.value, number);
	struct prof_slot *added = prof_array_push(&search->slots->items);
	if (!added)
		return prof_error_nomem();
	*added = slot;
	return NULL;
}

/* The relocation INDEX of COPY. */
static Elf64_Rela relocation_at(const struct copy *copy, size_t index)
{
	Elf64_Rela relocation;

	memcpy(&relocation, copy->bytes.items + index * sizeof relocation, sizeof relocation);
	return relocation;
}

static struct prof_error *look_at(struct search *search, const struct copy *relocations)
{
	struct prof_error *error = NULL;
	size_t count = relocations->bytes.count / sizeof(Elf64_Rela);

	for (size_t i = 0; i < count && !error; i++) {
		Elf64_Rela relocation = relocation_at(relocations, i);
		if (!is_slot(&relocation))
			continue;
		size_t name = find_name(search, ELF64_R_SYM(relocation.r_info));
		if (name != no_name)
			error = add_slot(search, &relocation, name, i);
	}
	return error;
}

/* The dynamic section does not have the number of symbols: take as many as relocations refer to. */
static size_t count_symbols(const struct copy *relocations)
{
	size_t most = 0;

	for (size_t i = 0; i < relocations->bytes.count / sizeof(Elf64_Rela); i++) {
		Elf64_Rela relocation = relocation_at(relocations, i);
		size_t symbol = ELF64_R_SYM(relocation.r_info);
		if (is_slot(&relocation) && symbol >= most)
			most = symbol + 1;
	}
	return most;
}

static struct prof_error *search_object(struct search *search)
{
	const struct prof_target *target = search->target;
	const struct prof_dynamic *dynamic = &search->dynamic;
	AUTO_COPY struct copy jumps = {0};
	AUTO_COPY struct copy others = {0};

	if (!copy_table(&jumps, target, dynamic->jumps) ||
		!copy_table(&others, target, dynamic->others) ||
		!copy_table(&search->strings, target, dynamic->strings))
		return prof_error_nomem();
	size_t symbols = count_symbols(&jumps);
	size_t more = count_symbols(&others);
	const struct prof_dynamic_table table = {
		dynamic->symbols, (more > symbols ? more : symbols) * sizeof(Elf64_Sym)};
	if (!copy_table(&search->symbols, target, table))
		return prof_error_nomem();
	if (search->strings.bytes.count)
		search->strings.bytes.items[search->strings.bytes.count - 1] = '\0';
	struct prof_error *error = look_at(search, &jumps);
	return error ? error : look_at(search, &others);
}

struct prof_error *prof_slots_find(struct prof_slots *slots, const struct prof_target *target,
	const struct prof_linked *linked, const char *const *names, size_t count)
{
	struct search search = {
		.slots = slots,
		.target = target,
		.linked = linked,
		.names = names,
		.count = count,
		.dynamic = prof_dynamic_read(target, linked),
	};

	for (size_t i = 0; i < count; i++)
		search.first[(unsigned char)*names[i]] = true;
	struct prof_error *error = search_object(&search);
	copy_deinit(&search.strings);
	copy_deinit(&search.symbols);
	return error;
}

/* The contents of RELOCATION's slot if it is for RESOLVER, and the linker has filled it in. */
static uint64_t chosen_by(const struct prof_target *target, const struct prof_linked *linked,
	const Elf64_Rela *relocation, uint64_t resolver)
{
	uint64_t value;

	if (ELF64_R_TYPE(relocation->r_info) != R_X86_64_IRELATIVE ||
		linked->bias + (uint64_t)relocation->r_addend != resolver ||
		!prof_target_read(
			target, linked->bias + relocation->r_offset, &value, sizeof value))
		return 0;
	/* Before that it has an address of the file, or 0. */
	return value > linked->bias && value != resolver ? value : 0;
}

uint64_t prof_slots_chosen(
	const struct prof_target *target, const struct prof_linked *linked, uint64_t resolver)
{
	const struct prof_dynamic dynamic = prof_dynamic_read(target, linked);
	const struct prof_dynamic_table tables[] = {dynamic.jumps, dynamic.others};
	uint64_t value = 0;

	for (size_t i = 0; i < PROF_COUNT(tables) && !value; i++) {
		AUTO_COPY struct copy copy = {0};
		if (!copy_table(&copy, target, tables[i]))
			break;
		size_t count = copy.bytes.count / sizeof(Elf64_Rela);
		for (size_t j = 0; j < count && !value; j++) {
			Elf64_Rela relocation = relocation_at(&copy, j);
			value = chosen_by(target, linked, &relocation, resolver);
		}
	}
	return value;
}
