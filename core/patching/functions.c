/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/functions.h"

#include "base/memory.h"
#include "target/arch.h"
#include "target/cfi.h"
#include "target/fde.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	struct prof_entry_functions *functions;
	struct prof_elf *module;
	const struct prof_arch *arch;
	struct prof_cfi_rows rows;
};

void prof_entry_functions_deinit(struct prof_entry_functions *functions)
{
	free(functions->items.items);
	free(functions->words.items);
	*functions = (struct prof_entry_functions){0};
}

/* Is the code at ADDRESS the program's own, and not the linker's stubs? */
static bool is_code(Elf *elf, uint64_t address)
{
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
			address - header.sh_addr >= header.sh_size)
			continue;
		const char *name = elf_strptr(elf, names, header.sh_name);
		return name && strncmp(name, ".plt", 4);
	}
	return false;
}

/* Does the code at ADDRESS begin where a call has just pushed the return address? */
static bool is_called(struct reading *reading, uint64_t address)
{
	uint32_t index = prof_elf_compile(reading->module, &reading->rows, reading->arch,
		address + prof_elf_bias(reading->module));

	if (index == PROF_NONE)
		return false;
	const struct prof_cfi_rule *cfa = &reading->rows.rows.items[index].cfa;
	return cfa->kind == PROF_CFI_REGISTER && cfa->source == reading->arch->sp &&
		cfa->offset == 8;
}

/* False: no memory. */
static bool read_functions(struct reading *reading)
{
	const struct prof_fdes *fdes = prof_elf_fdes(reading->module);
	Elf *elf = prof_elf_handle(reading->module);

	for (size_t i = 0; i < fdes->items.count; i++) {
		struct prof_fde fde = fdes->items.items[i];
		/* .eh_frame and .debug_frame may both describe it. */
		if (i + 1 < fdes->items.count && fdes->items.items[i + 1].low < fde.high)
			fde.high = fdes->items.items[i + 1].low;
		if (fde.low >= fde.high || !is_code(elf, fde.low))
			continue;
		struct prof_entry_function *added = prof_array_push(&reading->functions->items);
		if (!added)
			return false;
		*added = (struct prof_entry_function){
			fde.low, fde.high, !is_called(reading, fde.low)};
	}
	return true;
}

static bool add_word(struct reading *reading, uint64_t word)
{
	uint64_t *added = prof_array_push(&reading->functions->words);

	if (added)
		*added = word;
	return added;
}

/* Adds the addresses that the dynamic linker puts into the data of a program that can be anywhere.
 */
static bool read_relocations(struct reading *reading, Elf_Data *data, const GElf_Shdr *header)
{
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	for (size_t i = 0; i < count; i++) {
		GElf_Rela relocation;
		if (!gelf_getrela(data, (int)i, &relocation))
			break;
		if (!add_word(reading, (uint64_t)relocation.r_addend))
			return false;
	}
	return true;
}

/* Adds all words of a section of data. */
static bool read_words(struct reading *reading, const Elf_Data *data)
{
	uint64_t word;

	for (size_t at = 0; data->d_buf && at + sizeof word <= data->d_size; at += sizeof word) {
		memcpy(&word, (const char *)data->d_buf + at, sizeof word);
		if (word && !add_word(reading, word))
			return false;
	}
	return true;
}

#ifndef SHT_RELR
/* glibc has it since 2.36. */
#define SHT_RELR 19
#endif

/* Are addresses in the data itself?  Packed relative relocations (SHT_RELR) have them there, too.
 */
static bool has_words(Elf *elf)
{
	GElf_Ehdr header;
	GElf_Shdr section_header;

	if (!gelf_getehdr(elf, &header) || header.e_type == ET_EXEC)
		return true;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		if (gelf_getshdr(section, &section_header) && section_header.sh_type == SHT_RELR)
			return true;
	}
	return false;
}

/*
 * Reads the addresses in the data: a table of labels holds some of the middle of a function.  A
 * file that can be loaded anywhere has relocations for them.
 */
static bool read_data(struct reading *reading)
{
	Elf *elf = prof_elf_handle(reading->module);
	bool words = has_words(elf);
	GElf_Shdr header;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC))
			continue;
		bool table = header.sh_type == SHT_RELA;
		bool data = words && header.sh_type == SHT_PROGBITS &&
			!(header.sh_flags & SHF_EXECINSTR);
		if (!table && !data)
			continue;
		Elf_Data *contents = elf_getdata(section, NULL);
		if (contents &&
			!(table ? read_relocations(reading, contents, &header)
				: read_words(reading, contents)))
			return false;
	}
	return true;
}

struct prof_error *prof_entry_functions_read(struct prof_entry_functions *functions,
	struct prof_elf *module, const struct prof_arch *arch)
{
	struct reading reading = {.functions = functions, .module = module, .arch = arch};
	bool good = read_functions(&reading) && read_data(&reading);

	prof_cfi_deinit(&reading.rows);
	if (good)
		return NULL;
	prof_entry_functions_deinit(functions);
	return prof_error_nomem();
}
