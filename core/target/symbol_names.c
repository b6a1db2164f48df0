/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/symbol_names.h"

#include "target/section.h"

#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Sections of debug information, and of symbols that only a debugger reads. */
static const char *const described[] = {
	".debug_info", ".zdebug_info", ".debug_types", ".gdb_index", ".debug_names", ".stab"};
static const char hidden[] = ".gnu_debugdata";

/* Parts of a symbol's name that may be names: of how many beginnings, and how many ends. */
enum { PARTS = 16 };

void prof_symbol_names_deinit(struct prof_symbol_names *names)
{
	free(names->items.items);
	prof_map_deinit(&names->index);
	*names = (struct prof_symbol_names){0};
}

void prof_symbol_hits_deinit(struct prof_symbol_hits *hits)
{
	free(hits->items.items);
	*hits = (struct prof_symbol_hits){0};
}

static bool is_letter(char one)
{
	return isalnum((unsigned char)one) || one == '_';
}

static bool is_identifier(const char *name)
{
	const char *at = name;

	while (is_letter(*at))
		at++;
	return at > name && !*at && !isdigit((unsigned char)*name);
}

bool prof_symbol_names_add(struct prof_symbol_names *names, const char *name)
{
	uint32_t number = (uint32_t)names->items.count;
	const char **added = prof_array_push(&names->items);

	if (!added)
		return false;
	*added = name;
	if (!is_identifier(name) ||
		prof_map_add(&names->index, prof_map_hash(name, strlen(name)), number))
		return true;
	names->items.count--;
	return false;
}

/* A part of a symbol's name. */
struct part {
	const struct prof_symbol_names *names;
	const char *text;
	size_t length;
};

static bool is_name(const void *context, uint32_t number)
{
	const struct part *part = context;
	const char *name = part->names->items.items[number];

	return !strncmp(name, part->text, part->length) && !name[part->length];
}

struct search {
	const struct prof_symbol_names *names;
	struct prof_symbol_hits *hits;
	bool full; /* no memory */
};

/* The LENGTH bytes of TEXT are a name that a symbol has for USE, perhaps one of those wanted. */
static void look_at(struct search *search, const char *text, size_t length,
	enum prof_symbol_use use, uint64_t address)
{
	const struct part part = {search->names, text, length};
	uint32_t name =
		prof_map_find(&search->names->index, prof_map_hash(text, length), is_name, &part);

	if (name == PROF_NONE)
		return;
	struct prof_symbol_hit *hit = prof_array_push(&search->hits->items);
	if (hit)
		*hit = (struct prof_symbol_hit){address, name, (uint8_t)use};
	search->full |= !hit;
}

static void look_at_part(struct search *search, const char *text, size_t length)
{
	look_at(search, text, length, PROF_SYMBOL_PART, 0);
}

/* Looks at the identifiers within a mangled one, each of which its length precedes. */
static void look_at_mangled(struct search *search, const char *text, size_t length)
{
	for (size_t at = 1; at < length; at++) {
		size_t count = 0;
		if (!isdigit((unsigned char)text[at]) || isdigit((unsigned char)text[at - 1]))
			continue;
		while (at < length && isdigit((unsigned char)text[at]) && count < length)
			count = count * 10 + (size_t)(text[at++] - '0');
		if (count > length - at)
			continue;
		look_at_part(search, text + at, count);
		/* Rust separates them so if the identifier begins with a digit, or with this. */
		if (at + count < length && text[at] == '_')
			look_at_part(search, text + at + 1, count);
		at--;
	}
}

static bool begins_with(const char *text, size_t length, const char *what)
{
	return length > strlen(what) && !memcmp(text, what, strlen(what));
}

/*
 * Looks at what is between underscores, two or more, or one at the beginning or the end; and behind
 * what Ada and Fortran put there.
 */
