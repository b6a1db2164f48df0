/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/symbols.h"

#include "base/ranges.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

void prof_symbols_deinit(struct prof_symbols *table)
{
	free(table->items.items);
	*table = (struct prof_symbols){0};
}

/* By address; at one address, in the order of the file, which is as good as any. */
static int compare(const void *left, const void *right)
{
	const struct prof_symbol *a = left;
	const struct prof_symbol *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static bool is_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF &&
		symbol->st_size && symbol->st_value + symbol->st_size > symbol->st_value;
}

static bool read_section(
	struct prof_symbols *table, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	for (size_t i = 0; data && i < count; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol)) /* the data is shorter than it should be */
			return true;
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (!name || !*name || !is_function(&symbol))
			continue;
		struct prof_symbol *place = prof_array_push(&table->items);
		if (!place)
			return false;
		*place = (struct prof_symbol){
			symbol.st_value, symbol.st_value + symbol.st_size, name};
	}
	return true;
}

bool prof_symbols_read(struct prof_symbols *table, Elf *elf)
{
	static const GElf_Word types[] = {SHT_SYMTAB, SHT_DYNSYM};

	for (size_t i = 0; i < PROF_COUNT(types) && !table->items.count; i++) {
		for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
			GElf_Shdr header;
			if (!gelf_getshdr(section, &header) || header.sh_type != types[i])
				continue;
			if (!read_section(table, elf, section, &header))
				return false;
		}
	}
	if (table->items.count)
		qsort(table->items.items, table->items.count, sizeof *table->items.items, compare);
	return true;
}

const struct prof_symbol *prof_symbols_find(const struct prof_symbols *table, uint64_t address)
{
	const struct prof_symbol *first = table->items.items;
	const struct prof_symbol *found =
		prof_ranges_find(first, table->items.count, sizeof *first, address);

	/*
	 * Of those that begin at the same address, the first; a longer one that began earlier is
	 * rare.
	 */
	while (found && found > first && found[-1].low == found->low)
		found--;
	return found && address < found->high ? found : NULL;
}