static void look_between(struct search *search, const char *text, size_t length)
{
	size_t begins[PARTS] = {0}, ends[PARTS] = {length}, begin_count = 1, end_count = 1;

	for (size_t at = 0, end; at < length && begin_count < PARTS && end_count < PARTS;
		at = end) {
		static const char module[] = "_MOD_";
		end = at + 1;
		if (begins_with(text + at, length - at, module))
			begins[begin_count++] = at + strlen(module);
		else if (text[at] == '_') {
			while (end < length && text[end] == '_')
				end++;
			if (end - at > 1 || !at || end == length) {
				begins[begin_count++] = end;
				ends[end_count++] = at;
			}
		}
	}
	if (begins_with(text, length, "_ada_") && begin_count < PARTS)
		begins[begin_count++] = strlen("_ada_");
	for (size_t i = 0; i < begin_count; i++) {
		for (size_t j = 0; j < end_count; j++) {
			if (begins[i] < ends[j] && ends[j] - begins[i] < length)
				look_at_part(search, text + begins[i], ends[j] - begins[i]);
		}
	}
}

static bool is_function(const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_size && symbol->st_value;
}

/* Looks at SYMBOL, whose name is TEXT; EXPORTED: for the dynamic linker. */
static void look_at_symbol(
	struct search *search, const GElf_Sym *symbol, const char *text, bool exported)
{
	const char *at = text;
	size_t length;

	if (*text == '_' && isupper((unsigned char)text[1]))
		look_at_mangled(search, text, strlen(text));
	for (; *at; at += length) {
		for (length = 0; is_letter(at[length]);)
			length++;
		if (!length) {
			length = 1;
			continue;
		}
		bool all = at == text && !at[length];
		if (all && is_function(symbol))
			look_at(search, at, length,
				exported ? PROF_SYMBOL_EXPORTED : PROF_SYMBOL_FUNCTION,
				symbol->st_value);
		else
			look_at_part(search, at, length);
		if (memchr(at, '_', length))
			look_between(search, at, length);
	}
}

/* Does a debugger make a symbol of SYMBOL? */
static bool is_symbol(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && type != STT_FILE && type != STT_SECTION;
}

/* Looks at all symbols of SECTION; sets *LOCAL if a function of a file only is among them. */
static bool look_in(
	struct search *search, Elf *elf, Elf_Scn *section, const GElf_Shdr *header, bool *local)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	for (size_t i = 1; i < count; i++) {
		GElf_Sym symbol;
		if (!data || !gelf_getsym(data, (int)i, &symbol))
			return false;
		if (!is_symbol(&symbol))
			continue;
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (!name)
			return false;
		*local |= symbol.st_info == GELF_ST_INFO(STB_LOCAL, STT_FUNC);
		look_at_symbol(search, &symbol, name, header->sh_type == SHT_DYNSYM);
	}
	return true;
}

static bool has_section(Elf *elf, const char *name)
{
	GElf_Shdr header;

	return prof_section_find(elf, name, &header) && header.sh_type != SHT_NOBITS;
}

/* Is there something about the functions of ELF that its symbols may lack? */
static bool is_described(Elf *elf)
{
	for (size_t i = 0; i < PROF_COUNT(described); i++) {
		if (has_section(elf, described[i]))
			return true;
	}
	return false;
}

bool prof_symbol_names_look(
	const struct prof_symbol_names *names, Elf *elf, struct prof_symbol_hits *hits)
{
	struct search search = {names, hits, false};
	bool local = false, whole = elf_kind(elf) == ELF_K_ELF && !has_section(elf, hidden);

	for (Elf_Scn *section = NULL; whole && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			return false;
		if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
			whole = look_in(&search, elf, section, &header, &local);
	}
	/* Nearly all files have functions like frame_dummy().  Where not, local ones were removed.
	 */
	return whole && !search.full && (local || !is_described(elf));
}

void prof_symbol_hits_add(
	const struct prof_symbol_hits *hits, uint64_t bias, struct prof_symbol_meaning *meanings)
{
	for (size_t i = 0; i < hits->items.count; i++) {
		const struct prof_symbol_hit *hit = &hits->items.items[i];
		struct prof_symbol_meaning *meaning = &meanings[hit->name];
		uint64_t *known =
			hit->use == PROF_SYMBOL_EXPORTED ? &meaning->exported : &meaning->function;
		uint64_t address = hit->address + bias;
		if (hit->use == PROF_SYMBOL_PART || (*known && *known != address))
			meaning->unclear = true;
		else
			*known = address;
	}
}

uint64_t prof_symbol_meaning_function(const struct prof_symbol_meaning *meaning)
{
	bool clear =
		!meaning->unclear && (!meaning->exported || meaning->exported == meaning->function);

	return clear ? meaning->function : 0;
}
